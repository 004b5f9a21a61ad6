import type { Random } from '#test/fuzz/random.ts'

/** The parts of JSON Schema from which values are made. */
export type JsonSchema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

/** Existing things that the values of a call can refer to. */
export type KnownThings = { readonly ids: readonly number[]; readonly texts: readonly string[] }

const LONG = 100_000

/** Texts that break careless programs: controls, markup, code, lone surrogates, paths, prototypes. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200b\ufeff',
  'é\u0301👩‍👩‍👧‍👦',
  '\r\nSet-Cookie: a=b',
  "'; drop table users; --",
  '%00',
  '%',
  '_',
  '\\',
  '../../../etc/passwd',
  'C:\\x',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '=1+1',
  '${7*7}',
  'true',
  'null',
  'NaN',
  '1e400',
  '-1',
  '0x10',
  '١٢٣',
  'a@b.c',
  '<a@x.org>',
  '2024-02-30T25:61:61Z',
  '{"minLength":1}',
  '{"regularExpression":"(a+)+$"}',
  '[]',
]

const oddNumbers: readonly number[] = [
  0,
  -1,
  1.5,
  -0,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53 + 2,
  1e308,
  5e-324,
]

const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)])

/** Any value, mostly not of the type that is asked for. */
export function oddValue(random: Random): unknown {
  const kind = random.below(12)
  if (kind < 4) return random.oneOf(oddTexts)
  if (kind < 7) return random.oneOf(oddNumbers)
  return random.oneOf([null, true, [], {}, [null], { toString: 1 }, deep(200), 'x'.repeat(LONG)])
}

/** A text to put into a query or a form. */
export const oddText = (random: Random): string =>
  random.isLikely(0.05) ? 'x'.repeat(LONG) : random.oneOf(oddTexts)

/** A value that fits the schema; sometimes any other value. */
export function randomValue(schema: JsonSchema, known: KnownThings, random: Random): unknown {
  if (random.isLikely(0.15)) return oddValue(random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.oneOf(schema.enum)
  if (schema.anyOf !== undefined) return randomValue(random.oneOf(schema.anyOf), known, random)
  switch (schema.type) {
    case 'object':
      return randomObject(schema, known, random)
    case 'array':
      return Array.from({ length: random.below(4) }, () => randomValue(schema.items ?? {}, known, random))
    case 'integer':
    case 'number':
      return random.isLikely(0.7) ? random.oneOf(known.ids) : random.oneOf(oddNumbers)
    case 'boolean':
      return random.isLikely(0.5)
    default:
      return random.isLikely(0.6) ? random.oneOf(known.texts) : random.oneOf(oddTexts)
  }
}

function randomObject(schema: JsonSchema, known: KnownThings, random: Random): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
    .filter(() => !random.isLikely(0.07))
    .map(([name, property]): [string, unknown] => [name, randomValue(property, known, random)])
  if (random.isLikely(0.05)) entries.push([random.oneOf(oddTexts), oddValue(random)])
  return Object.fromEntries(entries)
}
