/** An error of PostgreSQL with its SQLSTATE. */
export const databaseError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code })

export const statementTimeout = (): Error =>
  databaseError('57014', 'canceling statement due to statement timeout')

/** What PostgreSQL says when it breaks a deadlock. */
export const deadlock = (): Error => databaseError('40P01', 'deadlock detected')

export const connectionLost = (): Error => new Error('Connection terminated unexpectedly')

export const socketError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
