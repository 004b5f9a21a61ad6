import type { Rule } from '@veridict/contract/model/rule'
import * as engine from '@veridict/engine/try-field'
import { expect, it } from 'vitest'
import { exampleValues } from './try-out.tsx'

const platform = {
  encodeUtf8: (text: string) => new TextEncoder().encode(text),
  decodeUtf8: (bytes: Uint8Array, start: number, end: number) =>
    new TextDecoder().decode(bytes.subarray(start, end)),
  currentYear: 2026,
}

/** The examples of a rule, under what the engine says about them. */
function resultsOf(rule: Rule) {
  const trial = engine.tryField({ name: '', description: '', category: '', required: true, rule }, platform)
  const examples = exampleValues(rule)
  const of = (kind: string) => examples.filter((value) => trial.check(value).kind === kind)
  return { accepted: of('accepted'), refused: of('refused') }
}

it.for<{ rule: Rule; accepted: string[]; refused: string[]; why: string }>([
  {
    rule: { type: 'text' },
    accepted: [' spaces around '],
    refused: [''],
    why: 'spaces around a text do not count',
  },
  {
    rule: { type: 'text', minLength: 2, maxLength: 4 },
    accepted: ['ab', 'abcd'],
    refused: ['', 'a', 'abcde'],
    why: 'both bounds of a length are inclusive',
  },
  {
    rule: { type: 'text', maxLength: 500 },
    accepted: [' spaces around '],
    refused: [''],
    why: '500 characters cannot be counted by eye',
  },
  { rule: { type: 'number' }, accepted: ['12'], refused: ['', '12,5'], why: 'a decimal comma is refused' },
  {
    rule: { type: 'number', scale: 2, minimum: 0, maximum: 100 },
    accepted: ['0', '100'],
    refused: ['', '101', '1.234', '12,5'],
    why: 'both bounds of a number are inclusive, and there is a digit too many',
  },
  {
    rule: { type: 'number', scale: 0, minimum: 5 },
    accepted: ['5'],
    refused: ['', '4', '1.2', '12,5'],
    why: 'one bound alone',
  },
  {
    rule: { type: 'number', maximum: 1e30 },
    accepted: [],
    refused: ['', '12,5'],
    why: 'an exponent would be an example of itself',
  },
  {
    rule: { type: 'date', format: 'dd/MM/yyyy' },
    accepted: ['31/12/2024'],
    refused: ['', '31/02/2024', '31/12/2024 08:30'],
    why: 'a day that does not exist, and a time of day',
  },
  {
    rule: { type: 'date', format: 'yyyy' },
    accepted: ['2024'],
    refused: ['', '2024 08:30'],
    why: 'a format of one part',
  },
  {
    rule: { type: 'pattern', pattern: '\\d{6}' },
    accepted: [],
    refused: [''],
    why: 'nothing is made up for an expression',
  },
  {
    rule: { type: 'list', options: ['Open', 'Closed'] },
    accepted: ['Open'],
    refused: ['', 'open'],
    why: 'upper and lower case count',
  },
  {
    rule: { type: 'list', options: ['7'] },
    accepted: ['7'],
    refused: [''],
    why: 'a value without case has one spelling',
  },
])('Examples of $rule: $why', ({ rule, accepted, refused }) => {
  expect(resultsOf(rule)).toEqual({ accepted, refused })
})
