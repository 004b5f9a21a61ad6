import type { Field } from '@veridict/contract/model/field'
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import * as z from 'zod'
import { Findings } from '../findings.ts'
import type { Program } from '../job.ts'
import { isDate, isNumber } from './hand-checks.ts'

/** papaparse, the most used CSV reader for JavaScript, and a zod schema for each row. */
export const run: Program = async ({ path, fields }) => {
  const schema = z.object(Object.fromEntries(fields.map((field) => [field.name, cellSchema(field)])))
  const indices = new Map(fields.map(({ name }, index) => [name, index]))
  const findings = new Findings(fields.length)
  Papa.parse<Record<string, string>>(readFileSync(path, 'utf8'), {
    header: true,
    skipEmptyLines: true,
    step: ({ data }) => {
      const { error } = schema.safeParse(data)
      // A cell may have several issues; they come together.
      let last = -1
      for (const {
        path: [name],
      } of error?.issues ?? []) {
        const column = indices.get(name as string)!
        if (column !== last) findings.badCell(findings.rows, column, data[name as string])
        last = column
      }
      findings.rows++
    },
  })
  return findings.counts()
}

function cellSchema({ rule, required }: Field): z.ZodType<string> {
  const filled = filledSchema(rule)
  if (!required) return z.union([z.literal(''), filled])
  return rule.type === 'text' && !rule.minLength ? filled.refine((text) => text !== '') : filled
}

function filledSchema(rule: Field['rule']): z.ZodType<string> {
  switch (rule.type) {
    case 'text':
      return z
        .string()
        .min(rule.minLength ?? 0)
        .max(rule.maxLength || Infinity)
    case 'number':
      return z.string().refine((text) => isNumber(text, rule))
    case 'date':
      return z.string().refine(isDate)
    case 'pattern':
      return z.string().regex(new RegExp(rule.pattern))
    case 'list':
      return z.enum(rule.options as [string, ...string[]])
  }
}
