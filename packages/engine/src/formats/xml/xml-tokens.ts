import * as byteNames from '#formats/byte-names.ts'
import { ascii, beginsAt, indexOfBytes } from '#formats/bytes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { decodeCharacters, decodeXmlText } from '#formats/xml/xml-text.ts'
import type { Platform } from '#platform.ts'

const {
  APOSTROPHE,
  COLON,
  EQUALS,
  EXCLAMATION_MARK,
  GREATER_THAN,
  LESS_THAN,
  QUESTION_MARK,
  QUOTE,
  SLASH,
  SPACE,
} = byteNames

/** What `XmlTokens.next` returns. `More`: the token is cut. `Empty`: a tag that closes itself. */
export const XmlToken = { More: 0, Open: 1, Empty: 2, Close: 3, Text: 4, CData: 5 } as const
export type XmlToken = (typeof XmlToken)[keyof typeof XmlToken]

const COMMENT_START = ascii('<!--')
const COMMENT_END = ascii('-->')
const CDATA_START = ascii('<![CDATA[')
const CDATA_END = ascii(']]>')
const DOCTYPE_START = ascii('<!DOCTYPE')
const PI_END = ascii('?>')

/** No real tag or comment is longer. Without this bound the window would grow without end. In bytes. */
const MAX_MARKUP = 1024 * 1024

/**
 * Reads tags and text, whatever prefixes, quotes, white space, comments and CDATA sections the writer used.
 * Where a token is cut it returns `More`, and its owner adds bytes and asks again: no state is kept between
 * tokens. `x:row` is `row`. A document type is refused, which rules out all attacks with entities.
 */
export class XmlTokens {
  readonly platform: Platform
  bytes: Uint8Array
  /** Where the next token begins. */
  position: number
  /** Where the bytes at hand end. */
  end: number
  /** Where the last token begins. */
  start = 0
  private nameStart = 0
  private nameEnd = 0
  private prefixStart = 0
  private contentStart = 0
  private contentEnd = 0

