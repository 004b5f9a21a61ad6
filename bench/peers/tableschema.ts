import type { Field } from '@veridict/contract/model/field'
import { Table } from 'tableschema'
import { Findings, type Program } from '../findings.ts'

/** The JavaScript library of Frictionless Table Schema. It has no rule for decimals. */
export const run: Program = async ({ path, fields }) => {
  const findings = new Findings(fields.length)
  const table = await Table.load(path, { schema: { fields: fields.map(tableField), missingValues: [''] } })
  const rows = await table.iter({ stream: true, forceCast: true })
  rows.on('data', (row) => {
    if (row instanceof Error)
      for (const column of badColumns(row)) findings.badCell(findings.rows, column, '')
    findings.rows++
  })
  await new Promise((resolve, reject) => rows.on('end', resolve).on('error', reject))
  return findings.counts()
}

type CastError = Error & { errors?: CastError[]; columnNumber?: number }

const badColumns = (error: CastError): Set<number> =>
  new Set((error.errors?.length ? error.errors : [error]).map(({ columnNumber = 1 }) => columnNumber - 1))

function tableField({ name, rule, required }: Field): object {
  switch (rule.type) {
    case 'text':
      return {
        name,
        type: 'string',
        constraints: { required, minLength: rule.minLength, maxLength: rule.maxLength },
      }
    case 'number':
      return { name, type: 'number', constraints: { required, minimum: rule.minimum, maximum: rule.maximum } }
    case 'date':
      return { name, type: 'date', format: '%d/%m/%Y', constraints: { required } }
    case 'pattern':
      return { name, type: 'string', constraints: { required, pattern: rule.pattern } }
    case 'list':
      return { name, type: 'string', constraints: { required, enum: rule.options } }
  }
}
