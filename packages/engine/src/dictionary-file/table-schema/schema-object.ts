/** A JSON object that is read property by property and knows which ones are left. null counts as absent. */
export class SchemaObject {
  readonly #properties: ReadonlyMap<string, unknown>
  readonly #asked = new Set<string>()

  constructor(properties: object) {
    this.#properties = new Map(Object.entries(properties).filter(([, value]) => value !== null))
  }

  take(property: string): unknown {
    this.#asked.add(property)
    return this.#properties.get(property)
  }

  /** What was not taken, in the order of the file. */
  leftOver(): string[] {
    return [...this.#properties.keys()].filter((property) => !this.#asked.has(property))
  }
}

/** Whether a value of JSON is an object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
