import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Browser, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  button,
  chooseNextUpload,
  endRoutes,
  notice,
  openTab,
  rowWith,
  uploadedPanel,
  waitForFocus,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  page = await openTab(browser, portal, 'clerk@example.com')
})
beforeEach(() => endRoutes(page))

const upload = () => button(page, 'Upload')
const chosen = (name: string) => page.locator('form').getByText(name, { exact: true })
const isUpload = (method: string) => method === 'POST'

describe('A canceled upload', () => {
  it('ends at once, keeps the file chosen and leaves nothing in the portal', async () => {
    const stored = () => readdirSync(join(portal.dataDir, 'storage'), { recursive: true }).map(String).sort()
    // The demo's unfinished files are stored meanwhile.
    await (await apiClient(portal.url, 'clerk@example.com')).allSettled()
    const before = stored()
    const slow = await page.context().newCDPSession(page)
    await chooseNextUpload(page, 'Medical claims', { name: 'large.csv', bytes: largeFile() })
    await slow.send('Network.enable')
    const conditions = { offline: false, latency: 0, downloadThroughput: -1 }
    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: 200_000 })
    await upload().click()
    await page.getByText(uploadMessages.uploading('large.csv')).waitFor()
    const ends = page.waitForEvent('requestfailed', (request) => isUpload(request.method()))
    await button(page, 'Cancel').click()
    await ends
    await page.getByRole('status').getByText(uploadMessages.canceled, { exact: true }).waitFor()
    await waitForFocus(upload())
    await chosen('large.csv').waitFor()
    await expect.poll(() => button(page, 'Cancel').count()).toBe(0)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)

    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1 })
    await expect.poll(stored).toEqual(before)
    // Not within the page, which shows first what it knew before.
    await page.goto('/home')
    await rowWith(page, 'claims-clean.csv').waitFor()
    await expect.poll(() => rowWith(page, 'large.csv').count()).toBe(0)
  })

  it('can be sent again without choosing the file again', async () => {
    await chooseNextUpload(page, 'Medical claims', { name: 'again.csv', bytes: asCsv(goodClaims) })
    await page.route(`**${uploadSubmission.path}`, (route) =>
      isUpload(route.request().method()) ? undefined : route.continue(),
    )
    await upload().click()
    await button(page, 'Cancel').click()
    await page.getByText(uploadMessages.canceled, { exact: true }).waitFor()
    await endRoutes(page)
    await upload().click()
    await uploadedPanel(page).waitFor()
    await expect.poll(() => upload().isDisabled()).toBe(true)
  })
})

describe('After an error of the server', () => {
  it.for([
    // The other refusals: `use-upload.test.ts`.
    { status: 503, json: { message: noticeMessages.unavailable }, says: noticeMessages.unavailable },
    { status: 400, json: { errors: { file: [uploadMessages.fileEmpty] } }, says: uploadMessages.fileEmpty },
  ])('($status) the file stays chosen and can be sent again', async ({ status, json, says }) => {
    await chooseNextUpload(page, 'Medical claims', { name: `kept-${status}.csv`, bytes: asCsv(goodClaims) })
    const refuse = { status, json }
    await page.route(`**${uploadSubmission.path}`, (route) => route.fulfill(refuse), { times: 1 })
    await upload().click()
    await page.getByRole('alert').getByText(says).first().waitFor()
    await chosen(`kept-${status}.csv`).waitFor()
    await upload().click()
    await uploadedPanel(page).waitFor()
  })

  it('of the network the file must be selected again: it may have changed on disk', async () => {
    await chooseNextUpload(page, 'Medical claims', { name: 'lost.csv', bytes: asCsv(goodClaims) })
    await page.route(`**${uploadSubmission.path}`, (route) => route.abort(), { times: 1 })
    await upload().click()
    await page.getByText(uploadMessages.interrupted, { exact: true }).first().waitFor()
    await expect.poll(() => chosen('lost.csv').count()).toBe(0)
    await expect.poll(() => upload().isDisabled()).toBe(true)
  })
})

describe('A notice with a long list', () => {
  const problems = Array.from({ length: 60 }, (_, index) => `Row ${index + 2}, Type: 'Txt' is not a type.`)
  const title = () => page.getByText(noticeMessages.validationErrorTitle, { exact: true })

  it('shows its title, scrolls, and is not in the way of the buttons below it', async () => {
    // Without the notices of earlier journeys.
    await page.reload()
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await chooseNextUpload(page, 'Medical claims', { name: 'long.csv', bytes: asCsv(goodClaims) })
      const refuse = { status: 400, json: problems }
      await page.route(`**${uploadSubmission.path}`, (route) => route.fulfill(refuse), { times: 1 })
      await upload().click()
      await notice(page, noticeMessages.validationErrorTitle, problems.join('\n')).waitFor()
      const list = page.getByRole('alert').locator('[tabindex="0"]')
      // Polled, because the notice slides in.
      await expect.poll(() => list.evaluate(isBelowItsTitle)).toBe(true)
      await expect.poll(() => list.evaluate((node) => node.clientHeight)).toBeGreaterThan(200)

      const isAtItsEnd = async () => {
        // Again until it scrolls: the notice may still slide, away from below the mouse.
        const frame = (await list.boundingBox())!
        await page.mouse.move(frame.x + 20, frame.y + 20)
        await page.mouse.wheel(0, 10_000)
        return list.evaluate((node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 1)
      }
      await expect.poll(isAtItsEnd).toBe(true)
      await waitForFocus(list)
      await button(page, 'Close notice').click()
      await title().waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})

/** Whether a notice is on the screen as a whole, its list below its title. */
function isBelowItsTitle(list: Element): boolean {
  const title = list.closest('[role=alert]')!.querySelector('[class*=title]')!.getBoundingClientRect()
  const { top, bottom } = list.getBoundingClientRect()
  return title.top > 0 && title.height > 0 && title.bottom <= top + 1 && bottom <= innerHeight
}

/** About 5 MB. */
const largeFile = () => asCsv([...goodClaims, ...Array.from({ length: 50_000 }, () => goodClaims[1]!)])
