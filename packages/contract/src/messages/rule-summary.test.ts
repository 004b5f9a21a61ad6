import { expect, it } from 'vitest'
import { ruleSummary } from './rule-summary.ts'

it.for([
  { rule: { type: 'text' }, summary: 'Text' },
  { rule: { type: 'text', minLength: 1, maxLength: 120 }, summary: 'Text, 1 to 120 characters' },
  { rule: { type: 'text', maxLength: 5 }, summary: 'Text, at most 5 characters' },
  { rule: { type: 'number', scale: 2, minimum: 0, maximum: 100 }, summary: 'Number, 0 to 100, 2 decimals' },
  { rule: { type: 'number', scale: 0, minimum: 1 }, summary: 'Number, at least 1, whole' },
  { rule: { type: 'date', format: 'dd/MM/yyyy' }, summary: 'Date, dd/MM/yyyy' },
  { rule: { type: 'pattern', pattern: 'a+' }, summary: 'Regular expression' },
  {
    rule: { type: 'pattern', pattern: 'a+', checkDigit: 'npi' },
    summary: 'Regular expression, check digit NPI',
  },
  { rule: { type: 'text', checkDigit: 'isbn13' }, summary: 'Text, check digit ISBN-13' },
  { rule: { type: 'list', options: ['a', 'b'] }, summary: 'Item from a list, 2 values' },
  {
    rule: { type: 'list', options: ['a', 'b'], separator: ';' },
    summary: 'Item from a list, 2 values, several in a cell',
  },
  {
    rule: { type: 'list', options: ['a', 'b'], separator: ';', maxValues: 3 },
    summary: 'Item from a list, 2 values, at most 3 in a cell',
  },
] as const)('$summary', ({ rule, summary }) => {
  expect(ruleSummary(rule)).toBe(summary)
})
