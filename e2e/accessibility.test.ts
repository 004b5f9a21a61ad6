import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { patterns } from '../apps/web/src/app/paths.ts'
import { accessibilityVisits } from './accessibility-visits.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { endRoutes, heading, openNextInPage, openTab } from './visit.ts'
import { expectAccessible } from './violations.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe.for(Object.entries(accessibilityVisits))('For %s', ([who, visits]) => {
  let page: Page

  beforeAll(async () => {
    page = await openTab(browser, portal, who === 'visitor' ? undefined : who)
  })
  afterAll(() => page?.context().close())

  it.for(visits)('"$state" has no violation in either theme', async ({ screen, path, title, reach }) => {
    await endRoutes(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    if (who !== 'visitor' && (await isClear(page))) await openNextInPage(page, path)
    else await page.goto(path)
    await heading(page, title).waitFor()
    await reach?.(page)
    if (screen !== 'notFound') await page.waitForURL(addressOf(patterns[screen]))
    await expectAccessible(page)
  })
})

/**
 * Whether nothing lies over the screen, and nothing asks before it is left: otherwise the page is
 * loaded again.
 */
const isClear = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      document.querySelector('[role=dialog], [role=menu], [role=listbox], [role=alert]') === null &&
      dispatchEvent(new Event('beforeunload', { cancelable: true })),
  )

/** Matches the addresses of a route, with or without a query. */
const addressOf = (pattern: string) =>
  new RegExp(`^${portal.url}${pattern.replaceAll(/:\w+/g, '[^/?]+')}(?:[?].*)?$`)
