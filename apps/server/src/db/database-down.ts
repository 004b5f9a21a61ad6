import { sqlState } from '#db/transaction.ts'

/**
 * Classes and codes of SQLSTATE that mean "the server is gone, starting, stopping, full or hung": connection,
 * shutdown, too many, cancelled.
 */
const STATES = /^(?:08...|57P0[1-5]|53...|57014|25P03)$/
const SOCKET_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]
/** node-postgres gives these errors no code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after|Client was closed|The server does not|driver has already been destroyed)/

/**
 * Whether an error says that the database does not answer, rather than that a statement was wrong: 503, and
 * worth trying again.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (STATES.test(sqlState(error) ?? '')) return true
  if (code !== undefined && SOCKET_ERRORS.includes(code))
    return syscall === undefined || ['connect', 'read', 'write', 'getaddrinfo'].includes(syscall)
  return MESSAGES.test(error.message)
}
