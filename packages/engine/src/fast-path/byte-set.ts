import type { Platform } from '#platform.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Texts that are looked up by their bytes: each has a number, in the order in which they were added. */
export class ByteSet {
  /** In the order in which they were added. */
  readonly texts: Uint8Array[] = []
  #slots = new Int32Array(8)

  get size(): number {
    return this.texts.length
  }

  /** The number of a text, which is added if it is new. */
  add(text: Uint8Array): number {
    const known = this.find(text, 0, text.length)
    if (known >= 0) return known
    this.texts.push(text)
    if (this.texts.length * 2 > this.#slots.length) this.#grow()
    else this.#slots[this.#slotOf(text, 0, text.length)] = this.texts.length
    return this.texts.length - 1
  }

  /** The number of the text `[from, to)`; -1 if it is not here. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.#slots[this.#slotOf(bytes, from, to)] - 1
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (const [index, text] of this.texts.entries())
      this.#slots[this.#slotOf(text, 0, text.length)] = index + 1
  }

  /** The slot of the text, or the free one where it would be. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let hash = FNV_OFFSET
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], FNV_PRIME)
    let slot = (hash ^ (hash >>> 15)) & mask
    while (slots[slot] !== 0 && !isEqual(this.texts[slots[slot] - 1], bytes, from, to))
      slot = (slot + 1) & mask
    return slot
  }
}

export function isEqual(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let index = 0; index < text.length; index++) if (text[index] !== bytes[from + index]) return false
  return true
}

export function byteSet(texts: readonly string[], { encodeUtf8 }: Pick<Platform, 'encodeUtf8'>): ByteSet {
  const set = new ByteSet()
  for (const text of texts) set.add(encodeUtf8(text))
  return set
}
