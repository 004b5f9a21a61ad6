import { readFileSync } from 'node:fs'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { asCsv, badClaims } from './claims.ts'
import { marksOf, sheetTexts } from './downloads.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  chooseNextUpload,
  dialog,
  field,
  heading,
  openInPage,
  openTab,
  rowWith,
  uploadedPanel,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let administrator: Page
let clerk: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  administrator = await openTab(browser, portal, 'admin@example.com')
  clerk = await openTab(browser, portal, 'clerk@example.com')
})
afterAll(async () => {
  for (const page of [administrator, clerk]) await closeTab(page)
})

const DICTIONARY = 'Medical claims'
const FILE = 'claims by number.csv'

async function openDictionary(page: Page): Promise<void> {
  await openInPage(page, '/home/dictionaries')
  await actionOf(page, DICTIONARY, 'Edit').click()
  await heading(page, DICTIONARY).waitFor()
}

/** Downloads an error file of the report that is open. */
async function download(page: Page, item: string): Promise<Uint8Array> {
  await button(page, 'Download').click()
  const started = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  return readFileSync(await (await started).path())
}

describe('A field that identifies the row', () => {
  it('is marked with a switch, which is off at first', async () => {
    await openDictionary(administrator)
    for (const name of ['Claim ID', 'Member ID']) {
      await actionOf(administrator, name, 'Edit').click()
      await heading(administrator, name).waitFor()
      await expect.poll(() => field(administrator, 'Identifies the row').isChecked()).toBe(false)
      await expect.poll(() => button(administrator, 'Save').isDisabled()).toBe(true)
      await field(administrator, 'Identifies the row').check()
      await button(administrator, 'Save').click()
      await heading(administrator, DICTIONARY).waitFor()
    }
    const rows = administrator.getByRole('list', { name: 'Fields' }).getByRole('listitem')
    await expect.poll(() => rows.filter({ hasText: 'Identifies the row' }).count()).toBe(2)
    await actionOf(administrator, 'Claim ID', 'Edit').click()
    await heading(administrator, 'Claim ID').waitFor()
    await expect.poll(() => field(administrator, 'Identifies the row').isChecked()).toBe(true)
  })

  it('shows its values beside the row number, also where they are wrong', async () => {
    await chooseNextUpload(clerk, DICTIONARY, { name: FILE, bytes: asCsv(badClaims) })
    await button(clerk, 'Upload').click()
    await uploadedPanel(clerk).waitFor()
    await openInPage(clerk, '/home')
    await rowWith(clerk, FILE).getByText(submissionMessages.viewErrors).click()
    const row = (number: number) =>
      clerk.getByRole('button', { name: new RegExp(`^Row ${number} Claim ID .* Member ID`) })
    await expect.poll(() => row(3).textContent()).toContain('Claim ID CLM-00000002Member ID M0012345')
    await expect.poll(() => row(7).textContent()).toContain('Claim ID CLM-7Member ID M0012345')
    await row(7).click()
    // By key: while the row opens, the button moves.
    await button(clerk, 'View all').press('Enter')
    await dialog(clerk, FILE).getByText('CLM-7').first().waitFor()
    await expect.poll(() => dialog(clerk, FILE).textContent()).toContain('Claim ID CLM-7Member ID M0012345')
    await button(dialog(clerk, FILE), 'Close').last().click()
  })

  it('stands in both downloads', async () => {
    const [header, first] = await sheetTexts(await download(clerk, submissionMessages.errorsFile), 1)
    expect(header.slice(0, 4)).toEqual(['Row', 'Claim ID', 'Member ID', 'Col.'])
    expect(first.slice(0, 4)).toEqual(['3', 'CLM-00000002', 'M0012345', 'E'])
    const { notes } = marksOf(await download(clerk, submissionMessages.highlightedFile))
    expect(notes.get('E3')).toMatch(/\nClaim ID: CLM-00000002\nMember ID: M0012345$/)
  })
})
