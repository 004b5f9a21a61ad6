import { databaseError } from '#simulation/database/rows.ts'
import type { Connection } from '#simulation/process.ts'

export const statementTimeout = (): Error =>
  databaseError('57014', 'canceling statement due to statement timeout')

export const socketError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

/** As after an error of PostgreSQL: the transaction can only be rolled back. */
export function failTransaction({ transaction }: Connection): void {
  if (transaction !== null) transaction.state = 'failed'
}
