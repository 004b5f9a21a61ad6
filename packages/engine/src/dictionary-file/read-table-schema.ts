import { isObject } from '@veridict/contract/notation/is-object'
import { fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import {
  tableSchemaImportNotes as notes,
  tableSchemaNotes,
  tableSchemaProblems as problems,
} from '@veridict/contract/messages/table-schema'
import { checkField } from '@veridict/contract/model/check-field'
import type { Field, FieldKey, FieldParts } from '@veridict/contract/model/field'
import { findNamesakes } from '@veridict/contract/notation/label'
import { FieldNotes } from '#dictionary-file/table-schema/field-notes.ts'
import { findSchema } from '#dictionary-file/table-schema/find-schema.ts'
import { readField, type SchemaContext } from '#dictionary-file/table-schema/read-field.ts'
import { readMissingValues } from '#dictionary-file/table-schema/missing-values.ts'
import { SchemaObject } from '#dictionary-file/table-schema/schema-object.ts'
import { patternChecker } from '#rules/re2.ts'

export type ReadTableSchema =
  | {
      kind: 'fields'
      /** The title or name of the schema or else of its table; '' if there is none. */
      name: string
      fields: Field[]
      /** What was dropped or altered, a sentence each. */
      notes: string[]
    }
  | { kind: 'problems'; problems: string[] }

/**
 * Reads a Frictionless Table Schema, version 1 or 2, by itself or inside a data resource or a data package
 * with one table; `json` is the file's text. What a dictionary cannot express is dropped or
 * altered, with a note; a schema that `writeTableSchema` wrote loses nothing. Returns all problems at once.
 * Never throws for what the text holds.
 */
export function readTableSchema(json: string): ReadTableSchema {
  const found = findSchema(json)
  if (found.kind === 'problem') return { kind: 'problems', problems: [found.problem] }
  const { schema, table } = found
  const reader = new SchemaReader(new SchemaObject(schema))
  const fields = reader.read()
  if (reader.problems.length > 0) return { kind: 'problems', problems: reader.problems }
  return {
    kind: 'fields',
    name: reader.name || (table ?? ''),
    fields,
    notes: [...(table === null ? [] : [notes.onlySchema(table)]), ...reader.notes()],
  }
}

/** About the schema, not the data: dropped without a note. */
const ABOUT_THE_SCHEMA = ['$schema', tableSchemaNotes]

class SchemaReader {
  readonly problems: string[] = []
  readonly name: string
  readonly #schema: SchemaObject
  readonly #notes: string[] = []
  readonly #fieldNotes = new FieldNotes()
  readonly #namesakeOf = findNamesakes()

  constructor(schema: SchemaObject) {
    this.#schema = schema
    for (const property of ABOUT_THE_SCHEMA) schema.take(property)
    const name = [schema.take('title'), schema.take('name')].find((text) => typeof text === 'string')
    this.name = (name ?? '').trim()
  }

  read(): Field[] {
    const descriptors = this.#schema.take('fields') as unknown[]
    // A worksheet cannot have more columns, so no file could ever fit.
    if (descriptors.length > fileGuards.maxColumns) {
      this.problems.push(fieldMessages.tooMany(fileGuards.maxColumns))
      return []
    }
    const shared = {
      missingValues: readMissingValues(this.#schema.take('missingValues')),
      checkPattern: patternChecker(),
    }
    const keyed = this.#primaryKey(descriptors)
    const fields: Field[] = []
    for (const [index, descriptor] of descriptors.entries()) {
      const field = this.#readField(index + 1, descriptor, shared, keyed)
      if (field !== null) fields.push(field)
    }
    this.#readRest()
    return fields
  }

  /** What is lost, once everything is read. */
  notes(): string[] {
    return [...this.#notes, ...this.#fieldNotes.sentences()]
  }

  /** null on error; the problem is already reported. */
  #readField(
    number: number,
    descriptor: unknown,
    shared: SchemaContext,
    keyed: ReadonlySet<string>,
  ): Field | null {
    if (!isObject(descriptor)) return this.#report(number, '', 'name', problems.notAnObject)
    const name = typeof descriptor.name === 'string' ? descriptor.name : ''
    const read = readField(new SchemaObject(descriptor), shared, {
      note: (sentence) => this.#fieldNotes.add(name, sentence),
      problem: (property, problem) => this.#report(number, name, property, problem),
    })
    const field = this.#check(number, name, { ...read, required: read.required === true || keyed.has(name) })
    this.#refuseDuplicateName(number, name)
    return field
  }

  #check(number: number, name: string, read: FieldParts): Field | null {
    const checked = checkField(read)
    if (checked.ok) return checked.field
    for (const { key, message } of checked.problems)
      this.#report(number, name, schemaProperties[key] ?? key, message)
    return null
  }

  #refuseDuplicateName(number: number, name: string): void {
    const earlier = this.#namesakeOf(name, number)
    if (earlier !== undefined) this.#report(number, name, 'name', fieldMessages.nameOfField(name, earlier))
  }

  #report(number: number, name: string, property: string, problem: string): null {
    this.problems.push(problems.at(number, name, property, problem))
    return null
  }

  /** A column of the primary key cannot be empty, as if it were required (standard, "primaryKey"). */
  #primaryKey(descriptors: readonly unknown[]): ReadonlySet<string> {
    const key = [this.#schema.take('primaryKey')]
      .flat()
      .filter((name): name is string => typeof name === 'string' && name !== '')
    const names = new Set(descriptors.filter(isObject).map(({ name }) => name))
    const known = key.filter((name) => names.has(name))
    const unknown = key.filter((name) => !names.has(name))
    if (known.length > 0) this.#notes.push(notes.primaryKey(known))
    if (unknown.length > 0) this.#notes.push(notes.keyUnknown(unknown))
    return new Set(known)
  }

  #readRest(): void {
    const mode = [this.#schema.take('fieldsMatch')].flat()[0]
    if (typeof mode === 'string' && mode !== 'exact') this.#notes.push(notes.fieldsMatch(mode))
    const keys = ['uniqueKeys', 'foreignKeys'].filter(
      (property) => [this.#schema.take(property) ?? []].flat().length > 0,
    )
    if (keys.length > 0) this.#notes.push(notes.keysNotChecked(keys))
    const ignored = this.#schema.notTaken()
    if (ignored.length > 0) this.#notes.push(notes.ignored(ignored))
  }
}

/** The property of a part of a field, where it has another name in a schema. */
const schemaProperties: Readonly<Partial<Record<FieldKey, string>>> = {
  category: 'veridict:category',
  identifiesRow: 'veridict:identifiesRow',
  scale: 'veridict:scale',
  options: 'enum',
}
