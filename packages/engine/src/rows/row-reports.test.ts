import { cellErrorKinds } from '@veridict/contract/messages/cells'
import { cellFaultCodes } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { expect, it } from 'vitest'
import { compileField } from '#compile/compile-columns.ts'
import { RowReports } from '#rows/row-reports.ts'
import { testPlatform } from '../../test/test-platform.ts'
import { xmlTerminators } from '#formats/terminators.ts'

it('counts every kind of fault on its own in every column, and beyond the last one', () => {
  const platform = testPlatform()
  const fields: Field[] = ['A', 'B'].map((name) => ({
    name,
    description: '',
    category: '',
    required: true,
    rule: { type: 'text' },
  }))
  const reports = new RowReports(
    fields.map((field) => compileField(field, xmlTerminators, platform, null)),
    platform,
  )
  const kinds = [0, 1, 2].flatMap((column) => cellFaultCodes.map((code) => ({ column, code })))
  for (const [index, { column, code }] of kinds.entries()) {
    for (let times = 0; times <= index; times++)
      reports.fault(2, column, { code, error: '', expected: '' }, { value: '' })
  }
  const verdict = reports.verdict()
  const expected = kinds.map(({ column, code }, index) => ({
    columnPosition: 'ABC'[column],
    label: fields[column]?.name ?? '',
    error: cellErrorKinds[code],
    count: index + 1,
  }))
  expect(verdict).toMatchObject({ kind: 'rowErrors', groups: expected.toReversed() })
})
