import pino, { type DestinationStream, type Logger } from 'pino'

/** Tokens, passwords or cookies. At the level `trace` libraries log headers with the access token. */
const SECRETS = new Set([
  'headers',
  'rawheaders',
  'rawpacket',
  'authorization',
  'cookie',
  'set-cookie',
  'body',
  'payload',
  'password',
  'newpassword',
  'token',
  'accesstoken',
  'refreshtoken',
  'secret',
])
const LEFT_OUT = '[not logged]'
/** Deeper than any line of ours. What is below it is not logged. */
const MAX_DEPTH = 5

/**
 * Lines of JSON on standard error. Of an error only some properties are logged: PostgreSQL puts values into
 * `detail`, libraries attach whole requests. Headers and secrets are never logged.
 */
export function createLog(
  level: string,
  {
    destination = pino.destination({ dest: 2, sync: true }),
    traceFields,
  }: { destination?: DestinationStream; traceFields?: () => object } = {},
): Logger {
  const formatters = { log: (line: Record<string, unknown>) => withoutSecrets(line, MAX_DEPTH) }
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: describeError },
      formatters,
      mixin: traceFields,
    },
    destination,
  )
}

function withoutSecrets(line: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [
      key,
      SECRETS.has(key.toLowerCase()) || depth === 0 ? LEFT_OUT : withoutSecretsIn(value, depth),
    ]),
  )
}

/** Errors and dates stay whole: their serializers read them. */
function withoutSecretsIn(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecretsIn(item, depth - 1))
  const isPlain =
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value))
  return isPlain ? withoutSecrets(value, depth - 1) : value
}

function describeError(error: unknown): Record<string, unknown> {
  const { name, message, code, constraint, stack } = (error ?? {}) as Partial<Error> & {
    code?: unknown
    constraint?: unknown
  }
  return { type: name, message: message ?? String(error), code, constraint, stack }
}
