/** Up to here no character is composed with the one before. */
const MAY_COMPOSE = /[^\0-\u02ff]/

/** NFC: a letter with its accent is one, also if written as two, as macOS does. People see no difference. */
export const composed = (text: string): string => (MAY_COMPOSE.test(text) ? text.normalize('NFC') : text)

/** `composed` makes at most four characters one. */
export const MOST_COMPOSED = 4

/** First bytes in UTF-8 of what NFC changes or composes; none of Latin, Cyrillic and most of Asia. */
const mayChange = new Uint8Array(0x100).fill(1, 0xcc, 0xcf).fill(1, 0xe0, 0xe4).fill(1, 0xef)
mayChange[0xd9] = 1

export function mayCompose(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (mayChange[bytes[at]] === 1) return true
  return false
}
