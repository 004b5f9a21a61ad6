import { createReadStream } from 'node:fs'
import { createInflateRaw } from 'node:zlib'
import type { Program } from '../job.ts'
import { zipEntries } from '../verify/unzip.ts'

const READ_AHEAD_BYTES = 1 << 18

/** No program at all but a floor: inflates the parts of a workbook, as a stream, and drops the bytes. */
export const run: Program = async ({ path }) => {
  for (const { start, end } of zipEntries(path)) {
    const inflated = createReadStream(path, { start, end: end - 1, highWaterMark: READ_AHEAD_BYTES }).pipe(
      createInflateRaw({ chunkSize: READ_AHEAD_BYTES }),
    )
    inflated.on('data', () => {})
    await new Promise((resolve, reject) => inflated.on('end', resolve).on('error', reject))
  }
  return null
}
