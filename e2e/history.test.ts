import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statusPush } from '@veridict/contract/api/live'
import { listSubmissions, retryIngestion } from '@veridict/contract/api/submissions'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  button,
  chooseNextUpload,
  endRoutes,
  field,
  heading,
  notice,
  openInPage,
  openNextInPage,
  openTab,
  rowWith,
  sidewaysScrolling,
  userMenu,
  waitForFocus,
  waitForFocusInside,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  page = await openTab(browser, portal, 'clerk@example.com')
})

/** Status and action of a file in the history. */
const statusOf = async (fileName: string) =>
  (await rowWith(page, fileName).getByRole('cell').allTextContents()).slice(4)

/** The date `days` after the upload of a file, as MM/dd/yyyy. */
async function dayAfterUpload(fileName: string, days: number): Promise<string> {
  const uploaded = await rowWith(page, fileName).locator('time').first().getAttribute('datetime')
  const day = new Date(uploaded!)
  day.setDate(day.getDate() + days)
  return day.toLocaleDateString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' })
}

/** Reloads the page; returns the statuses that the server has pushed to it since then. */
async function statusesPushed(page: Page): Promise<() => SubmissionStatus[]> {
  const statuses: SubmissionStatus[] = []
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()])
  socket.on('framereceived', ({ payload }) =>
    statuses.push(statusPush.parse(JSON.parse(String(payload))).FilesStatus),
  )
  return () => statuses
}

const hint = () => page.getByRole('tooltip').filter({ visible: true })

describe('The history', () => {
  it('shows how the unfinished files of the demo are finished, within a minute', async () => {
    for (const name of ['october', 'week-46', 'week-47'])
      await rowWith(page, `claims-${name}.csv`)
        .getByText('Success', { exact: true })
        .waitFor({ timeout: 60_000 })
  })

  it('shows the status of each file, with the action that it offers', async () => {
    const files = [
      'week-47',
      'week-46',
      'october',
      'with-errors',
      'old-layout',
      'clean',
      'september',
      'july',
    ].map((name) => `claims-${name}.csv`)
    const shown = async () =>
      Object.fromEntries(await Promise.all(files.map(async (name) => [name, await statusOf(name)])))
    await expect
      .poll(shown)
      .toEqual({
        'claims-week-47.csv': ['Success', expect.stringMatching(/^Receipt/)],
        'claims-week-46.csv': ['Success', expect.stringMatching(/^Receipt/)],
        'claims-october.csv': ['Success', expect.stringMatching(/^Receipt/)],
        'claims-with-errors.csv': [
          expect.stringMatching(/^Validation error\d+ rows$/),
          expect.stringMatching(/^View errors/),
        ],
        'claims-old-layout.csv': ['Validation error', expect.stringMatching(/^View errors/)],
        'claims-clean.csv': ['Success', expect.stringMatching(/^Receipt/)],
        'claims-september.csv': ['Storage error', 'Retry'],
        'claims-july.csv': ['File removed', ''],
      })
  })

  it.for([
    { file: 'claims-september.csv', status: 'Storage error', hintFor: submissionMessages.storageErrorHint },
    { file: 'claims-july.csv', status: 'File removed', hintFor: submissionMessages.fileRemovedHint },
  ])('explains $status, with the day 90 days after the upload', async ({ file, status, hintFor }) => {
    const label = rowWith(page, file).getByText(status, { exact: true })
    await label.hover()
    await hint().waitFor()
    const day = await dayAfterUpload(file, 90)
    expect(day).toMatch(/^\d\d\/\d\d\/\d{4}$/)
    await expect.poll(() => hint().textContent()).toBe(hintFor(day))
    await page.mouse.move(0, 0)
    await hint().waitFor({ state: 'detached' })
    await label.focus()
    for (const key of ['Shift+Tab', 'Tab']) await page.keyboard.press(key)
    await hint().waitFor()
    await page.keyboard.press('Escape')
    await hint().waitFor({ state: 'detached' })
  })
})

