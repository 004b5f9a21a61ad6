import { ByteKind, type ByteKinds, isSuspect } from '#formats/byte-kinds.ts'
import { type ByteAccept, type FastPath, NOT_SURE } from '#fast-path/fast-path.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const EMPTY = -1

/**
 * The fast path of a long list: one pass hashes the cell (FNV-1a) while it searches its end, then one option
 * is compared byte for byte. The table uses open addressing and is at most half full.
 */
export function hashedPath(options: readonly Uint8Array[], kinds: ByteKinds, required: boolean): FastPath {
  const mask = 2 ** Math.ceil(Math.log2(options.length * 2 + 1)) - 1
  const slots = new Int32Array(mask + 1).fill(EMPTY)
  for (const [index, option] of options.entries()) {
    let slot = hashOf(option) & mask
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
    slots[slot] = index
  }
  const accept: ByteAccept = (bytes, position) => {
    let hash = FNV_OFFSET
    let at = position
    for (let kind = kinds[bytes[at]]; kind !== ByteKind.End; kind = kinds[bytes[++at]]) {
      if (kind === ByteKind.Unsure || (kind === ByteKind.Suspect && isSuspect(bytes, at))) return NOT_SURE
      hash = Math.imul(hash ^ bytes[at], FNV_PRIME)
    }
    if (at === position) return required ? ~at : at
    for (let slot = hash & mask; slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      if (isEqual(options[slots[slot]], bytes, position, at)) return at
    }
    return ~at
  }
  return { accept, reject: () => null }
}

function hashOf(option: Uint8Array): number {
  let hash = FNV_OFFSET
  for (const byte of option) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return hash
}

function isEqual(option: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (option.length !== end - start) return false
  for (let index = 0; index < option.length; index++) if (option[index] !== bytes[start + index]) return false
  return true
}
