import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from './test-platform.ts'

const platform = testPlatform()

export const field = (name: string, rule: Rule, required = false, description = ''): Field => ({
  name,
  description,
  category: '',
  required,
  rule,
})

/** To validate a CSV file with the names of the fields and these rows. */
export const requestFor = (fields: readonly Field[], rows: readonly string[]) => ({
  source: bytesSource(platform.encodeUtf8([fields.map(({ name }) => name), ...rows].join('\n'))),
  fileName: 'a.csv',
  fields,
  platform,
})

/** The verdict on such a file, which must have bad cells. */
export async function verdictOf(fields: readonly Field[], rows: readonly string[]) {
  const verdict = await validateTable(requestFor(fields, rows))
  if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
  return verdict
}

/** Fields of all types. */
export const PEOPLE = [
  field('Id', { type: 'pattern', pattern: 'P[0-9]{3}' }, true),
  field('Name', { type: 'text', maxLength: 20 }, true),
  field('Born', { type: 'date', format: 'dd/MM/yyyy' }, true),
  field('Amount', { type: 'number', scale: 2 }, true),
  field('Status', { type: 'list', options: ['Open', 'Closed'] }, true),
]
