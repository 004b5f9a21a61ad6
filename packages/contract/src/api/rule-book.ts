import { z } from 'zod'
import { newFields } from '#forms/dictionary.ts'
import { endpoint, etag, optionalEtag } from './endpoint.ts'
import { ruleBook } from './rule-book-shape.ts'
import { columnError } from './report-shape.ts'

const triedErrors = z.array(columnError.omit({ cause: true }))

/** Checked as a whole, with the fields. */
const part = z.unknown().optional().describe('As in the reply of GET /api/DataDictionary/{id}/Rules')
/** Parts of a rule book in a request. One that is left out is as saved. */
export const unchecked = { rules: part, exempt: part, blankTexts: part, lists: part }

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
