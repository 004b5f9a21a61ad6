import type { Platform } from '#platform.ts'

export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Characters per chunk of bytes: large enough that deflating one chunk overlaps with making the next. */
const CHUNK_CHARACTERS = 256 * 1024

/** Markup, control characters, and text that would read as an escaped character. */
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Characters that XML does not allow become `_xHHHH_` (ST_Xstring, ECMA-376 part 1, 22.9.2.19);
 * `resolveCharacterEscapes` turns them back.
 */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text.replace(
    ESCAPED,
    (character) =>
      ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}

/** Encodes in chunks of about `CHUNK_CHARACTERS`; bytes pass unchanged. `end` is called for a last piece. */
export async function* encodeXml(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
  platform: Platform,
  start = '',
  end = () => '',
): AsyncGenerator<Uint8Array> {
  let text = start
  for await (const piece of pieces) {
    const isText = typeof piece === 'string'
    if (isText) text += piece
    if (isText ? text.length >= CHUNK_CHARACTERS : text !== '') {
      yield platform.encodeUtf8(text)
      text = ''
    }
    if (!isText) yield piece
  }
  text += end()
  if (text !== '') yield platform.encodeUtf8(text)
}
