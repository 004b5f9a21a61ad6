import { ruleReasons } from '@veridict/contract/messages/row-rules'
import type { Cause } from '@veridict/contract/model/cause'
import { ruleOfSentence } from '@veridict/contract/test/read-rule-sentence'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Kind', { type: 'text' }),
  field('Tenancy ended', { type: 'text' }),
  field('From', { type: 'date', format: 'yyyy-MM-dd' }),
  field('To', { type: 'date', format: 'yyyy-MM-dd' }),
]
const times = (count: number, ...rows: string[]) => Array.from({ length: count }, () => rows).flat()

async function causeOf(sentence: string, rows: string[], name = 'R'): Promise<Cause> {
  const rules = [{ name, severity: 'error' as const, ...ruleOfSentence(sentence) }]
  const ruleBook = { rules, exempt: null, blankTexts: [], lists: [], day: '2026-11-26' }
  const verdict = await validateTable({ ...requestFor(FIELDS, rows), ruleBook })
  if (verdict.kind !== 'rowErrors') throw new Error(verdict.kind)
  return verdict.causes[0]
}

async function reasonOf(sentence: string, rows: string[]): Promise<string | null> {
  const { message } = await causeOf(sentence, rows)
  return message.startsWith('R: ') ? null : message.slice(0, message.indexOf(' R: '))
}

const listed = '"Kind" is one of "Private", "Council"'
const unlessPrivate = 'Unless "Kind" is one of "Private": "Tenancy ended" is filled'
const ordered = '"To" is at least the value of "From"'

it.for([
  { name: 'By hand', message: 'By hand: If "To" is filled, then "Kind" is blank.' },
  { name: 'Kind must be blank if To is filled', message: 'If "To" is filled, then "Kind" is blank.' },
  { name: 'Kind must be blank if To is filled (2)', message: 'If "To" is filled, then "Kind" is blank.' },
])('The cause of the rule $name says its sentence once', async ({ name, message }) => {
  const cause = await causeOf('If "To" is filled, then "Kind" is blank', ['x,,,2024-01-01'], name)
  expect(cause).toMatchObject({ rule: name, message })
})

describe('The reason that the cause of a rule says first', () => {
  it.for<{ why: string; rule: string; rows: string[]; reason: string | null }>([
    {
      why: 'a value of the demand is misspelt in all rows',
      rule: listed,
      rows: [...times(12, 'Privat,,,'), 'Council,,,'],
      reason: ruleReasons.misspelt('Kind', 'Privat', 'Private'),
    },
    {
      why: 'a value of the condition is misspelt in all rows',
      rule: unlessPrivate,
      rows: [...times(10, 'Privtae,,,'), ...times(3, 'Private,,,')],
      reason: ruleReasons.misspelt('Kind', 'Privtae', 'Private'),
    },
    { why: 'none: too few rows', rule: listed, rows: times(9, 'Privat,,,'), reason: null },
    { why: 'none: two values', rule: listed, rows: [...times(10, 'Privat,,,'), 'Cuncil,,,'], reason: null },
    { why: 'none: another value', rule: listed, rows: times(12, 'Hostel,,,'), reason: null },
    { why: 'none: blank cells', rule: listed, rows: times(12, ',x,,'), reason: null },
    {
      why: 'none: the value is right, and what is demanded is missing',
      rule: 'If "Kind" is one of "Private", then "Tenancy ended" is filled',
      rows: times(12, 'Private,,,'),
      reason: null,
    },
    {
      why: 'two columns are exchanged',
      rule: ordered,
      rows: times(12, 'x,,2024-02-01,2024-01-01'),
      reason: ruleReasons.exchanged('From', 'To'),
    },
    {
      why: 'none: most rows have the order',
      rule: ordered,
      rows: [...times(12, 'x,,2024-02-01,2024-01-01'), ...times(12, 'x,,2024-01-01,2024-02-01')],
      reason: null,
    },
  ])('$why', async ({ rule, rows, reason }) => expect(await reasonOf(rule, rows)).toBe(reason))
})

const emptied = 'If "Kind" is none of "Private", then "Tenancy ended" is blank'

describe('The suggestion of a rule', () => {
  it.for<{ why: string; rule: string; rows: string[]; suggestions: number }>([
    { why: 'the cell that must be blank', rule: emptied, rows: ['Council,x,,'], suggestions: 1 },
    {
      why: 'none where the condition has a misspelt value',
      rule: emptied,
      rows: ['Privat,x,,'],
      suggestions: 0,
    },
    { why: 'only of the other rows', rule: emptied, rows: ['Privat,x,,', 'Council,y,,'], suggestions: 1 },
    {
      why: 'the misspelt cell itself',
      rule: 'If "Tenancy ended" is filled, then "Kind" is one of "Private"',
      rows: ['Privat,x,,'],
      suggestions: 1,
    },
  ])('$why', async ({ rule, rows, suggestions }) => {
    const cause = await causeOf(rule, rows)
    expect(cause.suggestions).toBe(suggestions)
    expect(cause.examples.filter(({ suggestion }) => suggestion !== null)).toHaveLength(suggestions)
  })
})
