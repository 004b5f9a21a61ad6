import { APOSTROPHE, EQUALS, QUOTE, SPACE } from '#formats/byte-names.ts'
import { joined } from '#formats/bytes.ts'
import { firstNamed, XmlElement } from '#formats/xml/xml-elements.ts'
import { type XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { Platform } from '#platform.ts'

/** A replacement of `[start, end)` of a part's bytes by `text`; `start === end` inserts. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** A part with edits applied; everything else stays byte for byte. Edits must not overlap. */
export function* applyEdits(
  bytes: Uint8Array,
  edits: readonly Edit[],
  platform: Platform,
): Generator<Uint8Array> {
  let copied = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start > copied) yield bytes.subarray(copied, start)
    if (text !== '') yield platform.encodeUtf8(text)
    copied = end
  }
  if (copied < bytes.length) yield bytes.subarray(copied)
}

export const edited = (bytes: Uint8Array, edits: readonly Edit[], platform: Platform): Uint8Array =>
  edits.length === 0 ? bytes : joined([...applyEdits(bytes, edits, platform)])

/** Sets an attribute of the tag that `tokens` has just read. */
export function attributeEdit(tokens: XmlTokens, name: string, value: string | number): Edit {
  if (tokens.findAttribute(name))
    return { start: tokens.valueStart, end: tokens.valueEnd, text: String(value) }
  return { start: tokens.nameEndPosition, end: tokens.nameEndPosition, text: ` ${name}="${value}"` }
}

/**
 * Adds elements at the end of an element: before its closing tag, or by opening it if it is empty (`<x/>`).
 * `content` gets the prefix of the element's tags. null if the part has no such element.
 */
export function appendTo(
  bytes: Uint8Array,
  element: string,
  content: (prefix: string) => string,
  platform: Platform,
): Edit | null {
  const found = firstNamed(new XmlTokens(platform, bytes), element)
  if (found === null) return null
  const { tag, isEmpty, contentEnd, end } = found
  const prefix = tag.prefix()
  if (isEmpty) return { start: end - 2, end, text: `>${content(prefix)}</${prefix}${tag.localName()}>` }
  return { start: contentEnd, end: contentEnd, text: content(prefix) }
}

/** Leaves out a range, such as an element. */
export const removal = ({ start, end }: { start: number; end: number }): Edit => ({ start, end, text: '' })

/** Leaves out the element whose first tag was just read, and reads on after it. */
export function elementRemoval(tokens: XmlTokens, token: XmlToken): Edit {
  const edit = removal(new XmlElement(tokens, token))
  tokens.position = edit.end
  return edit
}

/** Removes an attribute of the tag that was just read; nothing if it has none of that name. */
export function attributeRemoval(tokens: XmlTokens, name: string): Edit[] {
  if (!tokens.findAttribute(name)) return []
  const { bytes, valueStart, valueEnd } = tokens
  let start = valueStart - 1
  // Back over the quote, the equals sign and white space to the name, then to the white space before it.
  while (
    bytes[start] === QUOTE ||
    bytes[start] === APOSTROPHE ||
    bytes[start] === EQUALS ||
    bytes[start] <= SPACE
  )
    start--
  while (bytes[start] > SPACE) start--
  return [removal({ start, end: valueEnd + 1 })]
}
