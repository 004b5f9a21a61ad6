import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import { validateTable, type ValidationRequest } from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

export type ValidationOptions = Pick<ValidationRequest, 'limits' | 'maxRows' | 'onProgress' | 'onFault'>

/**
 * Judges a file on disk. `fileName` is the name its sender gave it. A faulty file is a verdict; what throws is a bug or a
 * file that cannot be opened.
 */
export async function validateFile(
  path: string,
  fileName: string,
  fields: readonly Field[],
  options: ValidationOptions = {},
): Promise<Verdict> {
  const source = openFileSource(path)
  try {
    return await validateTable({ ...options, source, fileName, fields, platform: nodePlatform() })
  } finally {
    source.close()
  }
}
