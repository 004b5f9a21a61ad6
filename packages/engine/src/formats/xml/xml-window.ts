import { LESS_THAN } from '#formats/byte-names.ts'
import { endOfWholeCharacters } from '#formats/encoding.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { Platform } from '#platform.ts'

const FIRST_CAPACITY = 1024 * 1024
/** One cell, or one tag, must fit: 32,767 characters as entities are some 400 kB. In bytes. */
const MAX_CAPACITY = 16 * 1024 * 1024

/** XML that arrives in chunks: holds the last one, and what is unread of those before. Sentinels follow. */
export class XmlWindow {
  /** Its bytes and its end are those of the window. Its position says up to where the window was read. */
  readonly tokens: XmlTokens
  private readonly platform: Platform
  /** The buffer wherever the data fit into it. */
  private readonly own: Uint8Array
  private buffer: Uint8Array
  private readonly maxCapacity: number
  private checked = 0

  constructor(
    platform: Platform,
    own: Uint8Array = new Uint8Array(FIRST_CAPACITY),
    maxCapacity = MAX_CAPACITY,
  ) {
    this.platform = platform
    this.maxCapacity = maxCapacity
    this.own = own
    this.buffer = own
    this.tokens = new XmlTokens(platform, own, 0, 0)
  }

  /** Drops what was read and adds a chunk; the position becomes 0. Throws if the bytes are not UTF-8. */
  append(chunk: Uint8Array): void {
    const { tokens } = this
    const { position, end } = tokens
    const rest = end - position
    const needed = rest + chunk.length + SENTINEL_BYTES
    const buffer = needed <= this.own.length ? this.own : this.bufferFor(needed)
    if (buffer === this.buffer) buffer.copyWithin(0, position, end)
    else buffer.set(this.buffer.subarray(position, end))
    this.buffer = buffer
    this.checked -= position
    this.buffer.set(chunk, rest)
    tokens.bytes = this.buffer
    tokens.position = 0
    tokens.end = rest + chunk.length
    this.buffer.fill(LESS_THAN, tokens.end, tokens.end + SENTINEL_BYTES)
    this.checkText(endOfWholeCharacters(this.buffer, tokens.end))
  }

  /** The stream has ended. Throws if the last bytes are not UTF-8. */
  close(): void {
    this.checkText(this.tokens.end)
  }

  private bufferFor(needed: number): Uint8Array {
    if (needed <= this.buffer.length) return this.buffer
    if (needed > this.maxCapacity) throw workbookProblems.damaged('its XML holds a cell that never ends')
    return new Uint8Array(Math.max(needed, this.buffer.length * 2))
  }

  private checkText(end: number): void {
    if (!this.platform.isUtf8(this.buffer.subarray(this.checked, end)))
      throw workbookProblems.damaged('its sheet holds bytes that are not text')
    this.checked = end
  }
}
