import { tableSchemaProblems as problems } from '@veridict/contract/messages/table-schema'
import { isObject } from '@veridict/contract/notation/is-object'

/** A JSON object read property by property, which lists those that were not read. null counts as absent. */
export class SchemaObject {
  readonly #properties: ReadonlyMap<string, unknown>
  readonly #taken = new Set<string>()

  constructor(properties: object) {
    this.#properties = new Map(Object.entries(properties).filter(([, value]) => value !== null))
  }

  take(property: string): unknown {
    this.#taken.add(property)
    return this.#properties.get(property)
  }

  /** Properties that were not read, in the order of the file. */
  notTaken(): string[] {
    return [...this.#properties.keys()].filter((property) => !this.#taken.has(property))
  }
}

export type FieldReporter = {
  /** Something is dropped or altered. */
  note: (sentence: string) => void
  /** Something is wrong with a property. */
  problem: (property: string, problem: string) => void
}

/** A field of a schema with its constraints, and where what is found in it is reported. */
export class SchemaField extends SchemaObject {
  readonly constraints: SchemaObject
  readonly note: FieldReporter['note']
  readonly problem: FieldReporter['problem']

  constructor(properties: object, { note, problem }: FieldReporter) {
    super(properties)
    this.note = note
    this.problem = problem
    const constraints = this.take('constraints') ?? {}
    if (!isObject(constraints)) problem('constraints', problems.notAnObject)
    this.constraints = new SchemaObject(isObject(constraints) ? constraints : {})
  }

  /** Reports that a value is not what it must be, in words. */
  wrong(property: string, value: unknown, expected: string): void {
    this.problem(property, problems.notA(JSON.stringify(value), expected))
  }

  text(property: string, absent: string): string {
    const value = this.take(property) ?? absent
    if (typeof value === 'string') return value
    this.wrong(property, value, 'a text')
    return absent
  }

  /** Whether a property of the field, or one of its constraints, is true. */
  isTrue(property: string, from: SchemaObject = this): boolean {
    const value = from.take(property) ?? false
    if (typeof value !== 'boolean') this.wrong(property, value, 'true or false')
    return value === true
  }
}

/** Texts for an empty value; in version 2 maybe objects with a label. By default an empty cell. */
export function readMissingValues(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return ['']
  return values
    .map((value: unknown) => (isObject(value) ? value.value : value))
    .filter((value) => typeof value === 'string')
}
