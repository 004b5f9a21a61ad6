import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { freePort } from '../apps/server/src/platform/database/embedded/postmaster.ts'
import { openBrowser } from './browser.ts'
import { openPortal } from './open-portal.ts'
import type { Portal } from './portal.ts'
import { closeTab, closeTabsOf, openTab } from './visit.ts'

/** The browser of this worker, for one file after the other. Playwright closes it when the worker ends. */
let browser: Browser | undefined
/** The port of this worker's portals: only for the same address does the browser use its caches. */
let port: number | undefined

/**
 * Starts a portal for the journeys of one test file, with `settings` by its address, and closes it and all
 * tabs afterwards. Returns a function that gives a journey a tab of its own, in which `email` is logged in.
 */
export function beginJourneys(
  begin: (portal: Portal, browser: Browser) => void | Promise<void>,
  settings: (url: string) => Record<string, string> | Promise<Record<string, string>> = () => ({}),
): (journey: (page: Page) => Promise<void>, email?: string) => () => Promise<void> {
  let portal: Portal | undefined
  beforeAll(async () => {
    port ??= await freePort()
    const environment = await settings(`http://127.0.0.1:${port}`)
    portal = await openPortal({ PORT: String(port), ...environment })
    if (!browser?.isConnected()) browser = await openBrowser()
    await begin(portal, browser)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printTabs(browser)
  })
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await closeTabsOf(context)
    await portal?.close()
  })
  return (journey, email) => async () => {
    const page = await openTab(browser!, portal!, email)
    try {
      await journey(page)
    } finally {
      await closeTab(page)
    }
  }
}

/** Prints what all tabs show and logged, for failures that do not come again. */
async function printTabs(browser: Browser | undefined): Promise<void> {
  for (const page of browser?.contexts().flatMap((context) => context.pages()) ?? []) {
    const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch(String)
    const logged = (await page.consoleMessages()).map((message) => message.text())
    const failed = (await page.requests()).flatMap((request) => {
      const failure = request.failure()
      return failure === null ? [] : `${request.url()}: ${failure.errorText}`
    })
    console.error([page.url(), ...failed, ...logged, shown].join('\n'))
  }
}
