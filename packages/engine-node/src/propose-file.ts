import { type FileGuards, portalGuards, type ProposalResult, proposeFields } from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

/**
 * Proposes the fields of a dictionary for files like the one at `path`. A file that cannot be read
 * gives a file problem; it throws only for a bug and for a file that cannot be opened.
 */
export async function proposeFile(
  path: string,
  fileName: string,
  limits: FileGuards = portalGuards,
): Promise<ProposalResult> {
  const source = openFileSource(path)
  try {
    return await proposeFields({ source, fileName, platform: nodePlatform(), limits })
  } finally {
    source.close()
  }
}
