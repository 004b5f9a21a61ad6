import pino, { type Logger } from 'pino'

/**
 * The log: lines of JSON on standard error. Errors are cut down to what helps to find a fault, because the
 * database puts the values of the statement into `detail`, and libraries hang whole requests onto their
 * errors.
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
