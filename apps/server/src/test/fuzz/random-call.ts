import type { openApiDocument } from '#platform/http/openapi-document.ts'
import type { Random } from '#test/fuzz/random.ts'
import { type JsonSchema, type KnownThings, oddText, oddValue, randomValue } from '#test/fuzz/random-value.ts'

type Document = ReturnType<typeof openApiDocument>
type Operation = Document['paths'][string][string]

/** A request as it goes over the wire. */
export type RawCall = {
  readonly operation: Operation
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

const BOUNDARY = 'fuzz'

/** A call of any operation of the API, with valid, invalid and unusual values. */
export function randomCall(
  document: Document,
  known: KnownThings & { readonly tokens: readonly string[]; readonly apiKey: string },
  random: Random,
): RawCall {
  const [path, methods] = random.oneOf(Object.entries(document.paths))
  const [method, operation] = random.oneOf(Object.entries(methods))
  const { type, body } = randomBody(operation, known, random)
  return {
    operation,
    method: method.toUpperCase(),
    url: randomPath(path, known, random) + randomQuery(operation, known, random),
    headers: { ...randomHeaders(known, random), ...(type === null ? {} : { 'content-type': type }) },
    body,
  }
}

const randomPath = (path: string, known: KnownThings, random: Random): string =>
  path.replaceAll(/\{\w+\}/g, () =>
    random.isLikely(0.8) ? String(random.oneOf(known.ids)) : encoded(oddText(random).slice(0, 300)) || '0',
  )

function randomQuery(operation: Operation, known: KnownThings, random: Random): string {
  const given = (operation.parameters ?? [])
    .filter((parameter) => parameter['in'] === 'query' && random.isLikely(0.7))
    .map((parameter) => {
      const value = randomValue(parameter['schema'] as JsonSchema, known, random)
      const name = String(parameter['name'])
      const spelled = random.isLikely(0.2) ? name.toUpperCase() : name
      return `${spelled}=${encoded(typeof value === 'object' ? JSON.stringify(value) : String(value))}`
    })
  if (random.isLikely(0.1) && given.length > 0) given.push(given[0])
  if (random.isLikely(0.05)) given.push(random.oneOf(['%', '&&', 'a[b]=c', '__proto__=1', '=']))
  // Longer ones are refused before our code is reached.
  return given.length === 0 ? '' : `?${given.join('&').slice(0, 10_000)}`
}

/** toWellFormed, because a lone surrogate cannot be encoded. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function randomHeaders(
  known: { readonly tokens: readonly string[]; readonly apiKey: string },
  random: Random,
): Record<string, string> {
  const token = random.oneOf(known.tokens)
  const headers: Record<string, string> = {}
  if (!random.isLikely(0.03)) headers['apikey'] = random.isLikely(0.03) ? 'wrong' : known.apiKey
  if (token !== '')
    headers['authorization'] = random.isLikely(0.94)
      ? `Bearer ${token}`
      : random.oneOf([
          'Bearer',
          'Bearer  ',
          `bearer ${token.slice(1)}`,
          `Basic ${token}`,
          `Bearer ${'x'.repeat(9000)}`,
        ])
  if (random.isLikely(0.15)) Object.assign(headers, random.oneOf(oddHeaders))
  return headers
}

const oddHeaders: readonly Record<string, string>[] = [
  { 'x-forwarded-for': '1.2.3.4, ::1, x' },
  { 'x-forwarded-for': 'x'.repeat(5000) },
  { 'if-none-match': '*' },
  { range: 'bytes=5-1' },
  { 'accept-encoding': 'zstd;q=nan' },
  { accept: 'text/html;q=0' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'deflate, br' },
  { 'accept-language': '\u00ff' },
  { cookie: 'a=b; __proto__=c; =; ;' },
  { origin: 'null' },
  { host: 'evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { 'user-agent': '' },
  { connection: 'upgrade', upgrade: 'websocket' },
  { te: 'trailers' },
]

type RandomBody = { readonly type: string | null; readonly body: Buffer | null }

function randomBody({ requestBody }: Operation, known: KnownThings, random: Random): RandomBody {
  const content = (requestBody?.['content'] ?? {}) as Record<string, { schema: JsonSchema }>
  const [type, media] = Object.entries(content)[0] ?? ['', { schema: {} }]
  if (type === '')
    return random.isLikely(0.97) ? { type: null, body: null } : jsonOf(oddValue(random), random)
  const value = randomValue(media.schema, known, random)
  return type === 'application/json' ? jsonOf(value, random) : formOf(value, random)
}

const oddBodies = [
  '',
  '{',
  '[',
  '"',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  `[${'['.repeat(5000)}`,
  'null',
]
const oddTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/xml',
  'x',
  'multipart/form-data',
]

function jsonOf(value: unknown, random: Random): RandomBody {
  const text = random.isLikely(0.05) ? random.oneOf(oddBodies) : JSON.stringify(value)
  const type = random.isLikely(0.04) ? random.oneOf(oddTypes) : 'application/json'
  return { type, body: Buffer.from(text ?? '') }
}

function formOf(value: unknown, random: Random): RandomBody {
  const entries =
    typeof value === 'object' && value !== null ? Object.entries(value) : [['x', value] as const]
  const parts = entries.map(([name, content]) => {
    const isFile = name === 'file' ? !random.isLikely(0.1) : random.isLikely(0.05)
    const fileName = random.isLikely(0.7) ? random.oneOf(['a.csv', 'a.xlsx', 'a.json']) : oddText(random)
    const named = isFile ? `; filename="${headerText(fileName)}"` : ''
    const disposition = `form-data; name="${headerText(name)}"${named}`
    const text =
      name === 'file'
        ? 'Name,Amount\na,1\n'
        : typeof content === 'object'
          ? JSON.stringify(content)
          : String(content)
    return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${text}\r\n`
  })
  if (random.isLikely(0.1) && parts.length > 0) parts.push(parts[0])
  if (random.isLikely(0.3)) parts.reverse()
  const end = random.isLikely(0.95) ? `--${BOUNDARY}--\r\n` : ''
  const boundary = random.isLikely(0.97) ? BOUNDARY : 'other'
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.from(parts.join('') + end) }
}

const headerText = (text: string): string => text.replaceAll(/["\r\n]/g, '?')
