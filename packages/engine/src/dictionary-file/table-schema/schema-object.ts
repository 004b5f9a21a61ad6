/** A JSON object read property by property, which lists those that were not read. null counts as absent. */
export class SchemaObject {
  readonly #properties: ReadonlyMap<string, unknown>
  readonly #taken = new Set<string>()

  constructor(properties: object) {
    this.#properties = new Map(Object.entries(properties).filter(([, value]) => value !== null))
  }

  /** Reads a property; undefined if it is absent. */
  take(property: string): unknown {
    this.#taken.add(property)
    return this.#properties.get(property)
  }

  /** Properties that were not read, in the order of the file. */
  notTaken(): string[] {
    return [...this.#properties.keys()].filter((property) => !this.#taken.has(property))
  }
}
