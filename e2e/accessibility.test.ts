import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patterns } from '../apps/web/src/app/paths.ts'
import { accessibilityVisits } from './accessibility-visits.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { heading, logIn, openTab } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe.for(Object.entries(accessibilityVisits))('For %s', ([who, visits]) => {
  let page: Page

  beforeAll(async () => {
    page = await openTab(browser, portal)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    if (who !== 'visitor') await logIn(page, who)
  })
  afterAll(() => page?.context().close())

  it.for(visits)('"$state" has no violation in either theme', async ({ screen, path, title, reach }) => {
    await page.unrouteAll()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(path)
    await heading(page, title).waitFor()
    await reach?.(page)
    if (screen !== 'notFound') await page.waitForURL(addressOf(patterns[screen]))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      expect(await violationsOf(page, colorScheme), `the ${colorScheme} theme`).toEqual([])
    }
  })
})

/** Matches the addresses of a route, with or without a query. */
const addressOf = (pattern: string) =>
  new RegExp(`^${portal.url}${pattern.replaceAll(/:\w+/g, '[^/?]+')}(?:[?].*)?$`)

const axeOptions: RunOptions = {
  resultTypes: ['violations'],
  rules: {
    // Off by default, because it is experimental: what one can read must be what one can say.
    'label-content-name-mismatch': { enabled: true },
    // Menus, tooltips and notices are at the end of the document, outside of its landmarks.
    region: { enabled: false },
  },
}

/** Of the second theme only what colours can break: all else is the same, and takes most of the time. */
const rulesOf: Record<'light' | 'dark', RunOptions> = {
  light: axeOptions,
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] },
}

/** All violations, after all animations: text that fades in has too little contrast. */
async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(document, options),
    rulesOf[colorScheme],
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
