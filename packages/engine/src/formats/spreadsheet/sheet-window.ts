import { LESS_THAN } from '#formats/byte-names.ts'
import type { Platform } from '#platform.ts'
import { endOfWholeCharacters } from '#formats/encoding.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'

const FIRST_CAPACITY = 1024 * 1024
/** One cell, or one tag, must fit: 32,767 characters as entities are some 400 kB. In bytes. */
const MAX_CAPACITY = 16 * 1024 * 1024

/**
 * The part of a stream that is in memory: what the last chunk brought and what was cut at the end of the one
 * before. Behind the data stand sentinels that end any cell.
 */
export class SheetWindow {
  bytes = new Uint8Array(FIRST_CAPACITY)
  /** Where the data ends. */
  end = 0
  private readonly platform: Platform
  private checked = 0

  constructor(platform: Platform) {
    this.platform = platform
  }

  /** Drops what was consumed, up to `position`, and adds a chunk. Throws where the bytes are no UTF-8. */
  append(chunk: Uint8Array, position: number): void {
    const rest = this.end - position
    if (rest + chunk.length + SENTINEL_BYTES > this.bytes.length)
      this.grow(position, rest + chunk.length + SENTINEL_BYTES)
    else this.bytes.copyWithin(0, position, this.end)
    this.checked -= position
    this.bytes.set(chunk, rest)
    this.end = rest + chunk.length
    this.bytes.fill(LESS_THAN, this.end, this.end + SENTINEL_BYTES)
    this.checkText(endOfWholeCharacters(this.bytes, this.end))
  }

  /** The stream has ended. */
  close(): void {
    this.checkText(this.end)
  }

  private grow(position: number, needed: number): void {
    if (needed > MAX_CAPACITY) throw workbookProblems.damaged('its XML holds a cell that never ends')
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes.subarray(position, this.end))
    this.bytes = larger
  }

  private checkText(end: number): void {
    if (!this.platform.isUtf8(this.bytes.subarray(this.checked, end)))
      throw workbookProblems.damaged('its sheet holds bytes that are no text')
    this.checked = end
  }
}
