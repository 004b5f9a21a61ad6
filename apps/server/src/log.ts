import pino, { type Logger } from 'pino'

/**
 * The log: lines of JSON on standard error. Of an error only some properties are logged, because PostgreSQL
 * puts values into `detail`, and libraries attach whole requests.
 */
export function createLog(level: string): Logger {
  return pino(
    { level, base: { pid: process.pid }, serializers: { err: describeError } },
    pino.destination({ dest: 2, sync: true }),
  )
}

function describeError(error: unknown): Record<string, unknown> {
  const { name, message, code, constraint, stack } = (error ?? {}) as Partial<Error> & {
    code?: unknown
    constraint?: unknown
  }
  return { type: name, message: message ?? String(error), code, constraint, stack }
}
