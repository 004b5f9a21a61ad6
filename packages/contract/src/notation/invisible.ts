/**
 * Characters that no one sees, for a class of an expression: zero-width characters, marks of direction, soft
 * hyphens, byte order marks.
 */
export const invisible = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\ufeff'
