import { type FileGuards, portalGuards, type ProposalResult, proposeFields } from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

/**
 * Proposes the fields of a dictionary for files like the one at `path`. A file that cannot be read is a
 * problem; what throws is a bug or a file that cannot be opened.
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
