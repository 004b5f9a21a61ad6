export type Token = { kind: 'word' | 'name' | 'text' | 'number' | 'parameter' | 'sign' | 'end'; text: string }

const kinds = {
  name: '"([^"]+)"',
  text: "'((?:[^']|'')*)'",
  parameter: String.raw`\$(\d+)`,
  number: String.raw`(\d+(?:\.\d+)?)`,
  word: String.raw`([a-z_]\w*)`,
  sign: String.raw`(<>|<=|>=|=>|::|->>|\|\||[-+*/(),.<>=[\]])`,
} as const
const names = Object.keys(kinds) as (keyof typeof kinds)[]
const pattern = new RegExp(String.raw`\s*(?:${Object.values(kinds).join('|')})`, 'iy')

/** Names of columns and tables in camelCase, as rows have them; quoted or not. */
const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  const end = sql.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const groups = pattern.exec(sql)?.slice(1)
    const index = groups?.findIndex((group) => group !== undefined) ?? -1
    const [kind, text] = [names[index], groups?.[index]]
    if (kind === undefined || text === undefined)
      throw new Error(`The model of the database cannot read ${sql.slice(at)}`)
    tokens.push({ kind, text: kind === 'text' ? text.replaceAll("''", "'") : text })
  }
  return [...tokens, { kind: 'end', text: '' }]
}

/** Reads a statement token by token. */
export class Reader {
  readonly #tokens: Token[]
  readonly #sql: string
  /** The number of the next token. */
  place = 0

  constructor(sql: string) {
    this.#sql = sql
    this.#tokens = tokensOf(sql)
  }

  get token(): Token {
    return this.#tokens[this.place] as Token
  }

  /** Whether the next tokens are these words or signs. */
  isNext(...texts: string[]): boolean {
    return texts.every((text, index) => {
      const token = this.#tokens[this.place + index]
      return token !== undefined && (token.kind === 'word' || token.kind === 'sign') && token.text === text
    })
  }

  /** Reads the next tokens if they are these words or signs; returns whether they are. */
  takes(...texts: string[]): boolean {
    if (!this.isNext(...texts)) return false
    this.place += texts.length
    return true
  }

  expect(...texts: string[]): void {
    if (!this.takes(...texts)) this.fail(`expected ${texts.join(' ')}`)
  }

  next(): Token {
    return this.#tokens[this.place++] as Token
  }

  name(): string {
    const { kind, text } = this.next()
    if (kind !== 'name' && kind !== 'word') this.fail('expected a name')
    return camelCase(text)
  }

  /** Reads items that are separated by commas. */
  list<T>(item: () => T): T[] {
    const items = [item()]
    while (this.takes(',')) items.push(item())
    return items
  }

  /** Whether the next tokens are `alias.*`. */
  isNextAllOf(alias: string): boolean {
    const [name, dot, star] = this.#tokens.slice(this.place, this.place + 3)
    return camelCase(name?.text ?? '') === alias && dot?.text === '.' && star?.text === '*'
  }

  /** The column's name if all since `start` was a plain or qualified name; else null. */
  plainNameFrom(start: number): string | null {
    const read = this.#tokens.slice(start, this.place)
    const last = read.at(-1)
    const isPlain = read.length === 1 || (read.length === 3 && read[1]?.text === '.')
    return isPlain && (last?.kind === 'name' || last?.kind === 'word') ? camelCase(last.text) : null
  }

  /** Goes to the FROM of this SELECT; does nothing if it has none. */
  skipToFrom(): void {
    let depth = 0
    for (let place = this.place; place < this.#tokens.length; place++) {
      const { kind, text } = this.#tokens[place] as Token
      if (kind === 'sign' && text === '(') depth++
      if (kind === 'sign' && text === ')' && --depth < 0) return
      if (kind === 'word' && text === 'from' && depth === 0) {
        this.place = place
        return
      }
    }
  }

  fail(reason: string): never {
    const near = this.#tokens
      .slice(this.place, this.place + 6)
      .map(({ text }) => text)
      .join(' ')
    throw new Error(
      `The model of the database cannot read a statement (${reason} at: ${near}). ` +
        `Add it to simulation/database, and compare it with PostgreSQL in its test.\n${this.#sql}`,
    )
  }
}
