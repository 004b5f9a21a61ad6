import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patterns } from '../apps/web/src/app/paths.ts'
import { accessibilityVisits } from './accessibility-visits.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { endRoutes, heading, openInPage, openTab, closeTab } from './visit.ts'
import { expectAccessible } from './violations.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe.for(Object.entries(accessibilityVisits))('For %s', ([who, visits]) => {
  let page: Page
  const judgedWholly = new Set<string>()

  beforeAll(async () => {
    page = await openTab(browser, portal, who === 'visitor' ? undefined : who)
  })
  afterAll(() => closeTab(page))

  it.for(visits)('"$state" has no violation in either theme', async ({ screen, path, title, reach }) => {
    await endRoutes(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    if (who !== 'visitor' && (await leavesScreen(page))) await openInPage(page, path)
    else await page.goto(path)
    await heading(page, title).waitFor()
    await reach?.(page)
    if (screen !== 'notFound') await page.waitForURL(addressOf(patterns[screen]))
    const isBelowDialog = page.viewportSize()!.width === 1280 && (await page.getByRole('dialog').count()) > 0
    if (isBelowDialog) return expectAccessible(page, '[role=dialog]')
    judgedWholly.add(screen)
    await expectAccessible(page)
  })

  it('every screen was judged also without a dialog on it', () => {
    expect([...judgedWholly].sort()).toEqual([...new Set(visits.map(({ screen }) => screen))].sort())
  })
})

/**
 * Leaves the screen and what is open on it. Returns whether this took no question, and nothing stayed open,
 * such as a menu or a notice: otherwise the page is loaded again.
 */
async function leavesScreen(page: Page): Promise<boolean> {
  if (!(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))))
    return false
  await openInPage(page, '/about-us')
  await heading(page, 'About Veridict').waitFor()
  return page.evaluate(
    () => document.querySelector('[role=dialog], [role=menu], [role=listbox], [role=alert]') === null,
  )
}

/** Matches the addresses of a route, with or without a query. */
const addressOf = (pattern: string) =>
  new RegExp(`^${portal.url}${pattern.replaceAll(/:\w+/g, '[^/?]+')}(?:[?].*)?$`)
