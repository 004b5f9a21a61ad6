import type { Dictionary, Field } from '@veridict/contract/model/field'
import {
  correctFile,
  type CorrectedFile,
  type CorrectionChoice,
  type CorrectionOutcome,
  type ErrorFileRequest,
  portalGuards,
  writeErrorsFile as errorsFile,
  writeHighlightedFile as highlightedFile,
  writeTemplate,
} from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

export type WriteOptions = Partial<Pick<ErrorFileRequest, 'limits' | 'ruleBook'>>

/**
 * Writes the Errors workbook of the file at `path` to `outputPath`. Throws where the file cannot be read;
 * what was written until then is not a workbook.
 */
export const writeErrorsFile = (
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  options: WriteOptions = {},
) => write(errorsFile, path, fileName, fields, outputPath, options)

/**
 * Writes the Highlighted workbook of the file at `path` to `outputPath`. Throws as `writeErrorsFile` does.
 */
export const writeHighlightedFile = (
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  options: WriteOptions = {},
) => write(highlightedFile, path, fileName, fields, outputPath, options)

async function write(
  writer: (request: ErrorFileRequest) => AsyncIterable<Uint8Array>,
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  { limits = portalGuards, ruleBook }: WriteOptions,
): Promise<void> {
  const source = openFileSource(path)
  try {
    await writeBytes(
      writer({ source, fileName, fields, ruleBook, platform: nodePlatform(), limits }),
      outputPath,
    )
  } finally {
    source.close()
  }
}

/** Only a `copy` is written to the disk. */
export type WrittenCopy =
  | { readonly kind: 'copy'; readonly outcome: CorrectionOutcome }
  | Exclude<CorrectedFile, { kind: 'copy' }>

/**
 * Writes a copy of the file at `path` to `outputPath` in which the bad cells of some causes (default: of all)
 * are replaced by their suggestions. Throws as `writeErrorsFile` does.
 */
export async function writeCorrectedFile(
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  { limits = portalGuards, ruleBook, causes = null, answers }: WriteOptions & Partial<CorrectionChoice> = {},
): Promise<WrittenCopy> {
  const source = openFileSource(path)
  try {
    const request = { source, fileName, fields, ruleBook, platform: nodePlatform(), limits, causes, answers }
    const corrected = await correctFile(request)
    if (corrected.kind !== 'copy') return corrected
    await writeBytes(corrected.bytes(), outputPath)
    return { kind: 'copy', outcome: corrected.outcome() }
  } finally {
    source.close()
  }
}

/**
 * Writes the blank workbook of a dictionary to `outputPath`. Throws RangeError where `checkTemplate` finds a
 * problem.
 */
export const writeTemplateFile = (dictionary: Dictionary, outputPath: string): Promise<void> =>
  writeBytes(writeTemplate(dictionary, nodePlatform()), outputPath)

async function writeBytes(bytes: AsyncIterable<Uint8Array>, outputPath: string): Promise<void> {
  // Loaded when needed: validation needs no streams.
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(bytes, createWriteStream(outputPath))
}
