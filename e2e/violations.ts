import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

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

/**
 * Expects that nothing on the page, or in the elements that `within` selects, breaks a rule of accessibility,
 * in either theme; begins with its own.
 */
export async function expectAccessible(page: Page, within = ':root'): Promise<void> {
  const isDark = await page.locator('html[data-mantine-color-scheme=dark]').count()
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await expect
      .poll(() => violationsOf(page, colorScheme, within), { message: `the ${colorScheme} theme` })
      .toEqual([])
  }
}

/** What breaks a rule of accessibility, after all animations: text that fades in has too little contrast. */
async function violationsOf(page: Page, colorScheme: 'light' | 'dark', within: string): Promise<string[]> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults, [string, RunOptions]>(
    ([include, options]) => (window as unknown as { axe: typeof axe }).axe.run({ include }, options),
    [within, rulesOf[colorScheme]],
  )
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    ),
    ...(await cutTexts(page)),
  ]
}

/**
 * The texts of buttons that are wider than the button, or end without a "…" because a part is hidden. A link
 * may be a button, too: it has its look, but not its role.
 */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, button *, a.mantine-Button-root, a.mantine-Button-root *')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
      .filter((part) => {
        const { overflowX, textOverflow } = getComputedStyle(part)
        return part.matches('button, a') || (overflowX === 'hidden' && textOverflow === 'clip')
      })
      .map(({ outerHTML }) => `a text that is cut: ${outerHTML}`),
  )