  constructor(platform: Platform, bytes: Uint8Array, position = 0, end = bytes.length) {
    this.platform = platform
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  /** Reads the next token. On `More` the position stays where the cut token begins. */
  next(): XmlToken {
    const { bytes, end } = this
    while (this.position < end) {
      this.start = this.position
      if (bytes[this.position] !== LESS_THAN) return this.text()
      const second = this.position + 1 < end ? bytes[this.position + 1] : 0
      if (second === EXCLAMATION_MARK) {
        const token = this.declaration()
        if (token !== null) return token
      } else if (second === QUESTION_MARK) {
        if (!this.skipPast(PI_END, 2)) return XmlToken.More
      } else {
        return this.tag()
      }
    }
    return XmlToken.More
  }

  nameIs(name: string): boolean {
    return this.equals(this.nameStart, this.nameEnd, name)
  }

  /** The prefix of the tag with its colon, '' without one. */
  prefix(): string {
    return this.platform.decodeUtf8(this.bytes, this.prefixStart, this.nameStart)
  }

  localName(): string {
    return this.platform.decodeUtf8(this.bytes, this.nameStart, this.nameEnd)
  }

  get nameEndPosition(): number {
    return this.nameEnd
  }

  /** Where the name of the tag begins, its prefix included. */
  get nameStartPosition(): number {
    return this.prefixStart
  }

  /** Whether the tag has the name in `[start, end)`, prefix included. */
  nameIsAt(start: number, end: number): boolean {
    const { bytes, prefixStart } = this
    if (end - start !== this.nameEnd - prefixStart) return false
    for (let offset = 0; start + offset < end; offset++)
      if (bytes[start + offset] !== bytes[prefixStart + offset]) return false
    return true
  }

  /** The text of a `Text` or `CData` token, entities resolved. */
  textValue(token: XmlToken): string {
    const { contentStart, contentEnd } = this
    if (token === XmlToken.Text) return decodeXmlText(this.platform, this.bytes, contentStart, contentEnd)
    return decodeCharacters(this.platform, this.bytes, contentStart, contentEnd)
  }

  /** The value of an attribute of the tag; null if it has none. */
  attribute(name: string): string | null {
    return this.findAttribute(name) ? this.foundValue() : null
  }

  /** The value of an attribute of another namespace, whatever its prefix: `r:id` as `id`. */
  prefixedAttribute(name: string): string | null {
    return this.findAttribute(name, true) ? this.foundValue() : null
  }

  private foundValue(): string {
    return decodeXmlText(this.platform, this.bytes, this.valueStart, this.valueEnd)
  }

  /** Where the value of the last attribute found begins and ends. */
  valueStart = 0
  valueEnd = 0

  /** The raw value is then `[valueStart, valueEnd)`. Prefixed ones count with `anyPrefix`, `xmlns` never. */
  findAttribute(name: string, anyPrefix = false): boolean {
    const { bytes, contentEnd } = this
    let at = this.contentStart
    while (at < contentEnd) {
      while (at < contentEnd && bytes[at] <= SPACE) at++
      const nameStart = at
      let local = at
      while (at < contentEnd && bytes[at] !== EQUALS && bytes[at] > SPACE)
        if (bytes[at++] === COLON) local = at
      const nameEnd = at
      while (at < contentEnd && bytes[at] !== QUOTE && bytes[at] !== APOSTROPHE) at++
      const quote = bytes[at++]
      const valueStart = at
      while (at < contentEnd && bytes[at] !== quote) at++
      if (at >= contentEnd) return false
      const isCandidate = local === nameStart || (anyPrefix && !this.equals(nameStart, local - 1, 'xmlns'))
      if (isCandidate && this.equals(local, nameEnd, name)) {
        this.valueStart = valueStart
        this.valueEnd = at
        return true
      }
      at++
    }
    return false
  }

  private text(): XmlToken {
    const next = this.bytes.indexOf(LESS_THAN, this.position)
    if (next < 0 || next >= this.end) return XmlToken.More
    this.contentStart = this.position
    this.contentEnd = next
    this.position = next
    return XmlToken.Text
  }

  /** null for a comment, which is skipped. */
  private declaration(): XmlToken | null {
    const { position, end } = this
    if (this.startsWith(COMMENT_START))
      return this.skipPast(COMMENT_END, COMMENT_START.length) ? null : XmlToken.More
    if (this.startsWith(CDATA_START)) {
      if (!this.skipPast(CDATA_END, CDATA_START.length)) return XmlToken.More
      this.contentStart = position + CDATA_START.length
      this.contentEnd = this.position - CDATA_END.length
      return XmlToken.CData
    }
    if (this.startsWith(DOCTYPE_START)) throw workbookProblems.doctype()
    if (end - position < DOCTYPE_START.length) return XmlToken.More
    throw workbookProblems.damaged('its XML holds an unknown declaration')
  }

  private tag(): XmlToken {
    const { bytes, end } = this
    const isClose = bytes[this.position + 1] === SLASH
    let at = this.position + (isClose ? 2 : 1)
    this.prefixStart = at
    this.nameStart = at
    while (at < end && bytes[at] > SPACE && bytes[at] !== GREATER_THAN && bytes[at] !== SLASH)
      if (bytes[at++] === COLON) this.nameStart = at
    this.nameEnd = at
    this.contentStart = at
    while (at < end && bytes[at] !== GREATER_THAN) {
      const byte = bytes[at++]
      if (byte === LESS_THAN) throw workbookProblems.malformed()
      if (byte !== QUOTE && byte !== APOSTROPHE) continue
      while (at < end && bytes[at] !== byte) if (bytes[at++] === LESS_THAN) throw workbookProblems.malformed()
      at++
    }
    if (at >= end) return this.cut()
    this.position = at + 1
    const isEmpty = bytes[at - 1] === SLASH && at - 1 >= this.nameEnd
    this.contentEnd = isEmpty ? at - 1 : at
    if (this.nameStart === this.nameEnd) throw workbookProblems.damaged('its XML holds a tag without a name')
    return isClose ? XmlToken.Close : isEmpty ? XmlToken.Empty : XmlToken.Open
  }

  private cut(): XmlToken {
    if (this.end - this.position > MAX_MARKUP)
      throw workbookProblems.damaged('its XML holds a tag that never ends')
    return XmlToken.More
  }

  private skipPast(mark: Uint8Array, offset: number): boolean {
    const at = indexOfBytes(this.bytes, mark, this.position + offset, this.end)
    if (at < 0) this.cut()
    else this.position = at + mark.length
    return at >= 0
  }

  private startsWith(mark: Uint8Array): boolean {
    return beginsAt(this.bytes, this.position, mark, this.end)
  }

  private equals(start: number, end: number, name: string): boolean {
    if (end - start !== name.length) return false
    for (let index = 0; index < name.length; index++)
      if (this.bytes[start + index] !== name.charCodeAt(index)) return false
    return true
  }
}
