import type { Field } from '@veridict/contract/model/field'
import { readFileSync } from 'node:fs'
import { inferSchema, initParser } from 'udsv'
import { handChecks } from './hand-checks.ts'

export type CheckedRow = { cells: readonly string[]; badColumns: readonly number[] }

/** The rows of a CSV file, read and checked by uDSV: the input of programs that only write workbooks. */
export function* checkedRows(path: string, fields: readonly Field[]): Generator<CheckedRow> {
  const text = readFileSync(path, 'utf8')
  const checks = handChecks(fields)
  for (const cells of initParser(inferSchema(text.slice(0, 65_536))).stringArrs(text) as string[][]) {
    yield {
      cells,
      badColumns: checks.flatMap((check, column) => (check(cells[column] ?? '') ? [] : [column])),
    }
  }
}
