/** For a class of an expression: zero-width characters, direction marks, soft hyphens, byte order marks. */
export const invisible = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\ufeff'