describe('The filter by status', () => {
  const filter = () => page.getByRole('group', { name: submissionMessages.statusFilter })
  const shown = async () => {
    const names = await page.getByRole('row').locator('td:first-child').allTextContents()
    return names.map((name) => name.replace(/^csv/, ''))
  }

  it('shows the files of one status, and of two', async () => {
    await button(filter(), 'Storage error').click()
    await expect.poll(shown).toEqual(['claims-september.csv'])
    await button(filter(), 'File removed').click()
    await expect.poll(shown).toEqual(['claims-september.csv', 'claims-july.csv'])
  })

  it('stays when the page is loaded again, and together with a search', async () => {
    await page.reload()
    await expect.poll(shown).toEqual(['claims-september.csv', 'claims-july.csv'])
    await field(page, 'Search by file name').fill('july')
    await page.keyboard.press('Enter')
    await expect.poll(shown).toEqual(['claims-july.csv'])
    await expect.poll(() => button(filter(), 'Storage error').getAttribute('aria-pressed')).toBe('true')
  })

  it('says that no file has the status, and shows all files again', async () => {
    await openNextInPage(page, '/home?filter=success&search=july')
    await page.getByText(submissionMessages.noneWithStatus('july')).waitFor()
    await button(page, 'Show all files').click()
    await rowWith(page, 'claims-with-errors.csv').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.goBack()
    await page.getByText(submissionMessages.noneWithStatus('july')).waitFor()
    await openNextInPage(page, '/home')
  })

  it('names who uploaded a file', async () => {
    await rowWith(page, 'claims-clean.csv')
      .getByText(/ by \S/)
      .waitFor()
  })
})

