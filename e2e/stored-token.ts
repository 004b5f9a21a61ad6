import type { Page } from 'playwright-core'

/** The access token that the page keeps, or null for a visitor. */
export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('token'))

/**
 * Puts a token into the page's storage that says another expiry, as if the time had come. The page reads
 * tokens without checking them; the server would refuse this one. Gives the token.
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
    const written = btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const token = `${head}.${written}.${signature}`
    localStorage.setItem('token', token)
    return token
  }, times)
}

/** Tells the page that its tab came to the front, as a browser with windows does. */
export const showTab = (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
