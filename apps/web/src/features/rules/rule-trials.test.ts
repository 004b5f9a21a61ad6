import type { Field } from '@veridict/contract/model/field'
import { ruleFormMessages } from '@veridict/contract/messages/row-rules'
import { emptyRuleBook, type RuleTest } from '@veridict/contract/model/row-rule'
import { ruleOfSentence } from '@veridict/contract/test/read-rule-sentence'
import { describe, expect, it } from 'vitest'
import { findFaults, readFields, triedValues, tryRule } from './rule-trials.ts'
import { emptyRule, type RuleDraft, type RuleValues, valuesOfRule } from './rule-values.ts'

const field = (name: string, rule: Field['rule']): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule,
})
const fields = [
  field('Status', { type: 'list', options: ['New', 'Void'] }),
  field('Reason', { type: 'text' }),
  field('Paid', { type: 'number' }),
]
const draftOf = (values: RuleValues): RuleDraft => ({
  edited: { kind: 'rule', name: null },
  values: { ...values, name: 'Rule 1' },
  book: emptyRuleBook,
  fields,
})
const valuesOf = (sentence: string): RuleValues => valuesOfRule(ruleOfSentence(sentence))
const tryRow = (sentence: string, row: Record<string, string>) =>
  tryRule(draftOf(valuesOf(sentence)), row, new AbortController().signal)

const voided = 'If "Status" is one of "Void", then "Reason" is filled'

describe('A row that is tried', () => {
  it.for<{ why: string; rule: string; row: Record<string, string>; tone: string }>([
    { why: 'meets the rule', rule: voided, row: { Status: 'Void', Reason: 'Twice' }, tone: 'good' },
    { why: 'does not meet it', rule: voided, row: { Status: 'Void' }, tone: 'bad' },
    { why: 'is not asked', rule: voided, row: { Status: 'New' }, tone: 'quiet' },
    {
      why: 'is asked by the other branch',
      rule: `${voided}; otherwise "Reason" is blank`,
      row: { Status: 'New' },
      tone: 'good',
    },
    {
      why: 'does not meet the other branch',
      rule: 'Unless "Status" is one of "Void": "Paid" is filled',
      row: { Status: 'New' },
      tone: 'bad',
    },
    { why: 'has a cell that is wrong by itself', rule: voided, row: { Status: 'Old' }, tone: 'quiet' },
    {
      why: 'is asked without a condition',
      rule: '"Paid" is more than "0"',
      row: { Paid: '0.5' },
      tone: 'good',
    },
  ])('$why', async ({ rule, row, tone }) => expect(await tryRow(rule, row)).toMatchObject({ tone }))

  it('gets the sentence that the report of a file has', async () => {
    const { details } = await tryRow(voided, { Status: 'Void' })
    expect(details).toEqual(['"Status" is "Void", so "Reason" must be filled.'])
  })

  it.for<{ row: Record<string, string>; tone: string }>([
    { row: { Paid: '0' }, tone: 'quiet' },
    { row: { Paid: '0', Reason: 'Twice' }, tone: 'bad' },
    { row: { Paid: '1', Reason: 'Twice' }, tone: 'good' },
  ])('is tried only if it is not exempt: $row', async ({ row, tone }) => {
    const draft = draftOf(valuesOf('"Paid" is more than "0"'))
    const exempt = { when: { all: [{ column: 'Reason', is: 'blank' as const }] } }
    const exempted = { ...draft, book: { ...draft.book, exempt } }
    expect(readFields(exempted).map(({ name }) => name)).toEqual(['Reason', 'Paid'])
    expect(await tryRule(exempted, row, new AbortController().signal)).toMatchObject({ tone })
  })

  it('cannot show whether another row has the same values', async () => {
    const text = ruleFormMessages.uniqueNeedsFile
    expect(await tryRow('"Paid" is unique', { Paid: '1' })).toMatchObject({ tone: 'quiet', text })
  })

  it('is not tried while the rule lacks something', async () => {
    const tried = await tryRule(draftOf(emptyRule), { Status: 'New' }, new AbortController().signal)
    expect(tried).toMatchObject({ tone: 'quiet', details: [] })
  })
})

it('A trial depends on the tests of a rule, not on what else is said about it', () => {
  const values = valuesOf(voided)
  const about = { name: 'R', description: 'D', severity: 'warning', from: '2999-12-31' } as const
  expect(triedValues({ ...values, ...about })).toEqual(triedValues(values))
  expect(triedValues(values)).not.toEqual(triedValues(valuesOf('"Reason" is filled')))
})

describe('The faults of a draft', () => {
  const faultsOf = (then: RuleTest[]) => findFaults(draftOf({ ...emptyRule, then }))
  it('are found before it is sent, by their places', async () => {
    expect(await faultsOf([{ column: 'Paid', is: 'filled' }])).toEqual({})
    expect(await faultsOf([])).toHaveProperty('then')
    expect(
      await faultsOf([
        { column: 'Paid', is: 'filled' },
        { column: '', is: 'blank' },
      ]),
    ).toEqual({ 'then[1]': 'A column is required.' })
    expect(await faultsOf([{ column: 'Status', is: 'oneOf', values: [] }])).toEqual({
      'then[0]': 'At least one is required.',
    })
  })
})
