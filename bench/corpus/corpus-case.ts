import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { parseDictionary } from '../../apps/cli/src/parse-dictionary.ts'

/** A line of a manifest. Row 1 is the first data row, column 1 the first column. */
export type CorpusCase = {
  id: string
  file: string
  kind: 'read' | 'validate' | 'upload' | 'download'
  expect: Expectation
  /** Fields as in a DICT.json of the command line, here or in a file. */
  dictionary?: unknown[]
  dictionary_file?: string
  /** A file with the true table, its first row the header. */
  cells?: string
  records?: number
  badRows?: number[]
  badCells?: [row: number, column: number][]
  /** Rows that may be flagged or not. */
  free?: number[]
  upload_as?: { filename: string }
}

/** The expected result: a table (`exact`), a verdict (`pass`, `rows`), or no crash (`survive`). */
export type Expectation =
  | 'exact'
  | 'exactDisplay'
  | 'exactOrFail'
  | 'pass'
  | 'fail'
  | 'rows'
  | 'rowsAtLeast'
  | 'passOrRows'
  | 'structure'
  | 'refuse'
  | 'survive'
  | 'refuse_or_survive'
  | 'neutralised'

/** The name under which the file is uploaded. */
export const fileNameOf = (corpusCase: CorpusCase): string =>
  corpusCase.upload_as?.filename ?? basename(corpusCase.file)

/** null if the case has no dictionary. */
export async function fieldsOf(
  { id, dictionary, dictionary_file }: CorpusCase,
  folder: string,
): Promise<Field[] | null> {
  const content =
    dictionary ??
    (dictionary_file && (JSON.parse(readFileSync(join(folder, dictionary_file), 'utf8')) as unknown))
  return content === undefined ? null : (await parseDictionary(content, dictionary_file ?? id)).fields
}

/** The true table, its header included; null if the case has none. */
export const trueCells = ({ cells }: CorpusCase, folder: string): string[][] | null =>
  cells === undefined ? null : (JSON.parse(readFileSync(join(folder, cells), 'utf8')) as string[][])
