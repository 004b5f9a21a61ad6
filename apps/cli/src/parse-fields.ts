import { checkWireFields, type WireProblemAt } from '@veridict/contract/api/check-wire-field'
import { ruleNumbers, ruleTypeOf, wireSettings } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { ruleTypeNames, ruleTypes } from '@veridict/contract/model/rule'
import { isObject } from '@veridict/contract/notation/is-object'
import { checkPattern } from '@veridict/engine'
import { UsageError } from '#exit-code.ts'

/**
 * The fields of a dictionary written as JSON: `{ name, fields }`, or the bare array of fields. They are
 * checked as the portal checks them, without its limits. Throws `UsageError` with every problem.
 */
export async function parseFields(json: string, path: string): Promise<Field[]> {
  const content = parse(json, path)
  const wireFields = Array.isArray(content) ? content : isObject(content) ? content.fields : undefined
  if (!Array.isArray(wireFields))
    throw new UsageError(`${path} holds no fields: { "name": …, "fields": [ … ] } is expected.`)
  const wires = wireFields.map((field: unknown) => (isObject(field) ? field : {}))
  const { fields, problems } = await checkWireFields(wires, checkPatterns, 'engine')
  if (problems.length === 0) return fields
  const sentences = problems.map((problem) => sentenceOf(problem, wires[problem.index].ruleType))
  throw new UsageError([`${path} is not a data dictionary:`, ...sentences].join('\n  '))
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

async function checkPatterns(patterns: readonly string[]): Promise<(pattern: string) => string | null> {
  const reasons = new Map<string, string | null>()
  for (const pattern of new Set(patterns)) reasons.set(pattern, await checkPattern(pattern))
  return (pattern) => reasons.get(pattern) ?? null
}

/** For example "Field 2, 'Born', format: A valid date format is required." */
function sentenceOf({ index, name, key, message }: WireProblemAt, ruleType: unknown): string {
  const place = `Field ${index + 1}${name === '' ? '' : `, '${name}'`}, ${key}: `
  if (key === 'ruleType') return `${place}it must be ${listed(typeChoices, 'disjunction')}.`
  if (message !== fieldMessages.configInvalid || key !== 'ruleConfig') return place + message
  const type = ruleTypeOf(ruleType)
  if (type === undefined) return place + message
  return `${place}${message} It may hold ${listed(wireSettings(type), 'conjunction')}.`
}

/** '0 Text', '1 Number' … */
const typeChoices = ruleTypes.map((type) => `${ruleNumbers[type]} ${ruleTypeNames[type]}`)
const listed = (texts: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat('en-GB', { type }).format(texts)
