import { dictionaryLimits, nameLimits } from '@veridict/contract/limits'
import {
  tableSchemaImportNotes as notes,
  tableSchemaProblems as problems,
} from '@veridict/contract/messages/table-schema'
import type { FieldParts } from '@veridict/contract/model/field'
import { readSchemaDate, type SchemaDate } from '#dictionary-file/table-schema/schema-date.ts'
import { listedValues } from '#dictionary-file/table-schema/listed-values.ts'
import { readNumberRule } from '#dictionary-file/table-schema/read-number-rule.ts'
import {
  anchored,
  hasAsciiClasses,
  hasClassSubtraction,
  UUID_PATTERN,
} from '#dictionary-file/table-schema/anchored.ts'
import { readMissingValues, type SchemaField } from '#dictionary-file/table-schema/schema-object.ts'
import { NearestOption } from '#likeness/nearest-option.ts'
import type { CheckPattern } from '#rules/re2.ts'

const TYPES = (
  'string number integer boolean object array list datetime date time year yearmonth ' +
  'duration geopoint geojson any'
).split(' ')
const ANY_TEXT: FieldParts = { type: 'text' }

/** What the fields of a schema share; a field may have missing values of its own. */
export type SchemaContext = { missingValues: readonly string[]; checkPattern: CheckPattern }

/** What a dictionary cannot express becomes a note; what contradicts the standard, a problem. */
export const readField = (field: SchemaField, schema: SchemaContext): FieldParts =>
  new FieldReader(field, schema).read()

class FieldReader {
  readonly #field: SchemaField
  readonly #schema: SchemaContext
  readonly #type: string
  readonly #format: string
  /** Properties that were read and cannot be kept. */
  readonly #unkept: string[] = []

  constructor(field: SchemaField, schema: SchemaContext) {
    this.#field = field
    this.#schema = schema
    this.#type = this.#field.text('type', 'any')
    // Version 0 of the standard wrote formats of dates with a prefix.
    this.#format = this.#field.text('format', 'default').replace(/^fmt:/, '')
  }

  read(): FieldParts {
    const field = {
      name: this.#field.take('name'),
      description: this.#shortened(this.#description()),
      category: this.#field.text('veridict:category', ''),
      required: this.#field.isTrue('required', this.#field.constraints),
      identifiesRow: this.#field.isTrue('veridict:identifiesRow'),
      ...this.#rule(),
    }
    this.#noteMissingValues(this.#schema.missingValues)
    // The schema reads it with the other keys.
    this.#field.isTrue('unique', this.#field.constraints)
    const unchecked = this.#field.constraints.notTaken()
    if (unchecked.length > 0) this.#field.note(notes.notChecked(unchecked))
    const unkept = [...this.#unkept, ...this.#field.notTaken()]
    if (unkept.length > 0) this.#field.note(notes.notKept(unkept))
    return field
  }

  #rule(): FieldParts {
    if (!TYPES.includes(this.#type)) {
      const nearest = new NearestOption(TYPES).to(this.#type)
      this.#field.problem('type', problems.unknownType(this.#type, nearest))
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
      minValues: this.#field.constraints.take('minLength'),
      maxValues: this.#field.constraints.take('maxLength'),
    }
  }

  /** A field with listed values becomes a list, whatever its type. */
  #list(): FieldParts | null {
    const values = listedValues(this.#type, this.#field)
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
        return readNumberRule(this.#type, this.#field)
      case 'date':
      case 'year':
      case 'yearmonth':
        return this.#date(this.#type)
      case 'any':
        return ANY_TEXT
      default:
        this.#field.note(notes.typeAsText(this.#type))
        return ANY_TEXT
    }
  }

  #date(type: SchemaDate['type']): FieldParts {
    const format = readSchemaDate(type, this.#format, this.#field.take('veridict:format'))
    if (format !== null) return { type: 'date', format }
    this.#field.note(notes.dateFormatAsText(this.#format))
    return ANY_TEXT
  }

  /** null if there is none, or none that can be run. */
  #pattern(): FieldParts | null {
    const written = this.#field.constraints.take('pattern')
    const ours = this.#field.take('veridict:pattern')
    if (written === undefined || written === '')
      return this.#format === 'uuid' ? this.#uuid() : this.#noteFormat()
    this.#noteFormat()
    if (typeof written !== 'string') {
      this.#field.wrong('pattern', written, 'a text')
      return null
    }
    if (written.length > nameLimits.maxTextLength) {
      this.#field.note(notes.patternTooLong(nameLimits.maxTextLength))
      return null
    }
    // Our own property counts only while it means the same: the standard's may have been edited.
    const isOurs = typeof ours === 'string' && anchored(ours) === written
    const pattern = isOurs ? ours : written
    const reason =
      hasClassSubtraction(pattern) && !isOurs ? notes.classSubtraction : this.#schema.checkPattern(pattern)
    if (reason !== null) {
      this.#field.note(notes.patternRefused(pattern, reason))
      return null
    }
    if (!isOurs && hasAsciiClasses(pattern)) this.#field.note(notes.asciiClasses)
    return { type: 'pattern', pattern }
  }

  #uuid(): FieldParts {
    this.#field.note(notes.uuidAsPattern)
    return { type: 'pattern', pattern: UUID_PATTERN }
  }

  #noteFormat(): null {
    if (this.#format !== 'default') this.#field.note(notes.formatNotChecked(this.#format))
    return null
  }

  #lengths(): FieldParts {
    return { type: 'text', minLength: this.#length('minLength'), maxLength: this.#length('maxLength') }
  }

  #length(constraint: 'minLength' | 'maxLength'): number | undefined {
    const written = this.#field.constraints.take(constraint)
    if (written === undefined) return undefined
    const length = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written
    const most = dictionaryLimits.maxTextLengthBound
    if (!Number.isInteger(length) || (length as number) < 0) {
      this.#field.wrong(constraint, written, 'a whole number of at least 0')
    } else if ((length as number) > most)
      this.#field.note(notes.lengthTooLarge(constraint, length as number, most))
    else if (length === 0 && constraint === 'maxLength') this.#field.note(notes.maxLengthZero)
    else return length as number
    return undefined
  }

  /** The title stands in for a missing description. */
  #description(): string {
    const description = this.#field.text('description', '')
    const title = this.#field.text('title', '')
    if (title === '' || title === description || title === this.#field.take('name')) return description
    if (description !== '') this.#unkept.push('title')
    else this.#field.note(notes.titleUsed)
    return description || title
  }

  /** No rule depends on a description, so a long one is no reason to refuse a schema. */
  #shortened(description: string): string {
    const text = description.trim()
    const most = nameLimits.maxTextLength
    if (text.length <= most) return text
    this.#field.note(notes.descriptionShortened(most))
    return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
  }

  #noteMissingValues(ofSchema: readonly string[]): void {
    const own = this.#field.take('missingValues')
    const values = own === undefined ? ofSchema : readMissingValues(own)
    const others = (from: readonly string[], but: readonly string[]) =>
      from.filter((value) => value.trim() !== '' && !but.includes(value))
    const [here, elsewhere] = [others(values, ofSchema), others(ofSchema, values)]
    if (here.length > 0) this.#field.note(notes.missingValues(here))
    if (elsewhere.length > 0) this.#field.note(notes.missingElsewhere(elsewhere))
    if (!values.includes('')) this.#field.note(notes.blankIsValue)
  }
}
