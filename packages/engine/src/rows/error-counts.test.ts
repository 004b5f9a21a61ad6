import { cellErrorKinds } from '@veridict/contract/messages/cells'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import { expect, it } from 'vitest'
import { compileField } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { ErrorCounts } from '#rows/error-counts.ts'
import { testPlatform } from '../../test/test-platform.ts'

const LABELS = ['Id', 'Name']
const columns = LABELS.map((name) =>
  compileField(
    { name, description: '', category: '', required: true, rule: { type: 'text' } },
    xmlTerminators,
    testPlatform(),
    null,
  ),
)

it('counts each fault separately in every column and beyond the last one', () => {
  const counts = new ErrorCounts(columns)
  const kinds = [0, 1, 2].flatMap((column) =>
    (Object.keys(cellErrorKinds) as CellFaultCode[]).map((code) => ({ column, code })),
  )
  for (const [index, { column, code }] of kinds.entries())
    for (let times = 0; times <= index; times++) counts.counterOf(column, code).count++
  const groups = kinds.map(({ column, code }, index) => ({
    columnPosition: 'ABC'[column],
    label: LABELS[column] ?? '',
    error: cellErrorKinds[code],
    count: index + 1,
  }))
  expect(counts.groups()).toEqual(groups.toReversed())
})

it('orders equal counts by column, then by first appearance', () => {
  const counts = new ErrorCounts(columns)
  counts.counterOf(1, 'textTooLong').count++
  counts.counterOf(1, 'required').count++
  counts.counterOf(0, 'notInList').count++
  expect(counts.groups().map(({ columnPosition, error }) => [columnPosition, error])).toEqual([
    ['A', cellErrorKinds.notInList],
    ['B', cellErrorKinds.textTooLong],
    ['B', cellErrorKinds.required],
  ])
})
