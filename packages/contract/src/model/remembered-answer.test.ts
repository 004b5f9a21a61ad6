import { expect, it } from 'vitest'
import type { Cause } from '#model/cause.ts'
import { asRemembered, rememberedFor } from '#model/remembered-answer.ts'

const choices = ['Name', 'Note'].map((value) => ({ value, label: value, suggestions: 0, examples: [] }))
const cause = (more: Partial<Cause>): Cause => ({
  id: 'table.columnsRenamed.map',
  kind: 'columnsRenamed',
  columnPosition: null,
  label: null,
  message: '',
  advice: '',
  cells: 0,
  rows: 0,
  firstRow: 1,
  suggestions: 0,
  correctable: 'choice',
  question: 'Which columns are these?',
  choices,
  examples: [],
  ...more,
})

it('An answer stays as far as the question still has its texts and choices', () => {
  const first = cause({ values: [{ value: 'Foo', cells: 0 }] })
  const given = [asRemembered(first, { map: new Map([['Foo', 'Name']]) })]
  const stays = (values: string[], more: Partial<Cause> = {}) =>
    rememberedFor(cause({ values: values.map((value) => ({ value, cells: 0 })), ...more }), given)
  expect(stays(['Foo', 'Bar'])).toEqual({ map: new Map([['Foo', 'Name']]) })
  expect(stays(['Bar'])).toBeUndefined()
  expect(stays(['Foo'], { choices: choices.slice(1) })).toBeUndefined()
})

it('An answer is not one to another question', () => {
  const given = [asRemembered(cause({}), { choice: 'Name' })]
  expect(rememberedFor(cause({}), given)).toEqual({ choice: 'Name' })
  expect(rememberedFor(cause({ question: 'Which column is left out?' }), given)).toBeUndefined()
})
