import type { UserRow } from '#db/tables.ts'
import type { BrowserClaims, Tokens } from '#drivers/tokens.ts'

/**
 * Whether a known browser is one of the user, with the present password: whoever had the former one may have
 * made any number of them.
 */
export const isOwnBrowser = (
  browser: BrowserClaims | null,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  { tokens }: { tokens: Pick<Tokens, 'passwordMark'> },
): browser is BrowserClaims =>
  browser !== null && browser.userId === id && browser.passwordMark === tokens.passwordMark(passwordHash)
