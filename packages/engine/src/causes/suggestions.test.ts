import { worksheetBounds } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { suggestionsIn } from '../../test/suggested-column.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const date = { type: 'date', format: 'dd/MM/yyyy' } as const
const longest = worksheetBounds.maxCellLength

/** A cell took a second where an expression could match two runs side by side. The test's time limits it. */
describe('Thirty of the longest cells', () => {
  it.for([
    {
      why: 'spaces after a time',
      rule: date,
      head: '05/03/2024 10:00',
      fill: ' ',
      tail: 'x',
      kind: 'notADate',
    },
    {
      why: 'zeros of a share',
      rule: { type: 'number' },
      head: '0.',
      fill: '0',
      tail: '1%',
      kind: 'notANumber',
    },
  ] as const)('are diagnosed: $why', async ({ rule, head, fill, tail, kind }) => {
    const value = head.padEnd(longest - tail.length, fill) + tail
    const kinds = (
      await suggestionsIn({ why: '', rule, values: Array.from({ length: 30 }, () => [value]) })
    ).map(([, , ofCell]) => ofCell)
    expect(new Set(kinds)).toEqual(new Set([kind]))
  })
})

describe('A placeholder that may be emptied', () => {
  const fields = ['A', 'B', 'C'].map((name, index): Field => {
    const required = index === 2
    return { name, description: '', category: '', required, rule: { type: 'number' } }
  })

  it.for([
    { rows: ['N/A,,'], suggestions: [null], why: 'alone in its row' },
    { rows: ['N/A,-,'], suggestions: [null, null], why: 'alone but for another' },
    { rows: ['N/A, ,'], suggestions: [null], why: 'beside blanks' },
    { rows: ['N/A,1,'], suggestions: [''], why: 'beside a valid value' },
    { rows: ['N/A,x,'], suggestions: ['', null], why: 'beside a value without a suggestion' },
    { rows: ['N/A,,,,z'], suggestions: ['', null], why: 'beside an extra cell' },
    { rows: ['N/A,,', 'N/A,1,2', 'N/A,,'], suggestions: [null, '', null], why: 'alone in some of its rows' },
  ])('has a suggestion unless the row would be blank: $why', async ({ rows, suggestions }) => {
    for (const maxErrorRows of [100, 0]) {
      const verdict = await validateTable({
        source: bytesSource(platform.encodeUtf8(`A,B,C\n1,2,3\n${rows.join('\n')}\n`)),
        fileName: 'a.csv',
        fields,
        platform,
        maxErrorRows,
      })
      if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
      const { causes, causeRows } = verdict
      const found = [...verdict.rows, ...(maxErrorRows === 0 ? causeRows.flatMap((cause) => cause.rows) : [])]
        .flatMap((row) => row.columnValidationErrors.map((error) => ({ ...error, row: row.rowNumber })))
        .filter(({ error }) => !error.includes('empty') && error !== 'The cell is missing.')
        .sort((a, b) => a.row - b.row || a.columnPosition.localeCompare(b.columnPosition))
      expect(found.map(({ suggestion }) => suggestion)).toEqual(suggestions)
      const counted = causes.reduce((sum, cause) => sum + cause.suggestions, 0)
      expect(counted).toBe(suggestions.filter((suggestion) => suggestion !== null).length)
      for (const cause of causes.filter((one) => one.suggestions === 0))
        expect(cause.examples.every(({ suggestion }) => suggestion === null)).toBe(true)
      if (maxErrorRows === 0) continue
      // An example says of its own row what the row says.
      for (const { id, examples } of causes)
        expect(examples.map(({ rowNumber, suggestion }) => [rowNumber, suggestion])).toEqual(
          examples.map(({ rowNumber }) => [
            rowNumber,
            verdict.rows
              .find((row) => row.rowNumber === rowNumber)!
              .columnValidationErrors.find(({ cause }) => cause === id)!.suggestion,
          ]),
        )
    }
  })
})
