import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType, type FileProblem } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import type { ByteSource } from '#byte-source.ts'
import { openText } from '#formats/csv/open-text.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { type FileSignature, readSignature } from '#formats/file-signature.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { openCsv } from '#source/csv/open-csv.ts'
import type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'

/** A file, and what to read or write of it. The same request always gives the same result. */
export type TableRequest = {
  source: ByteSource
  /** The name of the uploaded file; its ending must fit the kind of the file. */
  fileName: string
  /** The dictionary, whose labels help to find the delimiter. Empty if there is none. */
  fields: readonly Field[]
  /** The rules between its cells; without it there are none. */
  ruleBook?: DatedRuleBook
  platform: Platform
  limits: FileGuards
}

/**
 * By signature *and* name: a workbook named .csv, or a text named .xlsx, is refused with what it really is;
 * with other endings the signature decides. Reads no rows. Throws `FileProblemError`. See
 * docs/BEHAVIOUR.md#kind-of-file.
 */
export async function openTable({
  source,
  fileName,
  fields,
  platform,
  limits,
}: TableRequest): Promise<TableSource> {
  if (source.size === 0) throw new FileProblemError(ErrorType.NoRows, fileProblemMessages.emptyFile)
  const signature = await readSignature(source)
  const message = refusal(signature, endingOf(fileName))
  if (message !== null) throw new FileProblemError(ErrorType.Unreadable, message)
  if (signature.kind === 'text') {
    const labels = fields.map((field) => field.name)
    return openCsv(await openText(source, platform), platform, limits, labels)
  }
  // Loaded only when needed, because loading it takes time that CSV files do not need.
  const { openWorkbook } = await import('#source/xlsx/open-workbook.ts')
  return openWorkbook(source, platform, limits)
}

type Ending = 'csv' | 'xlsx' | 'other'

function endingOf(fileName: string): Ending {
  const lower = fileName.toLowerCase()
  return lower.endsWith('.csv') ? 'csv' : lower.endsWith('.xlsx') ? 'xlsx' : 'other'
}

/** Why a file is not read; null if it is. */
function refusal(signature: FileSignature, ending: Ending): string | null {
  const { notACsv, notAWorkbook, notATable } = fileProblemMessages
  const isNamed = { csv: notACsv, xlsx: notAWorkbook, other: notATable }[ending]
  switch (signature.kind) {
    case 'text':
      return ending === 'xlsx' ? isNamed('a text file, such as CSV') : null
    case 'zip':
      return ending === 'csv' ? isNamed('an Excel workbook (.xlsx) or another zip archive') : null
    case 'ole':
      if (ending === 'csv') return isNamed('an old or protected Excel workbook')
      return signature.encrypted ? fileProblemMessages.encrypted : fileProblemMessages.oldExcel
    case 'other':
      return isNamed(signature.name)
  }
}

/** A table whose rows are read, not checked. A problem met later ends the rows with a `FileProblemError`. */
export type ReadTable =
  | { kind: 'table'; header: readonly string[]; rows: AsyncIterable<readonly SourceRow[]> }
  | { kind: 'fileProblem'; problem: FileProblem }

/** Without blank rows and without checks. */
export async function readTable(request: TableRequest): Promise<ReadTable> {
  try {
    const table = await openTable(request)
    return { kind: 'table', header: table.header, rows: table.rows() }
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'fileProblem', problem: error.problem }
    throw error
  }
}
