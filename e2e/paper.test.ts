import { reportMessages } from '@veridict/contract/messages/report'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { heading, openInPage, openTab, rowWith, closeTab } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe('The printed report', () => {
  let page: Page

  beforeAll(async () => {
    page = await openTab(browser, portal, 'clerk@example.com')
    await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
    await heading(page, 'claims-with-errors.csv').waitFor()
    await page.getByRole('button', { name: /^Row 4/ }).waitFor()
  })
  afterAll(() => closeTab(page))

  it('begins with file, dictionary, time of the upload and verdict', async () => {
    const facts = page.locator('dl', { hasText: 'Verdict' })
    await expect.poll(() => facts.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => heading(page, 'claims-with-errors.csv').isVisible()).toBe(true)
    await page.getByText(/^Medical claims, version \d+\. Uploaded .*\d\d:\d\d.* by .+\.$/).waitFor()
    await expect.poll(() => facts.innerText()).toMatch(/^Verdict\s+10 of 24 rows have errors/)
  })

  it('has all causes', async () => {
    const causes = page.locator('[data-cause]')
    const figure = page.getByRole('region', { name: reportMessages.notAccepted }).getByRole('listitem').nth(2)
    const count = Number.parseInt(await figure.innerText(), 10)
    await expect.poll(() => causes.count()).toBeLessThan(count)
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect.poll(() => causes.count()).toBe(count)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect.poll(() => causes.count()).toBeLessThan(count)
  })

  it('says the problem of a whole file once', async () => {
    await page.emulateMedia({ media: 'print' })
    await openInPage(page, '/home')
    await rowWith(page, 'claims-old-layout.csv').getByText('View errors').click()
    await heading(page, 'claims-old-layout.csv').waitFor()
    const facts = page.locator('dl', { hasText: 'Verdict' })
    await expect.poll(() => facts.innerText()).toMatch(/Verdict\s+The columns [^.]+\.$/)
    await page.goBack()
    await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
    await page.getByRole('button', { name: /^Row 4/ }).waitFor()
  })

  it('shows every row expanded, without a click', async () => {
    await page.emulateMedia({ media: 'screen' })
    const error = page.locator('td', { hasText: 'This day does not exist in the calendar.' })
    await expect.poll(() => error.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect.poll(() => error.isVisible()).toBe(true)
    const headers = page.locator('th', { hasText: 'Expected' })
    await expect.poll(() => headers.filter({ visible: true }).count()).toBe(10)
    await expect.poll(() => headers.count()).toBe(10)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  })

  it('has no menus and no buttons but the names of the rows', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('banner').isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('navigation', { name: 'Breadcrumbs' }).isVisible()).toBe(false)
    const others = async () =>
      (await page.getByRole('button').allInnerTexts()).filter((name) => !/^Row \d+/.test(name))
    await expect.poll(others).toEqual([])
  })
})
