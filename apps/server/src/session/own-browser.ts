import type { UserRow } from '#platform/database/tables.ts'
import type { BrowserClaims, Tokens } from '#platform/identity/tokens.ts'

/**
 * Whether the user logged in from this known browser with the present password. With an earlier password, an
 * attacker may have made any number of browsers known.
 */
export const isOwnBrowser = (
  browser: BrowserClaims | null,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  { tokens }: { tokens: Pick<Tokens, 'passwordMark'> },
): browser is BrowserClaims =>
  browser !== null && browser.userId === id && browser.passwordMark === tokens.passwordMark(passwordHash)
