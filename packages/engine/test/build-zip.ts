import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate'

/** How an archive differs from the plainest one. */
export type ZipOddities = {
  /** Bytes put in front of the archive; offsets do not count them. */
  junkInFront?: number
  /** Sizes after the data instead of in the local header. */
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
  /** The unpacked size that headers state, whatever the data. */
  statedSize?: number
  /** The directory states the offset of the first part for the second one, too. */
  overlap?: boolean
  /** The comment of the archive, in Latin-1. */
  comment?: string
}

type Files = readonly (readonly [name: string, bytes: Uint8Array])[]

const END_SIZE = 22
const NOT_IN_32_BITS = 0xffffffff
/** fflate takes the day in local time; by default it is today. */
const FIRST_DAY = new Date(1980, 0, 1)
/** Room for size, packed size and offset in the zip64 extra field, whose id is 1. */
const ZIP64_EXTRA = { 1: new Uint8Array(24) }

/** A ZIP archive of the given parts, in the given order, with the given oddities patched into it. */
export function buildZip(
  parts: readonly (readonly [name: string, content: string | Uint8Array])[],
  odd: ZipOddities = {},
): Uint8Array {
  const files = parts.map(
    ([name, content]) =>
      [spelled(name, odd), typeof content === 'string' ? strToU8(content) : content] as const,
  )
  const zip = odd.dataDescriptors ? streamed(files) : Buffer.from(zipped(files, odd))
  for (const header of headersOf(zip)) patchHeader(zip, header, odd)
  const junk = Buffer.alloc(odd.junkInFront ?? 0, 'PK junk ')
  return new Uint8Array(Buffer.concat([junk, withEnd(zip, odd)]))
}

function spelled(name: string, odd: ZipOddities): string {
  const slashed = odd.backslashes ? name.replaceAll('/', '\\') : name
  return (odd.leadingSlash ? '/' : '') + (odd.upperCase ? slashed.toUpperCase() : slashed)
}

const zipped = (files: Files, { stored, zip64 }: ZipOddities): Uint8Array =>
  zipSync(Object.fromEntries(files), {
    level: stored ? 0 : 1,
    mtime: FIRST_DAY,
    extra: zip64 ? ZIP64_EXTRA : {},
  })

function streamed(files: Files): Buffer {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
  })
  for (const [name, bytes] of files) {
    const file = new ZipDeflate(name)
    file.mtime = FIRST_DAY
    zip.add(file)
    file.push(bytes, true)
  }
  zip.end()
  return Buffer.concat(chunks)
}

/** The offsets of the two headers of a part. */
type Headers = { readonly index: number; readonly central: number; readonly local: number }

function headersOf(zip: Buffer): Headers[] {
  const end = zip.length - END_SIZE
  let next = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, (_, index) => {
    const central = next
    next += 46 + [28, 30, 32].reduce((sum, at) => sum + zip.readUInt16LE(central + at), 0)
    return { index, central, local: zip.readUInt32LE(central + 42) }
  })
}

function patchHeader(zip: Buffer, { index, central, local }: Headers, odd: ZipOddities): void {
  const flags = zip.readUInt16LE(central + 8) | (odd.flags ?? 0)
  zip.writeUInt16LE(flags, central + 8)
  zip.writeUInt16LE(flags, local + 6)
  if (odd.method !== undefined) {
    zip.writeUInt16LE(odd.method, central + 10)
    zip.writeUInt16LE(odd.method, local + 8)
  }
  if (odd.statedSize !== undefined) {
    zip.writeUInt32LE(odd.statedSize, central + 24)
    zip.writeUInt32LE(odd.statedSize, local + 22)
  }
  if (odd.overlap && index === 1) zip.writeUInt32LE(0, central + 42)
  if (odd.zip64) moveToExtra(zip, central)
}

/** Moves size, packed size and offset to the zip64 extra field. */
function moveToExtra(zip: Buffer, central: number): void {
  const extra = central + 46 + zip.readUInt16LE(central + 28)
  for (const [index, at] of [24, 20, 42].entries()) {
    zip.writeBigUInt64LE(BigInt(zip.readUInt32LE(central + at)), extra + 4 + index * 8)
    zip.writeUInt32LE(NOT_IN_32_BITS, central + at)
  }
}

/** The archive with its comment, and with a zip64 end record if `zip64` is set. */
function withEnd(zip: Buffer, { comment = '', zip64 }: ZipOddities): Buffer {
  const start = zip.length - END_SIZE
  const end = Buffer.concat([zip.subarray(start), Buffer.from(comment, 'latin1')])
  end.writeUInt16LE(comment.length, 20)
  if (!zip64) return Buffer.concat([zip.subarray(0, start), end])
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(end.readUInt16LE(8)), 24)
  end64.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), 32)
  end64.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40)
  end64.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start), 8)
  locator.writeUInt32LE(1, 16)
  end.writeUInt32LE(NOT_IN_32_BITS, 12)
  end.writeUInt32LE(NOT_IN_32_BITS, 16)
  return Buffer.concat([zip.subarray(0, start), end64, locator, end])
}
