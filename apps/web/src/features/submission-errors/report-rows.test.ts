import { expect, it } from 'vitest'
import type { ShownRow } from '#verdict/error-table.tsx'
import { mergeRows } from './report-rows.tsx'

const row = (rowNumber: number, ...columns: string[]): ShownRow => ({
  rowNumber,
  key: [],
  totalCount: columns.length,
  columnValidationErrors: columns.map((columnPosition) => ({
    columnPosition,
    label: '',
    error: '',
    value: '',
    expected: '',
    suggestion: null,
  })),
})

it.for([
  { lists: [], merged: [], why: 'nothing of no cause' },
  { lists: [[row(2, 'A'), row(9, 'A')]], merged: [row(2, 'A'), row(9, 'A')], why: 'the rows of one cause' },
  {
    lists: [[row(3, 'A'), row(40, 'A')], [row(2, 'A')]],
    merged: [row(2, 'A'), row(3, 'A'), row(40, 'A')],
    why: 'the rows of two causes in the order of the file',
  },
  {
    lists: [[row(3, 'A')], [row(3, 'B', 'C')]],
    merged: [row(3, 'A', 'B', 'C')],
    why: 'a row with errors of two causes as one row',
  },
])('lists $why', ({ lists, merged }) => expect(mergeRows(lists)).toEqual(merged))
