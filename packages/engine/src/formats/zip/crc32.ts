import type { Platform } from '#platform.ts'

const POLYNOMIAL = 0xedb88320
const SLICES = 8

/** Eight tables, so that eight bytes are taken per step ("slicing by 8", Intel 2006). */
const tables: readonly Int32Array[] = buildTables()

/**
 * CRC-32 of ZIP (ISO 3309) of `bytes`, going on from `seed`; an unsigned integer. By the platform where it
 * has one.
 */
export function crc32(platform: Pick<Platform, 'crc32'>, bytes: Uint8Array, seed = 0): number {
  return platform.crc32 ? platform.crc32(bytes, seed) : portableCrc32(bytes, seed)
}

/** The same in plain JavaScript, for platforms without one. */
export function portableCrc32(bytes: Uint8Array, seed = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables
  let crc = ~seed
  let at = 0
  for (const end = bytes.length - (bytes.length % SLICES); at < end; at += SLICES) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    crc =
      t7[crc & 255] ^
      t6[(crc >>> 8) & 255] ^
      t5[(crc >>> 16) & 255] ^
      t4[crc >>> 24] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]]
  }
  for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]) & 255] ^ (crc >>> 8)
  return ~crc >>> 0
}

function buildTables(): Int32Array[] {
  const first = new Int32Array(256).map((_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? POLYNOMIAL ^ (crc >>> 1) : crc >>> 1
    return crc
  })
  const built = [first]
  for (let slice = 1; slice < SLICES; slice++) {
    const previous = built[slice - 1]
    built.push(previous.map((crc) => first[crc & 255] ^ (crc >>> 8)))
  }
  return built
}
