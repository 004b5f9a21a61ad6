import { writeHighlightedFile } from '@veridict/engine-node'
import { basename } from 'node:path'
import type { Program } from '../job.ts'

/** Judges the file once more while it writes, as the portal does when somebody asks for it. */
export const run: Program = async ({ path, fields, outputPath }) => {
  await writeHighlightedFile(path, basename(path), fields, outputPath)
  return null
}
