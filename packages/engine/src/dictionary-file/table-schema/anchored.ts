/**
 * A pattern that matches the whole value for every reader. They disagree: XML Schema anchors silently,
 * Frictionless for Python by ^ and $ around the text (so that `a|b` matches "ax"), the one for JavaScript
 * searches anywhere. Anchors and brackets mean the same to all; the standard's examples have them, too.
 */
export function anchored(pattern: string): string {
  if (/^\^[^|]*[^|\\]\$$/.test(pattern)) return pattern
  return pattern.includes('|') ? `^(${pattern})$` : `^${pattern}$`
}

/** The standard's string format uuid: 8-4-4-4-12 hexadecimal digits (RFC 9562). */
export const UUID_PATTERN = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** Other readers may match more: ours knows ASCII only, XML Schema and Python every script. */
export const hasAsciiClasses = (pattern: string): boolean => /\\[dDwWsSbB]/.test(withoutLiterals(pattern))

/**
 * What RE2 has and XML Schema lacks: (?…), \b, \A, \z, \Q, \x, \p without braces, [[:alpha:]], lazy repeats,
 * a backslash before a character beyond ASCII.
 */
export const hasForeignSyntax = (pattern: string): boolean =>
  /\(\?|\\[bBAzQExC0-7\u0080-\uffff]|\\[pP][^{]|\[\[?\^?:|[*+?}]\?/.test(withoutLiterals(pattern))

/** Subtraction from a class, as `[a-z-[aeiou]]`: RE2 silently reads something else. */
export const hasClassSubtraction = (pattern: string): boolean => /\[(?:[^\][\\]|\\.)*-\[/.test(pattern)

/** Without its escaped backslashes and brackets, which would look like the start of something. */
const withoutLiterals = (pattern: string): string => pattern.replace(/\\[\\()[\]?*+{}.|^$]/g, '_')
