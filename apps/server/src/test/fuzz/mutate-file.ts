import { unzipSync, zipSync } from 'fflate'
import type { Random } from '#test/fuzz/random.ts'

/** Bytes of markup and numbers that change what a file means. */
const PIECES = [
  '<f>1</f>',
  '<!DOCTYPE x>',
  '</row>',
  '<c r="ZZZZ9"/>',
  '<row r="0">',
  '&x;',
  '\0',
  '\ufeff',
  '"',
  ',',
  '\r',
  '"",""\n',
  ' t="s"',
  'Target="http://x"',
  'TargetMode="External"',
  '9'.repeat(400),
  'é',
  '-1',
  '<![CDATA[',
  '<!--',
].map((text) => Buffer.from(text))

/** Changes some bytes of a file; in a workbook, also bytes of its unpacked parts. */
export function mutateFile(bytes: Uint8Array, random: Random): Uint8Array {
  const isWorkbook = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (isWorkbook && random.isLikely(0.6)) return mutateParts(bytes, random)
  let changed: Uint8Array = bytes
  for (let count = 1 + random.below(3); count > 0; count--) changed = mutateBytes(changed, random)
  return changed
}

function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + 1 + random.below(64))
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(end)]
  switch (random.below(7)) {
    case 0:
    case 1: {
      const flipped = Uint8Array.from(bytes)
      for (let count = 1 + random.below(8); count > 0 && flipped.length > 0; count--)
        flipped[random.below(flipped.length)] ^= 1 << random.below(8)
      return flipped
    }
    case 2:
      return head
    case 3:
      return Buffer.concat([head, tail])
    case 4:
      return Buffer.concat([head, bytes.subarray(at, end), bytes.subarray(at, end), tail])
    case 5:
      return Buffer.concat([head, random.oneOf(PIECES), bytes.subarray(at)])
    default:
      return Buffer.concat([
        head,
        Buffer.from([0xff, 0xfe, 0, 0xd8].slice(random.below(4))),
        bytes.subarray(at),
      ])
  }
}

/** Keeps the archive valid, so that the code that reads its parts is reached. */
function mutateParts(bytes: Uint8Array, random: Random): Uint8Array {
  const parts = unzipSync(bytes)
  const names = Object.keys(parts)
  for (let count = 1 + random.below(2); count > 0; count--) {
    const name = random.oneOf(names)
    switch (random.below(6)) {
      case 0:
        delete parts[name]
        break
      case 1:
        parts[random.oneOf(['xl/workbook.xml', 'x.vml', '../x', name.toUpperCase(), '_rels/.rels'])] =
          parts[name] ?? new Uint8Array()
        break
      default:
        if (parts[name] !== undefined) parts[name] = Uint8Array.from(mutateBytes(parts[name], random))
    }
  }
  return zipSync(parts, { level: 1, mtime: new Date('2024-01-01T00:00:00Z') })
}
