import { reportMessages } from '@veridict/contract/messages/report'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { heading, openTab, rowWith } from './visit.ts'

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
  afterAll(() => page?.context().close())

  it('begins with file, dictionary, time of the upload and verdict', async () => {
    const facts = page.locator('dl', { hasText: 'Uploaded on' })
    expect(await facts.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await heading(page, 'claims-with-errors.csv').isVisible()).toBe(true)
    expect(await facts.innerText()).toMatch(
      /Data dictionary\s+Medical claims\s+Uploaded on\s+\d.+\s+Verdict\s+10 of 24 rows have errors/,
    )
  })

  it('has all causes', async () => {
    const causes = page.locator('[data-cause]')
    const figure = page.getByRole('region', { name: reportMessages.notAccepted }).getByRole('listitem').nth(2)
    const count = Number.parseInt(await figure.innerText(), 10)
    expect(await causes.count()).toBeLessThan(count)
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    expect(await causes.count()).toBe(count)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await causes.count()).toBeLessThan(count)
  })

  it('says the problem of a whole file once', async () => {
    await page.emulateMedia({ media: 'print' })
    await page.goto('/home')
    await rowWith(page, 'claims-old-layout.csv').getByText('View errors').click()
    await heading(page, 'claims-old-layout.csv').waitFor()
    const facts = page.locator('dl', { hasText: 'Uploaded on' })
    expect(await facts.innerText()).toMatch(/Verdict\s+The columns [^.]+\.$/)
    await page.goBack()
    await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
    await page.getByRole('button', { name: /^Row 4/ }).waitFor()
  })

  it('shows every row expanded, without a click', async () => {
    await page.emulateMedia({ media: 'screen' })
    const error = page.locator('td', { hasText: 'This day does not exist in the calendar.' })
    expect(await error.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    expect(await error.isVisible()).toBe(true)
    const headers = await page.locator('th', { hasText: 'Expected' }).all()
    expect(await Promise.all(headers.map((header) => header.isVisible()))).toEqual(Array(10).fill(true))
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  })

  it('has no menus and no buttons but the names of the rows', async () => {
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('banner').isVisible()).toBe(false)
    expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).isVisible()).toBe(false)
    const buttons = await page.getByRole('button').allInnerTexts()
    expect(buttons.filter((name) => !/^Row \d+/.test(name))).toEqual([])
  })
})
