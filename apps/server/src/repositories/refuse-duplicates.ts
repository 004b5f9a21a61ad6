import { conflict } from '#errors.ts'
import { isUniqueViolation } from '#db/transaction.ts'

/** Names of unique indexes and constraints (`db/migrations`) → what a person reads when one is violated. */
export type DuplicateMessages = Readonly<Record<string, string>>

/**
 * Runs a write and turns a violation of one of the named unique indexes into 409 with its message. The index
 * decides and not a check before the write, because a check lets one of two parallel requests slip through.
 */
export async function refuseDuplicates<T>(messages: DuplicateMessages, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const violated = Object.keys(messages).find((constraint) => isUniqueViolation(error, constraint))
    throw violated === undefined ? error : conflict(messages[violated])
  }
}
