import { LESS_THAN } from '#formats/byte-names.ts'
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

/** Offsets are kept in 32 bits. */
const MAX_BYTES = 0xffff_ffff
/** The most bytes of one string with all its runs, the same as of a cell (see `XmlWindow`). */
const MAX_ITEM = 16 * 1024 * 1024
/** More have no room in the memory of a kernel. */
const MOST_KERNEL_BYTES = 2 ** 30
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

/** What the kernel exports for shared strings. */
export type StringsKernel = {
  readonly memory: WebAssembly.Memory
  readonly stringCount: WebAssembly.Global<'i32'>
  readonly stringsEnd: WebAssembly.Global<'i32'>
  prepareStrings(bytes: number, most: number): number
  findStrings(from: number, longest: number): number
}

/**
 * The shared strings, one behind the other, and the offset of each. A plain text is as in the XML and ends at
 * a `<`, so that the fast path can check its bytes. Any other (rich text, CDATA, prefixed tags, a long or an
 * empty one) was resolved when the table was read: `<`, UTF-8, NUL. So an offset that points at `<` means:
 * call `text`.
 */
export class SharedStrings {
  count = 0
  /** It has the strings in its memory; null where it cannot run. */
  kernel: StringsKernel | null
  /** To be called when the memory of the kernel has grown. */
  renew!: () => void
  protected bytes!: Uint8Array
  protected offsets!: Uint32Array
  protected readonly platform: Platform
  private readonly longTexts = new Map<number, string>()
  private remembered = 0

  constructor(platform: Platform, kernel: StringsKernel | null) {
    this.platform = platform
    this.kernel = kernel
    this.allocate(SENTINEL_BYTES, 0)
  }

  /** Memory that is not written to costs nothing; a copy would need it twice. */
  protected allocate(size: number, most: number): void {
    if (size > MOST_KERNEL_BYTES) this.kernel = null
    const { kernel } = this
    const start = kernel?.prepareStrings(size, most) ?? 0
    const own = new ArrayBuffer(kernel === null ? most * 4 + size : 0)
    this.renew = () => {
      const buffer = kernel?.memory.buffer ?? own
      this.offsets = new Uint32Array(buffer, start, most)
      this.bytes = new Uint8Array(buffer, start + most * 4, size)
    }
    this.renew()
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
    const start = offset + 1
    return resolveCharacterEscapes(platform.decodeUtf8(bytes, start, bytes.indexOf(0, start)))
  }
}

/** Throws `FileProblemError` for what is damaged or too large. Without the part there are no strings. */
export async function readSharedStrings(
  archive: ZipArchive,
  entry: ZipEntry | undefined,
  kernel: StringsKernel | null,
): Promise<SharedStrings> {
  const table = new SharedStringTable(archive, kernel)
  if (entry === undefined) return table
  const onData = (end: number) => table.readOn(end)
  const { length } = await readPart(archive, entry, MAX_BYTES, onData, (size) => table.roomFor(size))
  return table.finish(length)
}

/**
 * Reads plain items by the kernel, others by tokens, while more is unpacked. A cut item is read again. Texts
 * take the place of XML that was read, which is never shorter, so less memory is ever written to.
 */
class SharedStringTable extends SharedStrings {
  private readonly tokens: XmlTokens
  private readonly maxCount: number
  private textsEnd = 0
  /** Bytes needed before a cut item is tried again: twice the last try, or a long one is read too often. */
  private needed = 0
  /** Up to where bytes were checked to be UTF-8: always before reading them, which may overwrite them. */
  private checked = 0

  constructor({ platform, limits }: ZipArchive, kernel: StringsKernel | null) {
    super(platform, kernel)
    this.maxCount = Math.floor(limits.maxUnpackedBytes / LEAST_BYTES_EACH)
    this.tokens = new XmlTokens(platform, this.bytes)
  }

  roomFor(size: number): Uint8Array {
    this.allocate(size + SENTINEL_BYTES, Math.min(Math.ceil(size / SHORTEST_ITEM), this.maxCount))
    return (this.tokens.bytes = this.bytes)
  }

  /** Reads the items that are whole before `end`, and moves the rest behind the texts. Returns its end. */
  readOn(end: number): number {
    if (end < this.needed) return end
    this.checkText(endOfWholeCharacters(this.bytes, end))
    this.readItems(end)
    const { tokens, textsEnd } = this
    const rest = end - tokens.position
    this.checkSize(tokens.position, end)
    this.bytes.copyWithin(textsEnd, tokens.position, end)
    this.checked -= tokens.position - textsEnd
    tokens.position = textsEnd
    this.needed = textsEnd + Math.min(2 * rest, MAX_ITEM + 1)
    return textsEnd + rest
  }

  /** No more bytes follow. */
  finish(end: number): SharedStrings {
    this.checkText(end)
    if (!this.readItems(end)) throw workbookProblems.damaged('its shared strings are cut off')
    if (this.kernel !== null) this.kernel.stringCount.value = this.count
    return this
  }

  private checkText(end: number): void {
    if (!this.platform.isUtf8(this.bytes.subarray(this.checked, end)))
      throw workbookProblems.damaged('its shared strings hold bytes that are not text')
    this.checked = end
  }

  /** false if an item is cut. */
  private readItems(end: number): boolean {
    const { tokens } = this
    this.bytes.fill(LESS_THAN, end, end + SENTINEL_BYTES)
    tokens.end = end
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
    const { kernel } = this
    if (kernel === null) return from
    kernel.stringCount.value = this.count
    kernel.stringsEnd.value = this.textsEnd
    const end = kernel.findStrings(from, LONG_TEXT)
    this.count = kernel.stringCount.value
    this.textsEnd = kernel.stringsEnd.value
    return end
  }

  /** Adds the text of the item `[start, end)`, which is always shorter, also with what is around it. */
  private resolved(start: number, end: number, text: string): void {
    if (this.count === this.maxCount)
      throw workbookProblems.damaged('its shared strings are more than its cells can refer to')
    const { bytes } = this
    this.offsets[this.count++] = this.textsEnd
    bytes[this.textsEnd++] = LESS_THAN
    // There may be millions of empty ones.
    if (text !== '') {
      const encoded = this.platform.encodeUtf8(text)
      if (encoded.length + 2 > end - start) throw workbookProblems.damaged('its shared strings are malformed')
      bytes.set(encoded, this.textsEnd)
      this.textsEnd += encoded.length
    }
    bytes[this.textsEnd++] = 0
  }
}