describe('Retry', () => {
  const folder = () => join(portal.dataDir, 'storage/northwind')
  const sources = () => readdirSync(join(portal.dataDir, 'storage/.sources'))

  it('sets the file back to in progress', async () => {
    const reply = { status: 200, json: { value: { message: submissionMessages.retryStarted } } }
    // Once the live connection is made, the page reads the statuses again, which the reply does not change.
    await Promise.all([page.waitForEvent('websocket'), page.reload()])
    await page.waitForLoadState('networkidle')
    await page.route(`**${retryIngestion.path}`, (route) => route.fulfill(reply), { times: 1 })
    await button(rowWith(page, 'claims-september.csv'), 'Retry').click()
    await notice(page, 'Success', submissionMessages.retryStarted).waitFor()
    await expect.poll(() => statusOf('claims-september.csv')).toEqual(['In progress', ''])
  })

  it('saves the file when the storage works again', async () => {
    await page.reload()
    await button(rowWith(page, 'claims-september.csv'), 'Retry').click()
    await rowWith(page, 'claims-september.csv').getByText('Success', { exact: true }).waitFor()
    await page.getByRole('status').getByText('claims-september.csv: Success', { exact: true }).waitFor()
  })

  it('fails again while the storage is down, and reports a file that was removed meanwhile', async () => {
    const before = new Set(sources())
    renameSync(folder(), `${folder()}-away`)
    writeFileSync(folder(), 'a file where the folder should be')
    await chooseNextUpload(page, 'Medical claims', { name: 'claims-lost.csv', bytes: asCsv(goodClaims) })
    await button(page, 'Upload').click()
    await page.getByRole('link', { name: 'Go back to home' }).click()
    const row = rowWith(page, 'claims-lost.csv')
    await row.getByText('Storage error', { exact: true }).waitFor()
    const pushed = await statusesPushed(page)
    await page.waitForLoadState('networkidle')
    // The response is late: a push has already reported that the file failed again.
    await page.route(
      `**${retryIngestion.path}`,
      async (route) => {
        const response = await route.fetch()
        await expect
          .poll(() => pushed().slice(-2))
          .toEqual([SubmissionStatus.ValidationPassed, SubmissionStatus.IngestionFailed])
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await Promise.all([page.waitForResponse(`**${retryIngestion.path}`), button(row, 'Retry').click()])
    await notice(page, 'Success', submissionMessages.retryStarted).last().waitFor()
    await expect.poll(() => statusOf('claims-lost.csv')).toEqual(['Storage error', 'Retry'])

    for (const source of sources().filter((name) => !before.has(name)))
      rmSync(join(portal.dataDir, 'storage/.sources', source))
    await button(row, 'Retry').click()
    await row.getByText('File removed', { exact: true }).waitFor()
    await expect.poll(() => button(row, 'Retry').count()).toBe(0)
    await page.reload()
    await row.getByText('File removed', { exact: true }).waitFor()
  })
})

describe('On a phone', () => {
  it('the history has no sideways scrolling, with a long word in the name of a dictionary', async () => {
    const name = 'Supercalifragilisticexpialidocious'
    await page.route(`**${listSubmissions.path}?*`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll('"Medical claims"', `"${name}"`)
      await route.fulfill({ response, body })
    })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/home')
    await page.getByText(name).first().waitFor()
    await expect.poll(() => sidewaysScrolling(page)).toBe(0)
    await endRoutes(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it.for([
    { who: 'a clerk', email: 'clerk@example.com', offers: ['Home', 'Your sessions'] },
    {
      who: 'an administrator',
      email: 'admin@example.com',
      offers: [
        'Home',
        'Data dictionaries',
        'Companies',
        'Manage administrators',
        'Operation',
        'Undelivered e-mails',
        'Audit trail',
        'Your sessions',
      ],
    },
  ])('$who finds the way in a drawer', async ({ email, offers }) => {
    const phone = await openPhone(email)
    const burger = phone.getByRole('button', { name: 'Menu', exact: true })
    await burger.click()
    const menu = phone.getByRole('dialog').getByRole('navigation', { name: 'Menu' })
    await menu.waitFor()
    await expect.poll(() => menu.getByRole('link').allTextContents()).toEqual(offers)
    await expect.poll(() => userMenu(phone).isVisible()).toBe(false)

    await waitForFocusInside(phone.getByRole('dialog'))
    await phone.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await waitForFocus(burger)
    await burger.press('Enter')
    await menu.getByRole('link', { name: offers.at(-1)!, exact: true }).click()
    await menu.waitFor({ state: 'detached' })
    await burger.click()
    await button(menu, 'Log out').click()
    await phone.waitForURL('**/login')
    await closeTab(phone)
  })

  it('a drawer that is opened again while a screen loads stays open', async () => {
    const phone = await openPhone('admin@example.com')
    let send = () => {}
    const sent = new Promise<void>((resolve) => (send = resolve))
    await phone.route('**/assets/companies-*.js', (route) => sent.then(() => route.continue()))
    const burger = phone.getByRole('button', { name: 'Menu', exact: true })
    const menu = phone.getByRole('dialog').getByRole('navigation', { name: 'Menu' })
    await burger.click()
    await menu.getByRole('link', { name: 'Companies', exact: true }).click()
    await menu.waitFor({ state: 'detached' })
    await burger.click()
    await menu.waitFor()
    send()
    await phone.waitForURL('**/home/companies')
    await phone.getByRole('heading', { level: 1, name: 'Companies', includeHidden: true }).waitFor()
    await expect.poll(() => menu.isVisible()).toBe(true)
    await closeTab(phone)
  })
})

async function openPhone(email: string): Promise<Page> {
  const phone = await openTab(browser, portal, email)
  await phone.setViewportSize({ width: 390, height: 800 })
  await phone.getByRole('button', { name: 'Menu', exact: true }).waitFor()
  return phone
}

describe('About', () => {
  it('has an address that the top bar does not link to', async () => {
    await openInPage(page, '/about-us')
    await heading(page, 'About Veridict').waitFor()
    await expect.poll(() => page.getByRole('banner').getByRole('link', { name: /about/i }).count()).toBe(0)
  })
})
