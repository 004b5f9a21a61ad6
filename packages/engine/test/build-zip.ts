import { crc32, deflateRawSync } from 'node:zlib'

/** How an archive departs from the plainest one. */
export type ZipOddities = {
  /** Bytes put in front of the archive; offsets do not count them. */
  junkInFront?: number
  /** Sizes behind the data instead of in the local header. */
  dataDescriptors?: boolean
  /** 64-bit sizes and offsets in the directory, and a zip64 end record. */
  zip64?: boolean
  /** `xl\workbook.xml` for `xl/workbook.xml`. */
  backslashes?: boolean
  leadingSlash?: boolean
  upperCase?: boolean
  stored?: boolean
  /** General purpose flags to set. */
  flags?: number
  method?: number
  /** Both sizes that headers state, whatever the data. */
  statedSize?: number
  /** The second entry's header is said to stand where the first one's does. */
  overlap?: boolean
  /** Of the archive. */
  comment?: string
}

/** A ZIP archive of the given parts, in the given order, as oddly made as asked for. */
export function buildZip(
  parts: readonly (readonly [name: string, content: string | Uint8Array])[],
  odd: ZipOddities = {},
): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [index, [name, content]] of parts.entries()) {
    const plain = Buffer.from(content as string)
    const packed = odd.stored ? plain : deflateRawSync(plain)
    const entry = {
      name: Buffer.from(spelled(name, odd)),
      plain,
      packed,
      offset: odd.overlap && index === 1 ? 0 : offset,
    }
    const local = Buffer.concat([
      localHeader(entry, odd),
      entry.name,
      packed,
      odd.dataDescriptors ? descriptor(entry) : Buffer.alloc(0),
    ])
    locals.push(local)
    directory.push(directoryEntry(entry, odd))
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const junk = Buffer.alloc(odd.junkInFront ?? 0, 'PK junk ')
  return new Uint8Array(
    Buffer.concat([junk, ...locals, central, ends(parts.length, central.length, offset, odd)]),
  )
}

type Entry = { name: Buffer; plain: Buffer; packed: Buffer; offset: number }

function spelled(name: string, odd: ZipOddities): string {
  const slashed = odd.backslashes ? name.replaceAll('/', '\\') : name
  return (odd.leadingSlash ? '/' : '') + (odd.upperCase ? slashed.toUpperCase() : slashed)
}

function localHeader({ name, plain, packed }: Entry, odd: ZipOddities): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE((odd.flags ?? 0) | (odd.dataDescriptors ? 8 : 0), 6)
  header.writeUInt16LE(odd.method ?? (odd.stored ? 0 : 8), 8)
  if (!odd.dataDescriptors) {
    header.writeUInt32LE(crc32(plain), 14)
    header.writeUInt32LE(packed.length, 18)
    header.writeUInt32LE(odd.statedSize ?? plain.length, 22)
  }
  header.writeUInt16LE(name.length, 26)
  return header
}

function descriptor({ plain, packed }: Entry): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(crc32(plain), 4)
  record.writeUInt32LE(packed.length, 8)
  record.writeUInt32LE(plain.length, 12)
  return record
}

function directoryEntry({ name, plain, packed, offset }: Entry, odd: ZipOddities): Buffer {
  const header = Buffer.alloc(46)
  const extra = Buffer.alloc(odd.zip64 ? 28 : 0)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((odd.flags ?? 0) | (odd.dataDescriptors ? 8 : 0), 8)
  header.writeUInt16LE(odd.method ?? (odd.stored ? 0 : 8), 10)
  header.writeUInt32LE(crc32(plain), 16)
  header.writeUInt32LE(odd.zip64 ? 0xffffffff : packed.length, 20)
  header.writeUInt32LE(odd.zip64 ? 0xffffffff : (odd.statedSize ?? plain.length), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(odd.zip64 ? 0xffffffff : offset, 42)
  if (odd.zip64) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    extra.writeBigUInt64LE(BigInt(plain.length), 4)
    extra.writeBigUInt64LE(BigInt(packed.length), 12)
    extra.writeBigUInt64LE(BigInt(offset), 20)
  }
  return Buffer.concat([header, name, extra])
}

function ends(count: number, size: number, offset: number, odd: ZipOddities): Buffer {
  const comment = Buffer.from(odd.comment ?? '', 'latin1')
  const end = Buffer.concat([Buffer.alloc(22), comment])
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(odd.zip64 ? 0xffffffff : size, 12)
  end.writeUInt32LE(odd.zip64 ? 0xffffffff : offset, 16)
  end.writeUInt16LE(comment.length, 20)
  if (!odd.zip64) return end
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}
