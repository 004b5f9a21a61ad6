import type { Dictionary } from '@veridict/contract/model/field'
import { checkDigitSchemes, type RuleOf, type RuleType } from '@veridict/contract/model/rule'
import { labelKey } from '@veridict/contract/notation/label'
import fc from 'fast-check'
import { checkPattern } from '#rules/re2.ts'

const line = (most: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: most })
    .filter((text) => /^\S/.test(text) && text === text.trim() && text !== '')
const bound = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
const ordered = <T>(value: fc.Arbitrary<T>, least: string, most: string) =>
  fc
    .tuple(fc.option(value, { nil: undefined }), fc.option(value, { nil: undefined }))
    .map(([a, b]) => (a != null && b != null && a > b ? [b, a] : [a, b]))
    .map(([a, b]) => ({ ...(a == null ? {} : { [least]: a }), ...(b == null ? {} : { [most]: b }) }))
const dateFormats = fc
  .tuple(
    fc.shuffledSubarray(['d', 'M', 'y'], { minLength: 1 }),
    fc.constantFrom('/', '.', '-'),
    fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  )
  .map(([units, separator, long]) =>
    units.map((unit, index) => unit.repeat((long[index] ? 2 : 1) * (unit === 'y' ? 2 : 1))).join(separator),
  )
const rules: { [T in RuleType]: fc.Arbitrary<RuleOf<T>> } = {
  text: fc
    .tuple(
      ordered(fc.integer({ min: 1, max: 500 }), 'minLength', 'maxLength'),
      fc.constantFrom(undefined, ...checkDigitSchemes),
    )
    .map(([lengths, checkDigit]) => ({ type: 'text', ...lengths, ...(checkDigit && { checkDigit }) })),
  number: fc
    .tuple(
      ordered(fc.oneof(bound, fc.integer()), 'minimum', 'maximum'),
      fc.option(fc.nat(6), { nil: undefined }),
    )
    .map(([bounds, scale]) => ({ type: 'number', ...bounds, ...(scale === undefined ? {} : { scale }) })),
  date: dateFormats.map((format) => ({ type: 'date', format })),
  pattern: fc
    .oneof(
      line(20),
      fc.stringMatching(/^\^?(\[a-c\]|\\d|x|\||\(y\)|\(\?i\)|\{2\}|\[a-z-\[aeiou\]\]){1,4}\$?$/),
    )
    .filter((pattern) => checkPattern(pattern) === null)
    .map((pattern) => ({ type: 'pattern', pattern })),
  list: fc.uniqueArray(line(12), { minLength: 1, maxLength: 6 }).chain((options) => {
    const separators = [';', '|', '\t', ' ', '"', '👍'].filter((one) => !options.join('').includes(one))
    const several = fc
      .tuple(
        fc.constantFrom(...separators),
        ordered(fc.integer({ min: 1, max: 9 }), 'minValues', 'maxValues'),
      )
      .map(([separator, bounds]) => ({ separator, ...bounds }))
    return fc
      .option(several, { nil: {} })
      .map((settings): RuleOf<'list'> => ({ type: 'list', options, ...settings }))
  }),
}
/** Dictionaries of every type, as the form lets them be. */
export const randomDictionary: fc.Arbitrary<Dictionary> = fc.record({
  name: fc.string({ maxLength: 20 }),
  fields: fc.uniqueArray(
    fc.record(
      {
        name: line(20),
        description: fc.oneof(fc.constant(''), line(40)),
        category: fc.oneof(fc.constant(''), line(10)),
        required: fc.boolean(),
        identifiesRow: fc.constant(true),
        rule: fc.oneof(...Object.values(rules)),
      },
      { requiredKeys: ['name', 'description', 'category', 'required', 'rule'] },
    ),
    { maxLength: 6, selector: ({ name }) => labelKey(name) },
  ),
})
