import {
  tableSchemaExportNotes as notes,
  tableSchemaNotes,
  tableSchemaRules,
} from '@veridict/contract/messages/table-schema'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import { ruleBookOf } from '@veridict/contract/model/row-rule'
import type { NumberRule } from '@veridict/contract/model/rule'
import { sentencesOf } from '#dictionary-file/table-schema/field-notes.ts'
import { writeSchemaDate } from '#dictionary-file/table-schema/schema-date.ts'
import { isSaidByKeys, type SchemaKeys, writeKeys } from '#dictionary-file/table-schema/schema-keys.ts'
import { anchored, hasAsciiClasses, hasForeignSyntax } from '#dictionary-file/table-schema/anchored.ts'

/** The profile of the Table Schema that is written, version 2 of the Data Package standard. */
const PROFILE = 'https://datapackage.org/profiles/2.0/tableschema.json'

type Written = { type: string; constraints?: Record<string, unknown>; [property: string]: unknown }

/**
 * The standard's own words wherever it has them, and properties with the prefix `veridict:` for the rest, so
 * that reading it again gives an equal dictionary. `veridict:notes` says what other programs do differently.
 *
 * `fieldsMatch` is left out: its default, `exact`, is meant. The published profile of 2.0 asks for an array
 * by mistake (frictionlessdata/datapackage#965).
 */
export function writeTableSchema({ name, fields, ...given }: Dictionary): string {
  const { rules, exempt, blankTexts, lists } = ruleBookOf(given)
  const keys = writeKeys(rules, fields)
  const isSaid = isSaidByKeys(rules, keys) && exempt === null && lists.length === 0
  const schema = {
    $schema: PROFILE,
    title: name,
    fields: fields.map((field) => writeField(field, keys)),
    missingValues: ['', ...blankTexts],
    ...(keys.primaryKey !== null && { primaryKey: keys.primaryKey }),
    ...(keys.uniqueKeys.length > 0 && { uniqueKeys: keys.uniqueKeys }),
    ...(!isSaid && { [tableSchemaRules]: { rules, exempt, lists } }),
    [tableSchemaNotes]: [...differences(fields), ...(isSaid ? [] : [notes.rules])],
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function writeField(field: Field, { unique }: SchemaKeys): object {
  const { constraints, ...written } = writeRule(field)
  const isUnique = unique.includes(field.name)
  const all = defined({
    required: field.required || undefined,
    unique: isUnique || undefined,
    ...constraints,
  })
  return defined({
    name: field.name,
    ...written,
    description: field.description || undefined,
    constraints: Object.keys(all).length === 0 ? undefined : all,
    'veridict:category': field.category || undefined,
    'veridict:identifiesRow': field.identifiesRow || undefined,
  })
}

function defined(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

function writeRule({ rule }: Field): Written {
  switch (rule.type) {
    case 'text':
      return {
        type: 'string',
        constraints: { minLength: rule.minLength, maxLength: rule.maxLength },
        'veridict:checkDigit': rule.checkDigit,
      }
    case 'number':
      return writeNumber(rule)
    case 'date':
      return writeSchemaDate(rule.format)
    case 'pattern':
      return {
        type: 'string',
        constraints: { pattern: anchored(rule.pattern) },
        'veridict:pattern': rule.pattern,
        'veridict:checkDigit': rule.checkDigit,
      }
    case 'list':
      if (rule.separator === undefined) return { type: 'string', constraints: { enum: rule.options } }
      return {
        type: 'list',
        delimiter: rule.separator,
        constraints: { minLength: rule.minValues, maxLength: rule.maxValues },
        'veridict:options': rule.options,
      }
  }
}

/** The standard's integers have integers as bounds. */
function writeNumber({ scale, minimum, maximum }: NumberRule): Written {
  const isWhole = [minimum, maximum].every((bound) => bound === undefined || Number.isInteger(bound))
  const constraints = { minimum, maximum }
  if (scale === 0 && isWhole) return { type: 'integer', constraints }
  return { type: 'number', constraints, 'veridict:scale': scale }
}

/** What other programs do differently: with any schema, and with these fields. */
function differences(fields: readonly Field[]): string[] {
  const found = fields.flatMap((field) =>
    Array.from(ruleDifferences(field), (sentence) => ({ name: field.name, sentence })),
  )
  const hasCategories = fields.some(({ category }) => category !== '')
  const hasKeys = fields.some(({ identifiesRow }) => identifiesRow)
  return [
    notes.labels,
    ...(hasCategories ? [notes.categories] : []),
    ...(hasKeys ? [notes.keys] : []),
    ...sentencesOf(found),
  ]
}

function* ruleDifferences(field: Field): Generator<string> {
  const { rule } = field
  const { type } = writeRule(field)
  if (rule.type === 'number' && type === 'number') {
    yield notes.numberForms
    if (rule.scale !== undefined) yield notes.scale(rule.scale)
  }
  if (rule.type === 'date' && type === 'date' && rule.format !== 'yyyy-MM-dd') {
    if (/dd|MM/.test(rule.format)) yield notes.twoDigits
    if (/\b[dM]\b/.test(rule.format)) yield notes.oneDigit
    if (/\byy\b/.test(rule.format)) yield notes.twoDigitYear
    if (!rule.format.includes('y') && rule.format.includes('d')) yield notes.noYear
  }
  if (rule.type === 'list' && rule.separator !== undefined) yield notes.severalValues
  if ('checkDigit' in rule) yield notes.checkDigit
  if (rule.type === 'pattern') {
    if (hasAsciiClasses(rule.pattern)) yield notes.asciiClasses
    if (hasForeignSyntax(rule.pattern)) yield notes.patternSyntax
  }
}
