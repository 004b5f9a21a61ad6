/**
 * Bytes that mean something in CSV or XML, by name.
 *
 * TRAP: V8 folds constants of the module itself into compiled code, but not imported ones. So hot modules
 * write `import * as byteNames` and `const { QUOTE } = byteNames`: with imported names a scanner of
 * worksheets took 8 to 12 % longer.
 */
export const NUL = 0x00
export const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const EXCLAMATION_MARK = 0x21
export const QUOTE = 0x22
export const AMPERSAND = 0x26
export const APOSTROPHE = 0x27
export const COMMA = 0x2c
export const SLASH = 0x2f
export const ZERO = 0x30
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS_THAN = 0x3c
export const EQUALS = 0x3d
export const GREATER_THAN = 0x3e
export const QUESTION_MARK = 0x3f
export const UNDERSCORE = 0x5f
export const LOWER_F = 0x66
export const LOWER_X = 0x78
export const PIPE = 0x7c
