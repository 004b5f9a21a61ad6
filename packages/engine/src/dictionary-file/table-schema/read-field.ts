import { isObject } from '@veridict/contract/notation/is-object'
import { dictionaryLimits, nameLimits } from '@veridict/contract/limits'
import {
  tableSchemaImportNotes as notes,
  tableSchemaProblems as problems,
} from '@veridict/contract/messages/table-schema'
import type { FieldParts } from '@veridict/contract/model/field'
import type { FieldReporter } from '#dictionary-file/table-schema/field-notes.ts'
import { readSchemaDate, type SchemaDate } from '#dictionary-file/table-schema/schema-date.ts'
import { listedValues } from '#dictionary-file/table-schema/listed-values.ts'
import { readMissingValues } from '#dictionary-file/table-schema/missing-values.ts'
import { readNumberRule } from '#dictionary-file/table-schema/read-number-rule.ts'
import {
  anchored,
  hasAsciiClasses,
  hasClassSubtraction,
  UUID_PATTERN,
} from '#dictionary-file/table-schema/anchored.ts'
import { SchemaObject } from '#dictionary-file/table-schema/schema-object.ts'
import { NearestOption } from '#likeness/nearest-option.ts'
import type { CheckPattern } from '#rules/re2.ts'

const TYPES = (
  'string number integer boolean object array list datetime date time year yearmonth ' +
  'duration geopoint geojson any'
).split(' ')
/** Any text is accepted. */
const ANY_TEXT: FieldParts = { type: 'text' }

/** What the fields of a schema share; a field may have missing values of its own. */
export type SchemaContext = { missingValues: readonly string[]; checkPattern: CheckPattern }

/**
 * Reads one field of a Table Schema. What a dictionary cannot express becomes a note; what contradicts the
 * standard is reported as a problem.
 */
export function readField(field: SchemaObject, schema: SchemaContext, reporter: FieldReporter): FieldParts {
  return new FieldReader(field, schema, reporter).read()
}

class FieldReader {
  readonly #field: SchemaObject
  readonly #constraints: SchemaObject
  readonly #schema: SchemaContext
  readonly #reporter: FieldReporter
  readonly #type: string
  readonly #format: string
  /** Properties that were read and cannot be kept. */
  readonly #unkept: string[] = []

  constructor(field: SchemaObject, schema: SchemaContext, reporter: FieldReporter) {
    this.#field = field
    this.#schema = schema
    this.#reporter = reporter
    const constraints = field.take('constraints') ?? {}
    if (!isObject(constraints)) reporter.problem('constraints', problems.notAnObject)
    this.#constraints = new SchemaObject(isObject(constraints) ? constraints : {})
    this.#type = this.#text('type', 'any')
    // Version 0 of the standard wrote formats of dates with a prefix.
    this.#format = this.#text('format', 'default').replace(/^fmt:/, '')
  }

  read(): FieldParts {
    const field = {
      name: this.#field.take('name'),
      description: this.#shortened(this.#description()),
      category: this.#text('veridict:category', ''),
      required: this.#flag('required'),
      identifiesRow: this.#isTrue('veridict:identifiesRow', this.#field.take('veridict:identifiesRow')),
      ...this.#rule(),
    }
    this.#noteMissingValues(this.#schema.missingValues)
    // The schema reads it with the other keys.
    this.#flag('unique')
    const unchecked = this.#constraints.notTaken()
    if (unchecked.length > 0) this.#reporter.note(notes.notChecked(unchecked))
    const unkept = [...this.#unkept, ...this.#field.notTaken()]
    if (unkept.length > 0) this.#reporter.note(notes.notKept(unkept))
    return field
  }

  #rule(): FieldParts {
    if (!TYPES.includes(this.#type)) {
      const nearest = new NearestOption(TYPES).to(this.#type)
      this.#reporter.problem('type', problems.unknownType(this.#type, nearest))
      return ANY_TEXT
    }
    return this.#severalValues() ?? this.#list() ?? this.#ruleOfType()
  }

  #severalValues(): FieldParts | null {
    const options = this.#type === 'list' ? this.#field.take('veridict:options') : undefined
    if (options === undefined) return null
    return {
      type: 'list',
      options,
      separator: this.#field.take('delimiter') ?? ',',
      minValues: this.#constraints.take('minLength'),
      maxValues: this.#constraints.take('maxLength'),
    }
  }

  /** A field with listed values becomes a list, whatever its type. */
  #list(): FieldParts | null {
    const values = listedValues(this.#type, this.#field, this.#constraints, this.#reporter)
    return values === null ? null : { type: 'list', options: values }
  }

  #ruleOfType(): FieldParts {
    switch (this.#type) {
      case 'string':
        return {
          ...(this.#pattern() ?? this.#lengths()),
          checkDigit: this.#field.take('veridict:checkDigit'),
        }
      case 'number':
      case 'integer':
        return readNumberRule(this.#type, this.#field, this.#constraints, this.#reporter)
      case 'date':
      case 'year':
      case 'yearmonth':
        return this.#date(this.#type)
      case 'any':
        return ANY_TEXT
      default:
        this.#reporter.note(notes.typeAsText(this.#type))
        return ANY_TEXT
    }
  }

  #date(type: SchemaDate['type']): FieldParts {
    const format = readSchemaDate(type, this.#format, this.#field.take('veridict:format'))
    if (format !== null) return { type: 'date', format }
    this.#reporter.note(notes.dateFormatAsText(this.#format))
    return ANY_TEXT
  }

  /** null if there is none, or none that can be run. */
  #pattern(): FieldParts | null {
    const written = this.#constraints.take('pattern')
    const ours = this.#field.take('veridict:pattern')
    if (written === undefined || written === '')
      return this.#format === 'uuid' ? this.#uuid() : this.#noteFormat()
    this.#noteFormat()
    if (typeof written !== 'string') {
      this.#reporter.problem('pattern', problems.notA(JSON.stringify(written), 'a text'))
      return null
    }
    if (written.length > nameLimits.maxTextLength) {
      this.#reporter.note(notes.patternTooLong(nameLimits.maxTextLength))
      return null
    }
    // Our own property counts only while it means the same: the standard's may have been edited.
    const isOurs = typeof ours === 'string' && anchored(ours) === written
    const pattern = isOurs ? ours : written
    const reason =
      hasClassSubtraction(pattern) && !isOurs ? notes.classSubtraction : this.#schema.checkPattern(pattern)
    if (reason !== null) {
      this.#reporter.note(notes.patternRefused(pattern, reason))
      return null
    }
    if (!isOurs && hasAsciiClasses(pattern)) this.#reporter.note(notes.asciiClasses)
    return { type: 'pattern', pattern }
  }

  #uuid(): FieldParts {
    this.#reporter.note(notes.uuidAsPattern)
    return { type: 'pattern', pattern: UUID_PATTERN }
  }

