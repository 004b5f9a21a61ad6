import { XmlToken, XmlTokens, type XmlName } from '#formats/xml/xml-tokens.ts'
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

/** Sets an attribute of the tag that `tokens` has just read. */
export function attributeEdit(
  tokens: XmlTokens,
  name: XmlName,
  spelled: string,
  value: string | number,
): Edit {
  if (tokens.findAttribute(name))
    return { start: tokens.valueStart, end: tokens.valueEnd, text: String(value) }
  return { start: tokens.nameEndPosition, end: tokens.nameEndPosition, text: ` ${spelled}="${value}"` }
}

/**
 * Adds elements at the end of an element: before its closing tag, or by opening it where it is empty
 * (`<x/>`). `content` gets the prefix of the element's tags. null if the part has no such element.
 */
export function appendTo(
  bytes: Uint8Array,
  element: XmlName,
  content: (prefix: string) => string,
  platform: Platform,
): Edit | null {
  const tokens = new XmlTokens(platform, bytes)
  let edit: Edit | null = null
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData || !tokens.nameIs(element)) continue
    if (token === XmlToken.Close)
      edit = { start: tokens.start, end: tokens.start, text: content(tokens.prefix()) }
    else if (token === XmlToken.Empty) {
      const slash = tokens.position - 2
      edit = {
        start: slash,
        end: tokens.position,
        text: `>${content(tokens.prefix())}</${tokens.prefix()}${tokens.localName()}>`,
      }
    }
  }
  return edit
}

/** As `appendTo`, at the beginning of the element: for lists whose extensions must come last. */
export function prependTo(
  bytes: Uint8Array,
  element: XmlName,
  content: (prefix: string) => string,
  platform: Platform,
): Edit | null {
  const tokens = new XmlTokens(platform, bytes)
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Open && tokens.nameIs(element))
      return { start: tokens.position, end: tokens.position, text: content(tokens.prefix()) }
    if (token === XmlToken.Empty && tokens.nameIs(element)) return appendTo(bytes, element, content, platform)
  }
  return null
}
