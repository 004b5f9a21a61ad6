import type { ByteSource } from '#byte-source.ts'
import { CARRIAGE_RETURN, LINE_FEED } from '#formats/byte-names.ts'
import { NotUtf8Error, type TextBytes } from '#formats/csv/text-bytes.ts'
import { endOfWholeCharacters } from '#formats/encoding.ts'
import type { Platform } from '#platform.ts'

/** UTF-8, checked while it is read. A character that the end of a read splits is left for the next read. */
export class Utf8Bytes implements TextBytes {
  readonly #source: ByteSource
  readonly #platform: Pick<Platform, 'isUtf8'>
  #position: number

  constructor(source: ByteSource, platform: Pick<Platform, 'isUtf8'>, position: number) {
    this.#source = source
    this.#platform = platform
    this.#position = position
  }

  read(into: Uint8Array): number | Promise<number> {
    const count = this.#source.read(into, this.#position)
    return typeof count === 'number' ? this.#take(into, count) : count.then((read) => this.#take(into, read))
  }

  #take(into: Uint8Array, count: number): number | Promise<number> {
    const isLast = this.#position + count >= this.#source.size
    const whole = isLast ? count : endOfWholeCharacters(into, count)
    const bytes = into.subarray(0, whole)
    if (!this.#platform.isUtf8(bytes)) return this.#refuse(bytes)
    this.#position += whole
    return whole
  }

  /** Finds the first line that is not UTF-8. No character contains a line end, so each is checked alone. */
  async #refuse(bytes: Uint8Array): Promise<never> {
    let start = 0
    for (let at = 0; at <= bytes.length; at++) {
      if (at < bytes.length && bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) continue
      if (!this.#platform.isUtf8(bytes.subarray(start, at))) break
      start = at + 1
    }
    throw new NotUtf8Error(await lineAt(this.#source, this.#position + start))
  }
}

/** The line, from 1, of a byte of a UTF-8 file (CR, LF and CRLF end one). Reads the file from its start. */
async function lineAt(source: ByteSource, offset: number): Promise<number> {
  const chunk = new Uint8Array(1 << 16)
  let line = 1
  let previous = 0
  for (let position = 0; position < offset;) {
    const count = Math.min(await source.read(chunk, position), offset - position)
    if (count === 0) break
    for (let at = 0; at < count; at++) {
      const byte = chunk[at]
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && previous !== CARRIAGE_RETURN)) line++
      previous = byte
    }
    position += count
  }
  return line
}
