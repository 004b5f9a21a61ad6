import type { Cause } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from './test-platform.ts'

const platform = testPlatform()

/** A column whose values are validated, beside a number that is always valid: a row must not be blank. */
export type SuggestedColumn = {
  why: string
  rule: Rule
  required?: boolean
  description?: string
  /** Each value of the column with its suggestion and the kind of its cause; without them, a valid value. */
  values: readonly (readonly [string] | readonly [string, string | null, Cause['kind']])[]
}

/** The values of a column with the suggestions and kinds that they are given. */
export async function suggestionsIn({ rule, required, description, values }: SuggestedColumn) {
  const { rows, causes } = await verdictOf(
    rule,
    values.map(([value]) => value),
    required,
    description,
  )
  const kinds = new Map(causes.map(({ id, kind }) => [id, kind]))
  const bad = new Map(
    rows.map(({ rowNumber, columnValidationErrors: [{ suggestion, cause }] }) => [
      rowNumber,
      [suggestion, kinds.get(cause)] as const,
    ]),
  )
  return values.map(([value], index) => [value, ...(bad.get(index + 2) ?? [])])
}

/** The errors of a column's bad cells. */
export async function errorsIn({ rule, required, description, values }: SuggestedColumn) {
  const texts = values.map(([value]) => value)
  const { rows } = await verdictOf(rule, texts, required, description)
  return rows.flatMap(({ columnValidationErrors }) => columnValidationErrors)
}

async function verdictOf(rule: Rule, values: readonly string[], required = false, description = '') {
  const field = (name: string, ofField: Rule): Field => ({
    name,
    description,
    category: '',
    required,
    rule: ofField,
  })
  const rows = values.map((value, index) => `${index + 1},"${value.replaceAll('"', '""')}"\n`)
  const verdict = await validateTable({
    source: bytesSource(platform.encodeUtf8(`Id,Value\n${rows.join('')}`)),
    fileName: 'a.csv',
    fields: [field('Id', { type: 'number' }), field('Value', rule)],
    platform: { ...platform, currentYear: 2026 },
  })
  if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
  return verdict
}
