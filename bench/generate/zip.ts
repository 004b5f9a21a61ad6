import { writeFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

const VERSION = 20
const DEFLATED = 8
/** 1 January 1980, so that equal parts make equal files. */
const FIRST_DOS_DATE = 0x21

/** Writes a ZIP archive of parts that are held in memory, deflated at the level Excel uses. */
export function writeZip(path: string, parts: readonly (readonly [name: string, content: Buffer])[]): void {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const nameBytes = Buffer.from(name)
    const deflated = deflateRawSync(content, { level: 6 })
    const header = localHeader(nameBytes, content, deflated)
    bodies.push(header, nameBytes, deflated)
    directory.push(directoryEntry(header, offset), nameBytes)
    offset += header.length + nameBytes.length + deflated.length
  }
  writeFileSync(
    path,
    Buffer.concat([...bodies, ...directory, endOfDirectory(parts.length, byteLength(directory), offset)]),
  )
}

function localHeader(name: Buffer, content: Buffer, deflated: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(DEFLATED, 8)
  header.writeUInt16LE(FIRST_DOS_DATE, 12)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(deflated.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return header
}

/** The directory repeats the local header from its version on. */
function directoryEntry(header: Buffer, offset: number): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  header.copy(entry, 6, 4, 30)
  entry.writeUInt32LE(offset, 42)
  return entry
}

function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

const byteLength = (buffers: readonly Buffer[]): number =>
  buffers.reduce((sum, { length }) => sum + length, 0)
