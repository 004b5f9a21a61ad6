import { z } from 'zod'
import { newFields } from '#forms/dictionary.ts'
import type { Condition, Operand, RuleBook, RuleTest } from '#model/row-rule.ts'
import { endpoint, etag, optionalEtag } from './endpoint.ts'
import { columnError } from './submission-errors.ts'

/**
 * The rules between the cells of a dictionary, in calls. Requests are checked by `model/check-rule-book`,
 * which knows the fields; these schemas say what replies are. See docs/BEHAVIOUR.md#rules-between-cells.
 */

const texts = z.array(z.string())
const moved = { plus: z.number().optional(), unit: z.enum(['days', 'months', 'years']).optional() }
const operand: z.ZodType<Operand> = z.union([
  z.object({ value: z.string() }),
  z.object({ column: z.string(), times: z.union([z.number(), z.string()]).optional(), ...moved }),
  z.object({ today: z.literal(true), ...moved }),
  z.object({ sum: texts, tolerance: z.number().optional() }),
])
const ofColumn = <const T extends string>(kinds: readonly T[]) =>
  z.object({ column: z.string(), is: z.enum(kinds) })
const ofColumns = <const T extends string>(kinds: readonly T[]) =>
  z.object({ columns: texts, is: z.enum(kinds) })
const test: z.ZodType<RuleTest> = z.union([
  ofColumn(['filled', 'blank', 'distinct']),
  ofColumn(['oneOf', 'noneOf', 'only']).extend({ values: texts }),
  ofColumn(['equal', 'notEqual', 'less', 'atMost', 'more', 'atLeast']).extend({ than: operand }),
  ofColumn(['startingWith', 'endingWith', 'containing']).extend({ text: z.string() }),
  ofColumn(['matching', 'notMatching']).extend({ pattern: z.string() }),
  ofColumn(['count']).extend({ min: z.int().optional(), max: z.int().optional() }),
  ofColumns([
    'allFilled',
    'noneFilled',
    'someFilled',
    'oneFilled',
    'atMostOneFilled',
    'allOrNoneFilled',
    'unique',
  ]),
  ofColumns(['listed']).extend({ rows: z.array(texts) }),
  ofColumns(['listed']).extend({ list: z.string() }),
])
const condition: z.ZodType<Condition> = z.union([
  z.object({ all: z.array(test) }),
  z.object({ any: z.array(test) }),
])

export const ruleBook = z.object({
  rules: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      severity: z.enum(['error', 'warning']),
      from: z.string().optional(),
      when: condition.optional(),
      then: z.array(test),
      otherwise: z.array(test).optional(),
    }),
  ),
  exempt: z.object({ when: condition, description: z.string().optional() }).nullable(),
  blankTexts: texts,
  lists: z.array(z.object({ name: z.string(), columns: texts, rows: z.array(texts) })),
}) satisfies z.ZodType<RuleBook>

const triedErrors = z.array(columnError.omit({ cause: true }))

/** Parts of a rule book in a request. One that is left out is as saved. */
export const unchecked = {
  rules: z.unknown().optional(),
  exempt: z.unknown().optional(),
  blankTexts: z.unknown().optional(),
  lists: z.unknown().optional(),
}

/** A dictionary as it would be. */
export const triedDictionary = z.object({ ...unchecked, fields: newFields.optional() })

export const readRuleBook = endpoint(
  'GET /api/DataDictionary/:id/Rules',
  'superAdmin',
  'Rules between the cells of a dictionary, with what they refer to',
  { reply: ruleBook.extend({ version: etag }) },
)

export const saveRuleBook = endpoint(
  'PUT /api/DataDictionary/:id/Rules',
  'superAdmin',
  'Replace the rules between the cells of a dictionary; a part that is left out stays',
  { body: z.object({ ...unchecked, version: optionalEtag }), reply: ruleBook.extend({ version: etag }) },
)

export const readRuleFailures = endpoint(
  'GET /api/DataDictionary/:id/RuleFailures',
  'superAdmin',
  'How often each rule was not met by uploads of the last days, as far as their reports are kept',
  {
    reply: z.object({
      days: z.int(),
      /** Rules that all uploads met are left out. `cells`: unmet tests. */
      rules: z.array(z.object({ name: z.string(), files: z.int(), cells: z.int() })),
    }),
  },
)

export const tryRow = endpoint(
  'POST /api/DataDictionary/:id/TryRules',
  'superAdmin',
  'Check a row that a person typed in by fields and rules; a part that is left out is as saved',
  {
    body: triedDictionary.extend({ row: z.record(z.string(), z.string()) }),
    reply: z.object({ errors: triedErrors, warnings: triedErrors }),
  },
)
