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
  { rule: { type: 'list', options: ['a', 'b'] }, summary: 'Item from a list, 2 values' },
] as const)('$summary', ({ rule, summary }) => {
  expect(ruleSummary(rule)).toBe(summary)
})
