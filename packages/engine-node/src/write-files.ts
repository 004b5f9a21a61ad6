import type { Dictionary, Field } from '@veridict/contract/model/field'
import {
  correctFile,
  type CorrectedFile,
  type CorrectionChoice,
  type CorrectionOutcome,
  type TableRequest,
  portalGuards,
  writeErrorsFile,
  writeHighlightedFile,
  writeTemplate,
} from '@veridict/engine'
import { withFile } from '#with-file.ts'
import { nodePlatform } from '#node-platform.ts'

export type WriteOptions = Partial<Pick<TableRequest, 'limits' | 'ruleBook'>>

const writers = { errors: writeErrorsFile, highlighted: writeHighlightedFile }
/** errors: a list of every error; highlighted: the source with every wrong cell marked. */
export type ErrorFileKind = keyof typeof writers

/** Throws where the file cannot be read; what was written to `outputPath` until then is not a workbook. */
export const writeErrorFile = (
  kind: ErrorFileKind,
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  { limits = portalGuards, ruleBook }: WriteOptions = {},
): Promise<void> =>
  withFile(path, (source) => {
    const request = { source, fileName, fields, ruleBook, platform: nodePlatform(), limits }
    return writeBytes(writers[kind](request), outputPath)
  })

/** Only a `copy` is written to the disk. */
export type WrittenCopy =
  | { readonly kind: 'copy'; readonly outcome: CorrectionOutcome }
  | Exclude<CorrectedFile, { kind: 'copy' }>

/** The cells of some causes (default: of all) get their suggestions. Throws as `writeErrorFile` does. */
export const writeCorrectedFile = (
  path: string,
  fileName: string,
  fields: readonly Field[],
  outputPath: string,
  { limits = portalGuards, ruleBook, causes = null, answers }: WriteOptions & Partial<CorrectionChoice> = {},
): Promise<WrittenCopy> =>
  withFile(path, async (source) => {
    const request = { source, fileName, fields, ruleBook, platform: nodePlatform(), limits, causes, answers }
    const corrected = await correctFile(request)
    if (corrected.kind !== 'copy') return corrected
    await writeBytes(corrected.bytes(), outputPath)
    return { kind: 'copy', outcome: corrected.outcome() }
  })

/** Throws RangeError where `checkTemplate` finds a problem. */
export const writeTemplateFile = (dictionary: Dictionary, outputPath: string): Promise<void> =>
  writeBytes(writeTemplate(dictionary, nodePlatform()), outputPath)

async function writeBytes(bytes: AsyncIterable<Uint8Array>, outputPath: string): Promise<void> {
  // Loaded when needed: validation needs no streams.
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(bytes, createWriteStream(outputPath))
}
