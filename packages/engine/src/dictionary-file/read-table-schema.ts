import { fileGuards, ruleBookLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import {
  tableSchemaImportNotes as notes,
  tableSchemaNotes,
  tableSchemaProblems as problems,
  tableSchemaRules,
} from '@veridict/contract/messages/table-schema'
import { checkField } from '@veridict/contract/model/check-field'
import type { Field, FieldKey, FieldParts } from '@veridict/contract/model/field'
import { emptyRuleBook, type RowRule, type RuleBook } from '@veridict/contract/model/row-rule'
import { isObject } from '@veridict/contract/notation/is-object'
import { findNamesakes } from '@veridict/contract/notation/label'
import { checkRuleBook } from '#check-rule-book.ts'
import type { ReadDictionary } from '#dictionary-file/read-dictionary.ts'
import { type FieldNote, sentencesOf } from '#dictionary-file/table-schema/field-notes.ts'
import { readField, type SchemaContext } from '#dictionary-file/table-schema/read-field.ts'
import { isSameKey, keyOf, keyRules, type SchemaKeys } from '#dictionary-file/table-schema/schema-keys.ts'
import { readMissingValues, SchemaField, SchemaObject } from '#dictionary-file/table-schema/schema-object.ts'
import type { TextPlatform } from '#platform.ts'
import { patternChecker } from '#rules/re2.ts'

export type ReadTableSchema =
  | (Extract<ReadDictionary, { kind: 'dictionary' }> & {
      /** The title or name of the schema or else of its table; '' if there is none. */
      name: string
      /** What was dropped or altered, a sentence each. */
      notes: string[]
    })
  | Extract<ReadDictionary, { kind: 'problems' }>

/**
 * A Frictionless Table Schema, version 1 or 2, by itself or in a data resource or package with one table;
 * `json` is the file's text. What a dictionary cannot express is dropped or altered, with a note; one that
 * `writeTableSchema` wrote loses nothing. Returns all problems at once. Never throws for what the text holds.
 */
export function readTableSchema(json: string, platform: TextPlatform): ReadTableSchema {
  const found = findSchema(json)
  if (found.kind === 'problem') return { kind: 'problems', problems: [found.problem] }
  const { schema, table } = found
  const reader = new SchemaReader(new SchemaObject(schema))
  const fields = reader.fields()
  const ruleBook = reader.ruleBook(fields, platform)
  if (reader.problems.length > 0) return { kind: 'problems', problems: reader.problems }
  return {
    kind: 'dictionary',
    name: reader.name || (table ?? ''),
    fields,
    ruleBook,
    notes: [...(table === null ? [] : [notes.onlySchema(table)]), ...reader.notes()],
  }
}

class SchemaReader {
  readonly problems: string[] = []
  readonly name: string
  readonly #schema: SchemaObject
  readonly #notes: string[] = []
  readonly #fieldNotes: FieldNote[] = []
  readonly #namesakeOf = findNamesakes()
  readonly #missingValues: readonly string[]
  #keys: SchemaKeys = { primaryKey: null, uniqueKeys: [], unique: [] }

  constructor(schema: SchemaObject) {
    this.#schema = schema
    this.#missingValues = readMissingValues(schema.take('missingValues'))
    // About the schema, not the data: dropped without a note.
    for (const property of ['$schema', tableSchemaNotes]) schema.take(property)
    const name = [schema.take('title'), schema.take('name')].find((text) => typeof text === 'string')
    this.name = (name ?? '').trim()
  }

  fields(): Field[] {
    const descriptors = this.#schema.take('fields') as unknown[]
    // A worksheet cannot have more columns, so no file could ever fit.
    if (descriptors.length > fileGuards.maxColumns) {
      this.problems.push(fieldMessages.tooMany(fileGuards.maxColumns))
      return []
    }
    const shared = { missingValues: this.#missingValues, checkPattern: patternChecker() }
    this.#keys = this.#readKeys(descriptors)
    const fields: Field[] = []
    for (const [index, descriptor] of descriptors.entries()) {
      const field = this.#readField(index + 1, descriptor, shared)
      if (field !== null) fields.push(field)
    }
    this.#readRest()
    return fields
  }

  /** The rules under `veridict:rules`; keys are those in the standard's words, which may have been edited. */
  ruleBook(fields: readonly Field[], platform: TextPlatform): RuleBook {
    const given = this.#schema.take(tableSchemaRules) ?? {}
    const texts = this.#missingValues.map((text) => text.trim()).filter((text) => text !== '')
    const blankTexts = [...new Set(texts)]
    const read = this.#checked(isObject(given) ? { ...given, blankTexts } : given, fields, platform)
    const said = keyRules(this.#keys)
    const isSaid = (rule: RowRule, among: readonly RowRule[]) =>
      among.some((other) => isSameKey(keyOf(rule) ?? [], keyOf(other) ?? []))
    const kept = read.rules.filter((rule) => keyOf(rule) === null || isSaid(rule, said))
    const added = said.filter((rule) => !isSaid(rule, kept))
    const free = ruleBookLimits.maxUnique - kept.filter(({ then }) => then[0]?.is === 'unique').length
    if (added.length > free)
      this.#notes.push(
        notes.tooManyKeys(
          ruleBookLimits.maxUnique,
          added.slice(free).map(({ name }) => name),
        ),
      )
    return this.#checked({ ...read, rules: [...kept, ...added.slice(0, free)] }, fields, platform)
  }

  #checked(given: unknown, fields: readonly Field[], platform: TextPlatform): RuleBook {
    // Rules that name a field with a problem would be reported a second time.
    if (this.problems.length > 0) return emptyRuleBook
    const checked = checkRuleBook(given, fields, platform)
    if (checked.ok) return checked.book
    this.problems.push(...checked.faults.map(({ key, message }) => problems.atRules(key, message)))
    return emptyRuleBook
  }

  /** What is lost, once everything is read. */
  notes(): string[] {
    return [...this.#notes, ...sentencesOf(this.#fieldNotes)]
  }

  /** null on error; the problem is already reported. */
  #readField(number: number, descriptor: unknown, shared: SchemaContext): Field | null {
    if (!isObject(descriptor)) return this.#report(number, '', 'name', problems.notAnObject)
    const name = typeof descriptor.name === 'string' ? descriptor.name : ''
    const field = new SchemaField(descriptor, {
      note: (sentence) => this.#fieldNotes.push({ name, sentence }),
      problem: (property, problem) => this.#report(number, name, property, problem),
    })
    const read = readField(field, shared)
    // A column of the primary key cannot be blank, as if it were required (standard, "primaryKey").
    const isKeyed = this.#keys.primaryKey?.includes(name) === true
    const checked = this.#check(number, name, { ...read, required: read.required === true || isKeyed })
    const earlier = this.#namesakeOf(name, number)
    if (earlier !== undefined) this.#report(number, name, 'name', fieldMessages.nameOfField(name, earlier))
    return checked
  }

  #check(number: number, name: string, read: FieldParts): Field | null {
    const checked = checkField(read)
    if (checked.ok) return checked.field
    for (const { key, message } of checked.problems)
      this.#report(number, name, schemaProperties[key] ?? key, message)
    return null
  }

  #report(number: number, name: string, property: string, problem: string): null {
    this.problems.push(problems.at(number, name, property, problem))
    return null
  }

  #readKeys(descriptors: readonly unknown[]): SchemaKeys {
    const fields = descriptors.filter(isObject)
    const names = new Set(fields.map(({ name }) => name))
    const keyOfNames = (given: unknown): string[][] => {
      const key = [...new Set([given].flat())].filter((name) => typeof name === 'string' && name !== '')
      const unknown = key.filter((name) => !names.has(name)) as string[]
      if (unknown.length > 0) this.#notes.push(notes.keyUnknown(unknown))
      return key.length === 0 || unknown.length > 0 ? [] : [key as string[]]
    }
    const [primaryKey = null] = keyOfNames(this.#schema.take('primaryKey'))
    const isRequired = (key: string) =>
      fields.some(
        ({ name, constraints }) => name === key && isObject(constraints) && constraints.required === true,
      )
    const changed = primaryKey?.filter((name) => !isRequired(name)) ?? []
    if (changed.length > 0) this.#notes.push(notes.primaryKey(changed))
    const uniqueKeys = this.#schema.take('uniqueKeys')
    return {
      primaryKey,
      uniqueKeys: Array.isArray(uniqueKeys) ? uniqueKeys.flatMap(keyOfNames) : [],
      unique: fields.flatMap(({ name, constraints }) =>
        typeof name === 'string' && isObject(constraints) && constraints.unique === true ? [name] : [],
      ),
    }
  }

  #readRest(): void {
    const mode = [this.#schema.take('fieldsMatch')].flat()[0]
    if (typeof mode === 'string' && mode !== 'exact') this.#notes.push(notes.fieldsMatch(mode))
    const foreign = this.#schema.take('foreignKeys')
    if ([foreign ?? []].flat().length > 0) this.#notes.push(notes.keysNotChecked(['foreignKeys']))
    this.#schema.take(tableSchemaRules)
    const ignored = this.#schema.notTaken()
    if (ignored.length > 0) this.#notes.push(notes.ignored(ignored))
  }
}

