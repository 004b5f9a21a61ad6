import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDictionary } from '#parse-dictionary.ts'
import { FIELDS, randomRuleBook } from '@veridict/engine/test/random-rule-book'
import { jsonOf } from './convert.ts'

it('A dictionary with any rules reads again from its JSON as it was', async () => {
  const dictionary = fc.record({
    name: fc.constant('Claims'),
    fields: fc.constant(FIELDS),
    ruleBook: randomRuleBook,
  })
  await fc.assert(
    fc.asyncProperty(dictionary, async (written) => {
      expect(await parseDictionary(JSON.parse(jsonOf(written)), 'claims.json')).toEqual(written)
    }),
    { numRuns: 30 },
  )
})
