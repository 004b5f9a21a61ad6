import { writeErrorFile } from '@veridict/engine-node'
import { basename } from 'node:path'
import type { Program } from '../findings.ts'

/** Validates the file again while it writes, as the portal does for a download. */
export const run: Program = async ({ path, fields, outputPath }) => {
  await writeErrorFile('highlighted', path, basename(path), fields, outputPath)
  return null
}
