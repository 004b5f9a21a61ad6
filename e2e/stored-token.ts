import type { Page } from 'playwright-core'

/** The access token in the page's local storage, or null for a visitor. */
export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('token'))

/**
 * Replaces the stored token by one with another expiry, as if time had passed; returns it. The page does not
 * check signatures, but the server would refuse this token.
 */
export function forgeStoredToken(
  page: Page,
  times: { secondsLeft: number; lifeSeconds?: number },
): Promise<string> {
  return page.evaluate(({ secondsLeft, lifeSeconds = 900 }) => {
    const [head, payload, signature] = localStorage.getItem('token')!.split('.')
    const exp = Math.floor(Date.now() / 1000) + secondsLeft
    const claims = {
      ...JSON.parse(atob(payload!.replaceAll('-', '+').replaceAll('_', '/'))),
      exp,
      iat: exp - lifeSeconds,
    }
    const encoded = btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const token = `${head}.${encoded}.${signature}`
    localStorage.setItem('token', token)
    return token
  }, times)
}

/** Dispatches the event of a tab that becomes visible. */
export const showTab = (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
