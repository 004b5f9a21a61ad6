import { checkWireFields, type WireProblemAt } from '@veridict/contract/api/check-wire-field'
import { ruleNumbers, ruleTypeOf, wireSettings } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { ruleTypeNames, ruleTypes } from '@veridict/contract/model/rule'
import { isObject } from '@veridict/contract/notation/is-object'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { checkPattern, checkRuleBook } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { UsageError } from '#exit-code.ts'

/** `name` may be empty. */
export type LoadedDictionary = { name: string; fields: Field[]; ruleBook: RuleBook }

/**
 * `{ name, fields, rules?, exempt?, blankTexts?, lists? }`, or the bare array of fields, checked as in the
 * portal, the fields without its limits. Throws `UsageError` with every problem.
 */
export async function parseDictionary(content: unknown, path: string): Promise<LoadedDictionary> {
  const wireFields = Array.isArray(content) ? content : isObject(content) ? content.fields : undefined
  if (!Array.isArray(wireFields))
    throw new UsageError(`${path} holds no fields: { "name": …, "fields": [ … ] } is expected.`)
  const wires = wireFields.map((field: unknown) => (isObject(field) ? field : {}))
  const { fields, problems } = await checkWireFields(wires, checkPatterns, 'engine')
  if (problems.length === 0)
    return { name: nameOf(content), fields, ruleBook: await ruleBookOf(content, fields, path) }
  throw notADictionary(
    path,
    problems.map((problem) => sentenceOf(problem, wires[problem.index].ruleType)),
  )
}

const nameOf = (content: unknown): string =>
  isObject(content) && typeof content.name === 'string' ? content.name.trim() : ''

export const notADictionary = (path: string, problems: readonly string[]) =>
  new UsageError([`${path} is not a data dictionary:`, ...problems].join('\n  '))

async function ruleBookOf(content: unknown, fields: readonly Field[], path: string): Promise<RuleBook> {
  if (!isObject(content)) return emptyRuleBook
  const { rules, exempt, blankTexts, lists } = content
  const given = { rules, exempt, blankTexts, lists }
  // Checking it loads RE2, which takes 2 ms.
  if (Object.values(given).every((part) => part === undefined)) return emptyRuleBook
  const checked = await checkRuleBook(given, fields, nodePlatform())
  if (checked.ok) return checked.book
  throw notADictionary(
    path,
    checked.faults.map(({ key, message }) => `${key}: ${message}`),
  )
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