/** The property of a part of a field, where it has another name in a schema. */
const schemaProperties: Readonly<Partial<Record<FieldKey, string>>> = {
  category: 'veridict:category',
  identifiesRow: 'veridict:identifiesRow',
  scale: 'veridict:scale',
  checkDigit: 'veridict:checkDigit',
  separator: 'delimiter',
  minValues: 'minLength',
  maxValues: 'maxLength',
  options: 'enum',
}

/** A schema with the name of its table, which may be ''; null for a schema without a table. */
type FoundSchema =
  | { kind: 'schema'; schema: { fields: unknown[] }; table: string | null }
  | { kind: 'problem'; problem: string }

/** The file itself, the schema of a data resource, or that of a package's one table. */
function findSchema(json: string): FoundSchema {
  let content: unknown
  try {
    content = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    return { kind: 'problem', problem: problems.notJson((error as Error).message) }
  }
  if (!isObject(content)) return { kind: 'problem', problem: problems.notASchema }
  if (Array.isArray(content.resources) && !Array.isArray(content.fields))
    return schemaOfPackage(content.resources)
  if ('schema' in content) return schemaOf(content.schema, tableName(content))
  return schemaOf(content, null)
}

function schemaOfPackage(resources: readonly unknown[]): FoundSchema {
  const tables = resources
    .filter((resource) => isObject(resource))
    .filter(({ schema }) => schema !== undefined && schema !== null)
  if (tables.length === 0) return { kind: 'problem', problem: problems.noTable }
  if (tables.length > 1) return { kind: 'problem', problem: problems.severalTables(tables.map(tableName)) }
  return schemaOf(tables[0].schema, tableName(tables[0]))
}

function schemaOf(schema: unknown, table: string | null): FoundSchema {
  if (typeof schema === 'string') return { kind: 'problem', problem: problems.schemaElsewhere(schema) }
  if (!isObject(schema) || !Array.isArray(schema.fields))
    return { kind: 'problem', problem: problems.notASchema }
  return { kind: 'schema', schema: schema as { fields: unknown[] }, table }
}

function tableName({ name, path }: Record<string, unknown>): string {
  return [name, path].flat().find((text) => typeof text === 'string') ?? ''
}
