import { describe, expect, it } from 'vitest'
import { fieldMessages as messages } from '#messages/fields.ts'
import { noticeMessages } from '#messages/notices.ts'
import { checkField, type FieldBounds } from '#model/check-field.ts'
import type { FieldParts } from '#model/field.ts'

const field = (given: FieldParts): FieldParts => ({ name: 'Amount', type: 'text', ...given })

/** The messages of a field by key. */
function problemsOf(given: FieldParts, bounds?: FieldBounds): Record<string, string[]> {
  const checked = checkField(given, bounds)
  const problems: Record<string, string[]> = {}
  for (const { key, message } of checked.ok ? [] : checked.problems) (problems[key] ??= []).push(message)
  return problems
}

describe('The parts of a field', () => {
  it('are trimmed, and have defaults', () =>
    expect(checkField(field({ name: ' Amount ', category: null }))).toEqual({
      ok: true,
      field: { name: 'Amount', description: '', category: '', required: true, rule: { type: 'text' } },
    }))

  it.for([
    { given: { name: ' ' }, problems: { name: [messages.nameRequired] } },
    { given: { name: 1 }, problems: { name: [messages.nameRequired] } },
    { given: { name: 'x'.repeat(255) }, problems: { name: [noticeMessages.tooLong(254)] } },
    { given: { name: 'a\0' }, problems: { name: [noticeMessages.invalidValue] } },
    { given: { description: 'x'.repeat(2001) }, problems: { description: [noticeMessages.tooLong(2000)] } },
    { given: { description: 1 }, problems: { description: [noticeMessages.invalidValue] } },
    { given: { required: null }, problems: { required: [noticeMessages.invalidValue] } },
    { given: { type: undefined }, problems: { type: [messages.typeRequired] } },
    { given: { type: 'constructor' }, problems: { type: [messages.typeRequired] } },
  ])('are checked: $given', ({ given, problems }) => expect(problemsOf(field(given))).toEqual(problems))
})

describe('The settings of a rule', () => {
  it.for([
    { rule: { type: 'text', minLength: 0, maxLength: 500 }, problems: {} },
    { rule: { type: 'text', minLength: null }, problems: {} },
    { rule: { type: 'text', minLength: -1 }, problems: { minLength: [messages.negativeLength] } },
    {
      rule: { type: 'text', minLength: -1.5 },
      problems: { minLength: [messages.negativeLength, messages.lengthNotInteger] },
    },
    { rule: { type: 'text', minLength: Infinity }, problems: { minLength: [messages.lengthNotInteger] } },
    { rule: { type: 'text', maxLength: '5' }, problems: { maxLength: [messages.lengthNotInteger] } },
    { rule: { type: 'text', minLength: 501 }, problems: { minLength: [messages.minLengthTooLarge] } },
    { rule: { type: 'text', minLength: 5, maxLength: 0 }, problems: { maxLength: [messages.maxLengthZero] } },
    { rule: { type: 'text', maxLength: 501 }, problems: { maxLength: [messages.maxLengthInvalid] } },
    {
      rule: { type: 'text', minLength: 5, maxLength: 4 },
      problems: { minLength: [messages.minLengthAboveMaximum], maxLength: [messages.maxLengthInvalid] },
    },
    { rule: { type: 'number', scale: 2, minimum: 0, maximum: 0 }, problems: {} },
    { rule: { type: 'number', scale: -1 }, problems: { scale: [messages.scaleInvalid] } },
    { rule: { type: 'number', scale: 0.5 }, problems: { scale: [messages.scaleInvalid] } },
    { rule: { type: 'number', maximum: NaN }, problems: { maximum: [messages.configInvalid] } },
    {
      rule: { type: 'number', minimum: 2, maximum: 1 },
      problems: { minimum: [messages.minimumAboveMaximum], maximum: [messages.maximumBelowMinimum] },
    },
    { rule: { type: 'date' }, problems: { format: [messages.dateFormatRequired] } },
    { rule: { type: 'date', format: 'DD/MM' }, problems: { format: [messages.dateFormatInvalid] } },
    { rule: { type: 'pattern', pattern: '' }, problems: { pattern: [messages.patternRequired] } },
    { rule: { type: 'pattern', pattern: ' \t' }, problems: { pattern: [messages.patternRequired] } },
    { rule: { type: 'list', options: 'Open' }, problems: { options: [messages.listRequired] } },
    { rule: { type: 'list', options: [' ', ''] }, problems: { options: [messages.listRequired] } },
    {
      rule: { type: 'list', options: ['a', 1, null] },
      problems: { options: Array(2).fill(messages.configInvalid) },
    },
    { rule: { type: 'list', options: ['a\nb'] }, problems: { options: [messages.listValueWithLineBreak] } },
  ])('$rule', ({ rule, problems }) => expect(problemsOf(field(rule))).toEqual(problems))

  it('of a list are trimmed, without blanks and duplicates', () =>
    expect(checkField(field({ type: 'list', options: [' a ', '', 'b', 'a'] }))).toMatchObject({
      field: { rule: { type: 'list', options: ['a', 'b'] } },
    }))

  it.for([
    { rule: { type: 'text', minLength: 900, maxLength: 800 }, why: 'more than the portal allows' },
    { rule: { type: 'number', minimum: 2, maximum: 1 }, why: 'bounds that no value meets' },
    { rule: { type: 'pattern', pattern: ' ' }, why: 'a pattern of blanks' },
    { rule: { type: 'list', options: [' a', 'a\nb'] }, why: 'options as they are written' },
  ])('may be all that the engine can run: $why', ({ rule }) =>
    expect(checkField(field({ name: 'x'.repeat(300), ...rule }), 'engine')).toMatchObject({
      field: { rule },
    }),
  )

  it('have no longest length where that is 0', () =>
    expect(checkField(field({ type: 'text', maxLength: 0 }), 'engine')).toMatchObject({
      field: { rule: { type: 'text' } },
    }))
})
