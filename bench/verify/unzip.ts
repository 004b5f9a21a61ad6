import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

/** A part of a ZIP archive: its deflated bytes are `[start, end)` of the file. */
type ZipEntry = { name: string; start: number; end: number; isDeflated: boolean }

/** The directory of an archive that fits in memory. */
export function zipEntries(path: string): ZipEntry[] {
  return entriesOf(readFileSync(path))
}

/** Parts by name, inflated when they are asked for. */
export function unzip(path: string): (name: string) => Buffer | null {
  const file = readFileSync(path)
  const entries = new Map(entriesOf(file).map((entry) => [entry.name, entry]))
  return (name) => {
    const entry = entries.get(name)
    if (!entry) return null
    const bytes = file.subarray(entry.start, entry.end)
    return entry.isDeflated ? inflateRawSync(bytes) : bytes
  }
}

function entriesOf(file: Buffer): ZipEntry[] {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const entries: ZipEntry[] = []
  let at = file.readUInt32LE(end + 16)
  while (file.readUInt32LE(at) === 0x02014b50) {
    const nameLength = file.readUInt16LE(at + 28)
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + nameLength),
      start,
      end: start + file.readUInt32LE(at + 20),
      isDeflated: file.readUInt16LE(at + 10) !== 0,
    })
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}
