import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { chooseInUserMenu, heading, userMenu } from './visit.ts'

let portal: Portal

const inTab = beginJourneys((opened) => {
  portal = opened
})

const white = 'rgb(255, 255, 255)'

describe('The theme', () => {
  it(
    'follows the system, also when the system changes',
    inTab(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.goto('/login')
      await waitForTheme(page, 'dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await waitForTheme(page, 'light')
    }),
  )

  it(
    'stays as chosen, against the system, after a reload and after logging out',
    inTab(async (page) => {
      await chooseTheme(page, 'Dark')
      await waitForTheme(page, 'dark')
      await page.keyboard.press('Escape')
      await page.reload()
      await waitForTheme(page, 'dark')
      await chooseInUserMenu(page, 'Log out')
      await heading(page, 'Welcome back').waitFor()
      await page.reload()
      await heading(page, 'Welcome back').waitFor()
      await waitForTheme(page, 'dark')
      await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    }, 'clerk@example.com'),
  )

  it(
    'is the same in all tabs',
    inTab(async (page) => {
      const other = await page.context().newPage()
      await page.goto('/login')
      await other.goto('/login')
      await page.getByRole('radio', { name: 'Dark' }).check()
      await waitForTheme(other, 'dark')
      await other.getByRole('radio', { name: 'System' }).check()
      await waitForTheme(page, 'light')
      await expect.poll(() => page.getByRole('radio', { name: 'System' }).isChecked()).toBe(true)
    }),
  )

  it(
    'is there before the first paint',
    inTab(async (page) => {
      await page.context().addCookies([{ name: 'theme', value: 'dark', url: portal.url }])
      // Without its modules the page shows what it shows before they are loaded.
      await page.route('**/assets/*.js', (route) =>
        route.request().url().includes('/before-paint-') ? route.continue() : route.abort(),
      )
      await page.goto('/login')
      await waitForTheme(page, 'dark')
    }),
  )

  it(
    'is light on paper',
    inTab(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      const table = page.getByRole('table')
      await table.waitFor()
      const frame = table.locator('..')
      await expect
        .poll(() => frame.evaluate((element) => getComputedStyle(element).backgroundColor))
        .not.toBe(white)
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
      await expect
        .poll(() => frame.evaluate((element) => getComputedStyle(element).backgroundColor))
        .toBe(white)
    }, 'clerk@example.com'),
  )
})

async function chooseTheme(page: Page, name: string): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('menuitemradio', { name }).click()
}

/** Waits for the theme that a user sees: whether the background is dark. */
async function waitForTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []
        return red < 128 ? 'dark' : 'light'
      }),
    )
    .toBe(theme)
}
