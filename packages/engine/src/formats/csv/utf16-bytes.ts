import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { ByteSource } from '#byte-source.ts'
import { CARRIAGE_RETURN, LINE_FEED } from '#formats/byte-names.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { isHighSurrogate, utf16Text } from '#formats/encoding.ts'
import type { Platform } from '#platform.ts'

const UNITS_PER_READ = 1 << 15
/**
 * A surrogate without its other half, with which it would be one character; else the end. With
 * `\p{Surrogate}` it takes V8 0.3 ms to load this module.
 */
const BROKEN = /[\uD800-\uDFFF]|$/u

/** UTF-16 with a byte order mark → UTF-8, transcoded while it is read. Refuses unpaired surrogates. */
export class Utf16Bytes implements TextBytes {
  readonly #source: ByteSource
  readonly #platform: Pick<Platform, 'encodeUtf8'>
  readonly #littleEndian: boolean
  readonly #raw = new Uint8Array(UNITS_PER_READ * 2)
  /** The position in the file. The text begins after the byte order mark. */
  #position = 2
  #line = 1
  #endsWithReturn = false
  /** Transcoded bytes that were not returned yet. */
  #ready = new Uint8Array(0)

  constructor(source: ByteSource, platform: Pick<Platform, 'encodeUtf8'>, littleEndian: boolean) {
    this.#source = source
    this.#platform = platform
    this.#littleEndian = littleEndian
  }

  async read(into: Uint8Array): Promise<number> {
    let filled = 0
    // Fills `into` completely, because after a short read the caller would read its cut record again.
    while (filled < into.length) {
      if (this.#ready.length === 0) this.#ready = await this.#transcode()
      if (this.#ready.length === 0) break
      const taken = this.#ready.subarray(0, into.length - filled)
      into.set(taken, filled)
      filled += taken.length
      this.#ready = this.#ready.subarray(taken.length)
    }
    return filled
  }

  async #transcode(): Promise<Uint8Array<ArrayBuffer>> {
    const count = await this.#source.read(this.#raw, this.#position)
    const isLast = this.#position + count >= this.#source.size
    if (count === 0) return new Uint8Array(0)
    let text = utf16Text(this.#raw.subarray(0, count), this.#littleEndian)
    // If the end of the read splits a surrogate pair, the pair is left for the next read.
    if (!isLast && isHighSurrogate(text.charCodeAt(text.length - 1))) text = text.slice(0, -1)
    // Not a `NotUtf8Error`, after which it is asked in which code page the file may be.
    if (!text.isWellFormed() || (isLast && count % 2 === 1)) {
      const line = this.#line + linesIn(text.slice(0, text.search(BROKEN)))
      throw new FileProblemError(ErrorType.Unreadable, fileProblemMessages.brokenUtf16(line))
    }
    this.#position += text.length * 2
    this.#countLines(text)
    return new Uint8Array(this.#platform.encodeUtf8(text))
  }

  #countLines(text: string): void {
    this.#line += linesIn(text)
    if (this.#endsWithReturn && text.charCodeAt(0) === LINE_FEED) this.#line--
    this.#endsWithReturn = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN
  }
}

const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0
