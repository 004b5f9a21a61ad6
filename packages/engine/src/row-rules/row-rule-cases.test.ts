import type { RowRule, RuleTest, TestKind } from '@veridict/contract/model/row-rule'
import { everyTest } from '@veridict/contract/test/every-row-rule'
import { describe, expect, it } from 'vitest'
import { rowTrial, type RowTexts } from '#try-row.ts'
import { validateTable } from '#validate-table.ts'
import groups from '../../test/cases/row-rules.json' with { type: 'json' }
import { testPlatform } from '../../test/test-platform.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

/**
 * Each test in rows: whether it holds as a condition, and whether it is an error as a demand. Neither is true
 * where a blank leaves nothing to ask, or where a cell has an error of its own.
 */
type CaseGroup = { test: RuleTest; cases: { row: RowTexts; holds: boolean; error: boolean; why: string }[] }
const cases = (groups as unknown as CaseGroup[]).flatMap((group) =>
  group.cases.map((one) => ({ ...one, test: group.test })),
)

const FIELDS = [
  field('Text', { type: 'text', maxLength: 12 }),
  field('Number', { type: 'number' }),
  field('Second number', { type: 'number' }),
  field('Third number', { type: 'number' }),
  field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Second date', { type: 'date', format: 'yyyy-MM-dd' }),
  field('Item', { type: 'list', options: ['Open', 'Closed'] }),
  field('Items', { type: 'list', options: ['A', 'B', 'C'], separator: ';' }),
  field('Filled', { type: 'text' }),
]
const bookOf = (test: RuleTest) => {
  const isFound: RuleTest = { column: 'Filled', is: 'blank' }
  const rules: RowRule[] = [
    { name: 'Condition', severity: 'error', when: { all: [test] }, then: [isFound] },
    { name: 'Demand', severity: 'error', then: [test] },
  ]
  const lists = [{ name: 'Days', columns: ['Day', 'Text'], rows: [['31/01/2024', 'a']] }]
  return { rules, exempt: null, blankTexts: ['N/A', '999'], lists, day: '2026-11-26' }
}

describe('A test between cells', () => {
  it('has cases for each kind', () => {
    const kinds = new Set<TestKind>(cases.map(({ test }) => test.is))
    expect(
      Object.keys(everyTest).filter((kind) => kind !== 'unique' && !kinds.has(kind as TestKind)),
    ).toEqual([])
  })

  it.for(cases.map((one) => ({ ...one, name: `${JSON.stringify(one.test)}: ${one.why}` })))(
    '$name',
    async ({ test, row, holds, error }) => {
      const expected = [...(holds ? ['Condition'] : []), ...(error ? ['Demand'] : [])]
      const texts = { ...row, Filled: 'x' }
      const trial = await rowTrial(FIELDS, bookOf(test), testPlatform())
      expect(trial(texts).errors.flatMap(({ rule }) => rule ?? [])).toEqual(expected)
      const line = FIELDS.map(({ name }) => `"${(texts as RowTexts)[name] ?? ''}"`).join(',')
      const verdict = await validateTable({ ...requestFor(FIELDS, [line]), ruleBook: bookOf(test) })
      const errors = verdict.kind === 'rowErrors' ? verdict.rows[0].columnValidationErrors : []
      expect(errors.flatMap(({ rule }) => rule ?? [])).toEqual(expected)
    },
  )
})