  #noteFormat(): null {
    if (this.#format !== 'default') this.#reporter.note(notes.formatNotChecked(this.#format))
    return null
  }

  #lengths(): FieldParts {
    return { type: 'text', minLength: this.#length('minLength'), maxLength: this.#length('maxLength') }
  }

  #length(constraint: 'minLength' | 'maxLength'): number | undefined {
    const written = this.#constraints.take(constraint)
    if (written === undefined) return undefined
    const length = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written
    const most = dictionaryLimits.maxTextLengthBound
    if (!Number.isInteger(length) || (length as number) < 0) {
      this.#reporter.problem(
        constraint,
        problems.notA(JSON.stringify(written), 'a whole number of at least 0'),
      )
    } else if ((length as number) > most)
      this.#reporter.note(notes.lengthTooLarge(constraint, length as number, most))
    else if (length === 0 && constraint === 'maxLength') this.#reporter.note(notes.maxLengthZero)
    else return length as number
    return undefined
  }

  /** The title stands in for a missing description. */
  #description(): string {
    const description = this.#text('description', '')
    const title = this.#text('title', '')
    if (title === '' || title === description || title === this.#field.take('name')) return description
    if (description !== '') this.#unkept.push('title')
    else this.#reporter.note(notes.titleUsed)
    return description || title
  }

  /** No rule depends on a description, so a long one is no reason to refuse a schema. */
  #shortened(description: string): string {
    const text = description.trim()
    const most = nameLimits.maxTextLength
    if (text.length <= most) return text
    this.#reporter.note(notes.descriptionShortened(most))
    return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
  }

  #noteMissingValues(ofSchema: readonly string[]): void {
    const own = this.#field.take('missingValues')
    const values = own === undefined ? ofSchema : readMissingValues(own)
    const others = (from: readonly string[], but: readonly string[]) =>
      from.filter((value) => value.trim() !== '' && !but.includes(value))
    const [here, elsewhere] = [others(values, ofSchema), others(ofSchema, values)]
    if (here.length > 0) this.#reporter.note(notes.missingValues(here))
    if (elsewhere.length > 0) this.#reporter.note(notes.missingElsewhere(elsewhere))
    if (!values.includes('')) this.#reporter.note(notes.blankIsValue)
  }

  #flag(constraint: 'required' | 'unique'): boolean {
    return this.#isTrue(constraint, this.#constraints.take(constraint))
  }

  #isTrue(property: string, given: unknown): boolean {
    const value = given ?? false
    if (typeof value !== 'boolean')
      this.#reporter.problem(property, problems.notA(JSON.stringify(value), 'true or false'))
    return value === true
  }

  #text(property: string, absent: string): string {
    const value = this.#field.take(property) ?? absent
    if (typeof value === 'string') return value
    this.#reporter.problem(property, problems.notA(JSON.stringify(value), 'a text'))
    return absent
  }
}
