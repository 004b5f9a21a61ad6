import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { openBrowser } from './browser.ts'
import { startPortal, type Portal } from './portal.ts'

/** Starts a portal and a browser for the journeys of one test file, and closes both afterwards. */
export function beginJourneys(
  begin: (portal: Portal, browser: Browser) => void | Promise<void>,
  settings: Record<string, string> = {},
): void {
  let portal: Portal | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    portal = await startPortal(inject('demoData'), settings)
    browser = await openBrowser()
    await begin(portal, browser)
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.close()
  })
}
