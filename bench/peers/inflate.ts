import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInflateRaw } from 'node:zlib'
import type { Program } from '../findings.ts'

const MIB = 1 << 20
const DEFLATED = 8
/** Of the record at the end of a ZIP file, of an entry of its directory, and of a part, without names. */
const [END_BYTES, ENTRY_BYTES, PART_BYTES] = [22, 46, 30]

/** A lower bound rather than a program: inflates the parts of a workbook at once, and drops the bytes. */
export const run: Program = async ({ path }) => {
  await Promise.all(deflatedParts(readFileSync(path)).map(inflate))
  return null
}

/** Of a file without a comment at its end, as generated ones are. */
function deflatedParts(file: Buffer): Buffer[] {
  const end = file.length - END_BYTES
  const parts: Buffer[] = []
  let entry = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const part = file.readUInt32LE(entry + 42)
    const from = part + PART_BYTES + file.readUInt16LE(part + 26) + file.readUInt16LE(part + 28)
    if (file.readUInt16LE(entry + 10) === DEFLATED)
      parts.push(file.subarray(from, from + file.readUInt32LE(entry + 20)))
    const [name, extra, comment] = [28, 30, 32].map((at) => file.readUInt16LE(entry + at))
    entry += ENTRY_BYTES + name + extra + comment
  }
  return parts
}

async function inflate(part: Buffer): Promise<void> {
  const inflater = createInflateRaw({ chunkSize: MIB }).resume()
  inflater.end(part)
  await once(inflater, 'end')
}
