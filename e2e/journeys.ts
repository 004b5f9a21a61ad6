import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from './browser.ts'
import { startPortal, type Portal } from './portal.ts'

/** Gives the journeys of a test file a portal of their own and a browser, and closes both behind them. */
export function beginJourneys(begin: (portal: Portal, browser: Browser) => void | Promise<void>): void {
  let portal: Portal | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    portal = await startPortal()
    browser = await openBrowser()
    await begin(portal, browser)
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.close()
  })
}
