import type { Field } from '@veridict/contract/model/field'
import { Ajv, type ErrorObject } from 'ajv'
import { parse } from 'csv-parse'
import { createReadStream } from 'node:fs'
import { Findings } from '../findings.ts'
import type { Program } from '../job.ts'
import { isDate, isNumber } from './hand-checks.ts'

const READ_BYTES = 1 << 18

/** csv-parse as a stream, and a JSON Schema for each row, compiled by ajv. */
export const run: Program = async ({ path, fields }) => {
  const validate = rowSchema(fields)
  const indices = new Map(fields.map(({ name }, index) => [name, index]))
  const findings = new Findings(fields.length)
  const rows = createReadStream(path, { highWaterMark: READ_BYTES }).pipe(parse({ columns: true }))
  // Not `for await`: a promise for every row would cost the peer a tenth.
  rows.on('readable', () => {
    for (let row = rows.read(); row !== null; row = rows.read()) checkRow(row)
  })
  await new Promise((resolve, reject) => rows.on('end', resolve).on('error', reject))
  return findings.counts()

  /** In JSON Schema a blank cell is one that is not there. */
  function checkRow(row: Record<string, string>): void {
    for (const name in row) if (row[name] === '') delete row[name]
    if (!validate(row)) {
      const names = new Set(validate.errors!.map(cellOf))
      for (const name of names) findings.badCell(findings.rows, indices.get(name)!, row[name] ?? '')
    }
    findings.rows++
  }
}

const cellOf = ({ keyword, params, instancePath }: ErrorObject): string =>
  keyword === 'required'
    ? params.missingProperty
    : instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')

function rowSchema(fields: readonly Field[]) {
  const ajv = new Ajv({ allErrors: true })
  ajv.addFormat('day', { type: 'string', validate: isDate })
  const properties = Object.fromEntries(
    fields.map(({ name, rule }, index) => [name, { type: 'string', ...keywords(ajv, rule, index) }]),
  )
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return ajv.compile({ type: 'object', properties, required })
}

function keywords(ajv: Ajv, rule: Field['rule'], index: number): object {
  switch (rule.type) {
    case 'text':
      return { minLength: rule.minLength ?? 0, maxLength: rule.maxLength || Number.MAX_SAFE_INTEGER }
    case 'number':
      ajv.addFormat(`number ${index}`, { type: 'string', validate: (text: string) => isNumber(text, rule) })
      return { format: `number ${index}` }
    case 'date':
      return { format: 'day' }
    case 'pattern':
      return { pattern: rule.pattern }
    case 'list':
      return { enum: rule.options }
  }
}
