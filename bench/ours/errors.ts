import { writeErrorsFile } from '@veridict/engine-node'
import { basename } from 'node:path'
import type { Program } from '../job.ts'

/** Validates the file again while it writes, as the portal does for a download. */
export const run: Program = async ({ path, fields, outputPath }) => {
  await writeErrorsFile(path, basename(path), fields, outputPath)
  return null
}
