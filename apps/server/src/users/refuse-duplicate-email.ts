import { userMessages } from '@veridict/contract/messages/users'
import { isUniqueViolation } from '#platform/database/transaction.ts'
import { conflict } from '#errors.ts'
import { USERS_EMAIL_KEY } from '#users/users.ts'

/** Runs a write; for an e-mail address in use it throws 409 with the key that the form expects. */
export async function refuseDuplicateEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, USERS_EMAIL_KEY)) throw error
    throw conflict(userMessages.duplicateEmail, { DuplicateEmail: [userMessages.duplicateEmail] })
  }
}
