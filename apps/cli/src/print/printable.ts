/**
 * Text of a file for a terminal. Escaped are control characters, which could control it, signs that turn the
 * direction of what follows, a suggestion as well, and signs that nobody would see.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g
  return text.replace(escaped, (character) => controls[character] ?? escapeOf(character))
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  return hex.length > 2 ? `\\u${hex}` : `\\x${hex}`
}

/** A text of at most `most` characters; a longer one ends with …, not within a character. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
