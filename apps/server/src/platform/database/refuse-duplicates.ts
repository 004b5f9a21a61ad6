import { conflict } from '#errors.ts'
import { isUniqueViolation } from '#platform/database/transaction.ts'

/** Names of unique indexes and constraints (`platform/database/migrations`) → the message for a violation. */
export type DuplicateMessages = Readonly<Record<string, string>>

/**
 * Runs a write and turns a violation of one of the named indexes into 409 with its message. A check before
 * the write would let two parallel requests pass.
 */
export async function refuseDuplicates<T>(messages: DuplicateMessages, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const violated = Object.keys(messages).find((constraint) => isUniqueViolation(error, constraint))
    throw violated === undefined ? error : conflict(messages[violated])
  }
}
