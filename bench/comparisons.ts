import type { RowRule } from '@veridict/contract/model/row-rule'
import claimsRules from './generate/claims-rules.json' with { type: 'json' }
import type { DataName } from './generate/data-files.ts'
import type { ProgramName } from './programs.ts'

/** Programs that do the same work on the same file. The first is ours; the others are compared with it. */
export type Comparison = {
  title: string
  data: DataName
  /** Rules between cells, checked beside those of the fields. Every program must count as many errors. */
  rules?: readonly RowRule[]
  /** Its programs write a Highlighted workbook, which is checked instead of printed counts. */
  writesWorkbook?: boolean
  programs: readonly ProgramName[]
}

const rules25 = (name: keyof typeof claimsRules, which: string, data: 'clean25' | 'short25' = 'clean25') =>
  ({
    title: `CSV, 25 MB, every cell right, and ${which}`,
    data,
    rules: claimsRules[name] as RowRule[],
    programs: ['ours', 'duckdb2'],
  }) as const

export const comparisons = {
  csv25: {
    title: 'CSV, 25 MB, 161,562 rows of 14 columns, 1 % of the cells bad',
    data: 'csv25',
    programs: ['ours', 'ours-cli', 'duckdb2', 'udsv', 'tableschema'],
  },
  csv250: {
    title: 'CSV, 250 MB, the same columns',
    data: 'csv250',
    programs: ['ours', 'ours-cli', 'duckdb2', 'udsv', 'tableschema'],
  },
  wide25: {
    title: 'CSV, 25 MB, 200 columns, 1 % of the cells bad',
    data: 'wide25',
    programs: ['ours', 'duckdb2', 'udsv'],
  },
  clean25: {
    title: 'CSV, 25 MB, every cell right',
    data: 'clean25',
    programs: ['ours', 'duckdb2', 'udsv'],
  },
  key25: rules25('key25', 'a key of one column'),
  keys25: rules25('keys25', 'ten keys of one or two columns'),
  shortKey: rules25('shortKey', 'a key of 4.4 million short values', 'short25'),
  shortKeys: rules25('shortKeys', 'ten such keys', 'short25'),
  order25: rules25('order25', 'one column compared with another'),
  cases25: rules25('cases25', 'twenty rules of the kind *when A, then B*'),
  allbad25: {
    title: 'CSV, 25 MB, every cell bad',
    data: 'allbad25',
    programs: ['ours', 'duckdb2', 'udsv'],
  },
  xlsx: {
    title: 'Workbook with the rows of the first file, 16.9 MB, 584 thousand different strings',
    data: 'xlsx',
    programs: ['ours', 'inflate', 'read-excel-file'],
  },
  highlighted: {
    title: 'Writing the Highlighted workbook of the first file: 161,562 rows, 22,636 red cells, 10,000 notes',
    data: 'csv25',
    writesWorkbook: true,
    programs: ['ours-highlighted', 'exceljs-highlighted'],
  },
  csv1g: {
    title: 'CSV, 1 GB, through the command line',
    data: 'csv1g',
    programs: ['ours-cli', 'duckdb2'],
  },
} as const satisfies Record<string, Comparison>

export type ComparisonName = keyof typeof comparisons
export const comparisonNames = Object.keys(comparisons) as ComparisonName[]
