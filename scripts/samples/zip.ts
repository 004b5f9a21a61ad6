import { crc32, deflateRawSync } from 'node:zlib'

/** Bytes 10 to 13 of an entry: 1 January 2026, so that the same parts always give the same bytes. */
const DAY_2026 = ((2026 - 1980) << 9) | (1 << 5) | 1

/** A zip archive of texts, in the order given (PKWARE APPNOTE, without zip64: small files only). */
export function zip(parts: Readonly<Record<string, string>>): Buffer {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(parts)) {
    const name = Buffer.from(path)
    const content = Buffer.from(text)
    const packed = deflateRawSync(content, { level: 9 })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(DAY_2026, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const entry = Buffer.concat([signature(0x04034b50), common, name, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, tail, name]))
    entries.push(entry)
    offset += entry.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...entries, ...directory, signature(0x06054b50), end])
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
