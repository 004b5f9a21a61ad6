import * as byteNames from '#formats/byte-names.ts'
import { freeMemory } from '#formats/bytes.ts'
import { endOfWholeCharacters } from '#formats/encoding.ts'
import { readPart } from '#formats/spreadsheet/read-part.ts'
import { readRichText } from '#formats/spreadsheet/read-rich-text.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { decodeXmlText, resolveCharacterEscapes } from '#formats/xml/xml-text.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'
import type { Platform } from '#platform.ts'

const { GREATER_THAN, LESS_THAN, SLASH, SPACE } = byteNames
// Tags as numbers, the first byte first; the `>` of the text's own tag and of the last one is missing.
const ITEM = 0x3c73693e // <si>
const TEXT = 0x3c74 // <t
const TEXT_END = 0x3c2f743e // </t>
const ITEM_END = 0x3c2f7369 // </si

/** Follows the `<` of an item whose text was resolved in place. XML cannot hold this character. */
const RESOLVED = 0x01
/** Offsets are kept in 32 bits. */
const MAX_BYTES = 0xffff_ffff
/** The most bytes of one string with all its runs, the same as of a cell (see `XmlWindow`). */
const MAX_ITEM = 16 * 1024 * 1024
/** `<si/>` */
const SHORTEST_ITEM = 5
/**
 * The fewest bytes of a string on average: `<si><t>a</t></si>` has 17, a cell that refers to it 21 or more.
 * With shorter ones, some are blank strings that no cell can refer to.
 */
const LEAST_BYTES_EACH = 24

/**
 * From this length on (bytes or characters), a text and its result are remembered (see `RowValidator`): a
 * million cells of a file of a few hundred kB may refer to one string of 32,767 characters.
 */
export const LONG_TEXT = 1024
/** Characters of long texts that are remembered; the first texts stay. */
const MAX_REMEMBERED = 8 * 1024 * 1024

/**
 * The shared strings in place: the unpacked XML and the offset of each text. A plain text ends at a `<`, so
 * that the fast path can check its bytes. Any other (rich text, CDATA, prefixed tags, a long one) was
 * resolved when the table was read. Its text overwrote its XML, which is never shorter: `<`, RESOLVED, UTF-8,
 * NUL. So an offset that points at `<`, also of a blank string, means: call `text`.
 */
export class SharedStrings {
  /** Sentinels follow the XML. */
  bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly count: number
  /** WebAssembly frees its memory itself. */
  #isMoved = false
  private readonly platform: Platform
  private readonly longTexts = new Map<number, string>()
  private remembered = 0

  constructor(platform: Platform, bytes: Uint8Array, offsets: Uint32Array, count: number) {
    this.platform = platform
    this.bytes = bytes
    this.offsets = offsets
    this.count = count
  }

  /** Moves the XML to memory of WebAssembly. Its own would wait for the garbage collector. */
  moveTo(bytes: Uint8Array): void {
    bytes.set(this.bytes)
    if (!this.#isMoved) freeMemory(this.bytes)
    this.#isMoved = true
    this.bytes = bytes
  }

  /** Throws `FileProblemError` for an index beyond the table. */
  text(index: number): string {
    const known = this.longTexts.get(index)
    if (known !== undefined) return known
    const text = this.read(index)
    if (text.length >= LONG_TEXT && (this.remembered += text.length) <= MAX_REMEMBERED)
      this.longTexts.set(index, text)
    return text
  }

  private read(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index >= this.count)
      throw workbookProblems.damaged(`a cell refers to the shared string ${index}, which is not there`)
    const { bytes, platform } = this
    const offset = this.offsets[index]
    if (bytes[offset] !== LESS_THAN)
      return resolveCharacterEscapes(decodeXmlText(platform, bytes, offset, bytes.indexOf(LESS_THAN, offset)))
    if (bytes[offset + 1] !== RESOLVED) return ''
    const start = offset + 2
    return resolveCharacterEscapes(platform.decodeUtf8(bytes, start, bytes.indexOf(0, start)))
  }
}

/** Throws `FileProblemError` for what is damaged or too large. Without the part there are no strings. */
export async function readSharedStrings(
  archive: ZipArchive,
  entry: ZipEntry | undefined,
): Promise<SharedStrings> {
  const { platform } = archive
  if (entry === undefined)
    return new SharedStrings(platform, new Uint8Array(SENTINEL_BYTES).fill(LESS_THAN), new Uint32Array(0), 0)
  const table = new SharedStringTable(
    platform,
    Math.floor(archive.limits.maxUnpackedBytes / LEAST_BYTES_EACH),
  )
  const data = await readPart(archive, entry, MAX_BYTES, SENTINEL_BYTES, (bytes, end) =>
    table.readOn(bytes, end),
  )
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length + SENTINEL_BYTES)
  return table.finish(bytes, data.length)
}

