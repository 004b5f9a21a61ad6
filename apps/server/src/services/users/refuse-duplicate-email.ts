import { userMessages } from '@veridict/contract/messages/users'
import { isUniqueViolation } from '#db/transaction.ts'
import { conflict } from '#errors.ts'
import { USERS_EMAIL_KEY } from '#repositories/users.ts'

/**
 * Runs a write and turns a second use of an e-mail into 409 with the message where the form looks for it.
 * Spec §8.
 */
export async function refuseDuplicateEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, USERS_EMAIL_KEY)) throw error
    throw conflict(userMessages.duplicateEmail, { DuplicateEmail: [userMessages.duplicateEmail] })
  }
}
