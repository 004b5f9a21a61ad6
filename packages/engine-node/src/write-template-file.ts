import type { Dictionary } from '@veridict/contract/model/field'
import { writeTemplate } from '@veridict/engine'
import { nodePlatform } from '#node-platform.ts'
import { writeBytes } from '#write-bytes.ts'

/**
 * Writes the blank workbook of a dictionary to `outputPath`. Throws RangeError where `checkTemplate` finds a
 * problem.
 */
export const writeTemplateFile = (dictionary: Dictionary, outputPath: string): Promise<void> =>
  writeBytes(writeTemplate(dictionary, nodePlatform()), outputPath)