/** Reads plain items by a fast walk, others by tokens, while more is unpacked. A cut item is read again. */
class SharedStringTable {
  private readonly platform: Platform
  private readonly tokens: XmlTokens
  private bytes: Uint8Array = new Uint8Array(0)
  private readonly maxCount: number
  private offsets = new Uint32Array(0)
  private count = 0
  /** Bytes needed before a cut item is tried again: twice the last try, or a long one is read too often. */
  private needed = 0
  /** Up to where bytes were checked to be UTF-8: always before reading them, which may overwrite them. */
  private checked = 0

  constructor(platform: Platform, maxCount: number) {
    this.platform = platform
    this.maxCount = maxCount
    this.tokens = new XmlTokens(platform, this.bytes)
  }

  /** Reads the items that are whole in `[0, end)`, and writes sentinels after it. */
  readOn(bytes: Uint8Array, end: number): void {
    if (end < this.needed) return
    this.checkText(bytes, endOfWholeCharacters(bytes, end))
    this.read(bytes, end)
    const { position } = this.tokens
    this.checkSize(position, end)
    this.needed = Math.min(end + (end - position), position + MAX_ITEM + 1)
  }

  /** No more bytes follow. */
  finish(bytes: Uint8Array, end: number): SharedStrings {
    this.checkText(bytes, end)
    if (!this.read(bytes, end)) throw workbookProblems.damaged('its shared strings are cut off')
    return new SharedStrings(this.platform, bytes, this.offsets.subarray(0, this.count), this.count)
  }

  private checkText(bytes: Uint8Array, end: number): void {
    if (!this.platform.isUtf8(bytes.subarray(this.checked, end))) {
      throw workbookProblems.damaged('its shared strings hold bytes that are not text')
    }
    this.checked = end
  }

  /** false if an item is cut. */
  private read(bytes: Uint8Array, end: number): boolean {
    const { tokens } = this
    bytes.fill(LESS_THAN, end, end + SENTINEL_BYTES)
    this.bytes = tokens.bytes = bytes
    tokens.end = end
    // The largest possible size. Memory that is not written to costs nothing; a copy would need it twice.
    if (this.offsets.length === 0)
      this.offsets = new Uint32Array(Math.min(Math.ceil(bytes.length / SHORTEST_ITEM), this.maxCount))
    for (;;) {
      tokens.position = this.plainItems(tokens.position)
      const token = tokens.next()
      if (token === XmlToken.More) return true
      if (!tokens.nameIs('si')) continue
      if (token === XmlToken.Empty) this.resolved(tokens.start, tokens.position, '')
      else if (token === XmlToken.Open) {
        const { start } = tokens
        const text = readRichText(tokens, 'si')
        if (text === null) {
          tokens.position = start
          return false
        }
        this.checkSize(start, tokens.position)
        this.resolved(start, tokens.position, text)
      }
    }
  }

  /** Throws if an item, whole or cut, is too long. */
  private checkSize(start: number, end: number): void {
    if (end - start > MAX_ITEM)
      throw workbookProblems.damaged('one of its shared strings is longer than a cell can be')
  }

  /** Reads `<si><t>text</t></si>` items; returns where something else begins, or a long text. */
  private plainItems(from: number): number {
    const { bytes } = this
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let item = from; ;) {
      if (words.getUint32(item) !== ITEM || words.getUint16(item + 4) !== TEXT) return item
      let at = item + 6
      if (bytes[at] === SPACE)
        while (bytes[at] !== GREATER_THAN && bytes[at] !== LESS_THAN && bytes[at] !== SLASH) at++
      if (bytes[at] !== GREATER_THAN) return item
      const text = ++at
      while (bytes[at] !== LESS_THAN) at++
      if (at - text >= LONG_TEXT || words.getUint32(at) !== TEXT_END) return item
      if (words.getUint32(at + 4) !== ITEM_END || bytes[at + 8] !== GREATER_THAN) return item
      this.add(text)
      item = at + 9
    }
  }

  /** Overwrites the item's XML with its text, which is always shorter, RESOLVED and NUL included. */
  private resolved(start: number, end: number, text: string): void {
    if (text !== '') {
      const { bytes } = this
      const from = start + 2
      const encoded = this.platform.encodeUtf8(text)
      const textEnd = from + encoded.length
      if (textEnd >= end) throw workbookProblems.damaged('its shared strings are malformed')
      bytes[start + 1] = RESOLVED
      bytes.set(encoded, from)
      bytes[textEnd] = 0
    }
    this.add(start)
  }

  private add(offset: number): void {
    if (this.count === this.maxCount)
      throw workbookProblems.damaged('its shared strings are more than its cells can refer to')
    this.offsets[this.count++] = offset
  }
}
