import { sqlState } from '#platform/database/transaction.ts'

/** SQLSTATEs of a server that is down, starting, stopping, full or hung. */
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
/** How the messages begin of errors to which node-postgres and Kysely give no code. */
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Cannot use a pool after',
  'Client was closed',
  'The server does not',
  'driver has already been destroyed',
]

/** Whether the database is unavailable (503, try again later). False for an error of a statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (STATES.test(sqlState(error) ?? '')) return true
  if (code !== undefined && SOCKET_ERRORS.includes(code))
    return syscall === undefined || ['connect', 'read', 'write', 'getaddrinfo'].includes(syscall)
  return MESSAGES.some((message) => error.message.startsWith(message))
}
