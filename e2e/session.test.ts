import { logOut, refreshSession } from '@veridict/contract/api/session'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import type { Browser } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { forgeStoredToken, showTab, storedToken } from './stored-token.ts'
import {
  button,
  chooseInUserMenu,
  chooseNextUpload,
  heading,
  logIn,
  notice,
  openInPage,
  openTab,
  userMenu,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser

const inTab = beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe('A session in several tabs', () => {
  it(
    'ends in all tabs at once, and on the server',
    inTab(async (page) => {
      const second = await page.context().newPage()
      await second.goto('/home')
      await heading(second, 'Uploaded files history').waitFor()
      const token = await storedToken(page)
      const logsOut = page.waitForResponse((response) => response.url().endsWith(logOut.path))
      await chooseInUserMenu(page, 'Log out')
      for (const tab of [page, second]) await tab.getByRole('button', { name: 'Login' }).waitFor()
      await expect.poll(() => second.evaluate(() => localStorage.length)).toBe(0)
      const { apikey } = (await logsOut).request().headers()
      const headers = { ApiKey: apikey!, Authorization: `Bearer ${token}` }
      const { status } = await fetch(`${portal.url}/api/FileSubmission`, { headers })
      expect(status).toBe(401)
    }, 'clerk@example.com'),
  )

  it(
    'is refreshed once when the tabs become visible, but only in the last two minutes',
    inTab(async (page) => {
      const tabs = [page, await page.context().newPage()]
      // This screen makes no call, so only the refresh sends the token that the test changes.
      await openInPage(page, '/about-us')
      await tabs[1]!.goto('/about-us')
      for (const tab of tabs) await heading(tab, 'About Veridict').waitFor()
      let refreshes = 0
      let answer = () => {}
      const bothAsked = new Promise<void>((resolve) => (answer = resolve))
      await page.context().route(`**${refreshSession.path}`, async (route) => {
        refreshes += 1
        await bothAsked
        await route.continue()
      })
      for (const secondsLeft of [-1, 180]) {
        await forgeStoredToken(page, { secondsLeft })
        for (const tab of tabs) await showTab(tab)
      }
      const old = await forgeStoredToken(page, { secondsLeft: 100 })
      for (const tab of tabs) await showTab(tab)
      answer()
      await expect.poll(() => storedToken(page)).not.toBe(old)
      expect(refreshes).toBe(1)
      await openInPage(tabs[1]!, '/home')
      await heading(tabs[1]!, 'Uploaded files history').waitFor()
    }, 'clerk@example.com'),
  )

  it(
    // Other differences: `keep-fresh.test.ts`.
    'is refreshed in time, and once, when the clock of the computer is 16 minutes ahead',
    inTab(async (page) => {
      await page.addInitScript(() => {
        const now = Date.now.bind(Date)
        Date.now = () => now() + (16 + Number(sessionStorage.getItem('minutesPassed') ?? 0)) * 60_000
      })
      let refreshes = 0
      page.on('request', (request) => (refreshes += request.url().endsWith(refreshSession.path) ? 1 : 0))
      await logIn(page, 'clerk@example.com')
      await page.reload()
      await userMenu(page).waitFor()
      await showTab(page)
      expect(refreshes).toBe(0)
      // Tokens of the same second are equal, so the time of arrival shows that another one came.
      const arrival = () => page.evaluate(() => localStorage.getItem('tokenReceived'))
      const old = await arrival()
      await page.evaluate(() => sessionStorage.setItem('minutesPassed', '14'))
      // A tab that is shown while its last check still holds the lock checks nothing.
      const arrivalOnceShown = async () => {
        await showTab(page)
        return arrival()
      }
      await expect.poll(arrivalOnceShown).not.toBe(old)
      await showTab(page)
      await page.reload()
      await userMenu(page).waitFor()
      expect(refreshes).toBe(1)
    }),
  )

  it(
    'is refreshed automatically two minutes before it expires',
    inTab(async (page) => {
      // The clock of a profile stays changed.
      onTestFinished(() => page.context().close())
      await page.clock.install()
      await logIn(page, 'clerk@example.com')
      await page.goto('/about-us')
      const old = await forgeStoredToken(page, { secondsLeft: 600, lifeSeconds: 900 })
      await page.reload()
      await userMenu(page).waitFor()
      await page.clock.fastForward('07:30')
      await userMenu(page).waitFor()
      await expect.poll(() => storedToken(page)).toBe(old)
      await page.clock.fastForward('00:31')
      await expect.poll(() => storedToken(page)).not.toBe(old)
    }),
  )
})

describe('Leaving while a file is uploading', () => {
  const question = 'A file is still uploading. Are you sure you want to leave?'

  it(
    'asks before another screen, before logging out and before the tab is closed',
    inTab(async (page) => {
      await page.route(`**${uploadSubmission.path}`, () => {
        // Never gets a response: the upload runs until it is aborted.
      })
      await chooseNextUpload(page, 'Medical claims', { name: 'slow.csv', bytes: asCsv(goodClaims) })
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByText('Uploading file slow.csv...').waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: 'Upload', exact: true }).isDisabled())
        .toBe(true)

      await page.getByRole('link', { name: 'Home', exact: true }).first().click()
      await page.getByRole('dialog').getByText(question, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Stay' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('Uploading file slow.csv...').waitFor()

      const asked = page.waitForEvent('dialog')
      await page.close({ runBeforeUnload: true })
      const browserDialog = await asked
      expect(browserDialog.type()).toBe('beforeunload')
      await browserDialog.dismiss()

      await chooseInUserMenu(page, 'Log out')
      await page.getByRole('dialog').getByText(question, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('button', { name: 'Login' }).waitFor()
    }, 'clerk@example.com'),
  )
})

describe('Your sessions', () => {
  it(
    'shows where the account is logged in, and ends the others',
    inTab(async (page) => {
      const elsewhere = await openTab(browser, portal, 'clerk@example.com')
      await chooseInUserMenu(page, 'Your sessions')
      await heading(page, 'Your sessions').waitFor()
      const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row')
      await rows.filter({ hasText: 'this one' }).filter({ hasText: 'Chrome on Linux' }).waitFor()
      await rows
        .filter({ hasNotText: 'this one' })
        .getByRole('button', { name: 'End session' })
        .first()
        .waitFor()
      await button(page, 'End all others').click()
      await notice(page, 'Success', 'All other sessions have ended.').waitFor()
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
      await elsewhere.reload()
      await elsewhere.waitForURL('**/login')
      await closeTab(elsewhere)
    }, 'clerk@example.com'),
  )
})
