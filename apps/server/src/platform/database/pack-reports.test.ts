import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { describe, expect, it } from 'vitest'
import { packReports } from '#platform/database/pack-reports.ts'

/**
 * Rows of which every cell is wrong; a column is wrong in one way in even rows and in another in odd ones.
 */
const reportsOf = (rows: number, columns: number, value = 'x'): RowReport[] =>
  Array.from({ length: rows }, (_, row) => ({
    rowNumber: row + 2,
    key: [{ label: 'Id', value: `${row}` }],
    totalCount: columns,
    columnValidationErrors: Array.from({ length: columns }, (__, column) =>
      errorAt(column, row % 2, `${value}${row}`),
    ),
  }))

const errorAt = (column: number, way: number, value: string): CellError => ({
  columnPosition: columnLetter(column),
  label: `Column ${column}`,
  error: `wrong ${way}`,
  value,
  expected: 'a number with at most 2 decimals, like 12.5',
  cause: `A.wrong${way}`,
  suggestion: way === 0 ? null : '',
})

const withoutCauses = (rows: readonly RowReport[]) => ({ rows: [...rows], causes: [], causeRows: [] })

/** The reports that the database reads from the parts. */
function unpacked(reports: readonly RowReport[]): RowReport[] {
  const faults: Omit<CellError, 'value' | 'cause' | 'suggestion'>[] = []
  return [...packReports(withoutCauses(reports))].flatMap((part) => {
    expect(part.firstFaultNumber).toBe(faults.length)
    faults.push(...JSON.parse(part.faults))
    return part.rows.map(({ key, errors, ...row }) => ({
      ...row,
      key: JSON.parse(key),
      columnValidationErrors: JSON.parse(errors).map(
        ([number, value, cause, suggestion]: [number, string, string, string | null]) => ({
          ...faults[number],
          value,
          cause,
          suggestion,
        }),
      ),
    }))
  })
}

describe('Packing reports', () => {
  it.for([
    { rows: 1, columns: 1, why: 'a single error' },
    { rows: 100, columns: 3, why: 'rows that fit one part' },
    { rows: 40, columns: 1000, why: 'rows of many parts' },
  ])('loses nothing of $why', ({ rows, columns }) => {
    expect(unpacked(reportsOf(rows, columns))).toEqual(reportsOf(rows, columns))
  })

  it('makes one part for most files, and parts of a limited length for a wide one', () => {
    expect([...packReports(withoutCauses(reportsOf(100, 3)))]).toHaveLength(1)
    const parts = [...packReports(withoutCauses(reportsOf(40, 1000, 'v'.repeat(100))))]
    expect(parts.filter(({ isFirst }) => isFirst)).toEqual([parts[0]])
    for (const { rows } of parts)
      expect(rows.map(({ errors }) => errors).join('').length).toBeLessThan(400_000)
  })

  it('has each fault of a column once', () => {
    const parts = [...packReports(withoutCauses(reportsOf(100, 100)))]
    expect(parts.flatMap(({ faults }) => JSON.parse(faults))).toHaveLength(200)
  })

  it('keeps the rows that the screen shows, and text that the database can store', () => {
    const reports = reportsOf(130, 1)
    reports[0].columnValidationErrors[0] = { ...errorAt(0, 0, 'a\0b\ud800c'), error: 'a\0b' }
    const kept = unpacked(reports)
    expect(kept).toHaveLength(100)
    expect(kept[0].columnValidationErrors).toEqual([
      { ...errorAt(0, 0, 'a\ufffdb\ufffdc'), error: 'a\ufffdb' },
    ])
  })
})
