import { readFileSync } from 'node:fs'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { templateTexts } from '@veridict/contract/messages/template-file'
import type { Browser, Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { fillIn } from '../packages/engine/test/fill-in.ts'
import { goodClaims } from './claims.ts'
import { sheetTexts } from './downloads.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  choose,
  chooseNextUpload,
  heading,
  notice,
  openInPage,
  openTab,
  rowWith,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})
afterEach(() => closeTab(page))

/** Downloads the template with the button or menu item of that name. */
async function downloadTemplate(role: 'button' | 'menuitem'): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole(role, { name: 'Download template' }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

describe('The template of a dictionary', () => {
  it('is downloaded by a clerk, filled in, uploaded, and passes', async () => {
    page = await openTab(browser, portal, 'clerk@example.com')
    await openInPage(page, '/home/fileUpload')
    await heading(page, 'Upload new file').waitFor()
    await expect.poll(() => button(page, 'Download template').count()).toBe(0)
    await choose(page, 'Data dictionary', 'Medical claims')
    const { name, bytes } = await downloadTemplate('button')
    expect(name).toBe('Medical claims_template.xlsx')
    await expect(sheetTexts(bytes, 1)).resolves.toEqual([goodClaims[0]])
    await chooseNextUpload(page, 'Medical claims', {
      name: 'claims june.xlsx',
      bytes: fillIn(bytes, goodClaims.slice(1)),
    })
    await button(page, 'Upload').click()
    await page.getByRole('link', { name: 'Go back to home' }).click()
    const row = rowWith(page, 'claims june.xlsx')
    await row.getByText(submissionMessages.success).waitFor()
    await expect.poll(() => row.textContent()).toContain(String(goodClaims.length - 1))
  })

  it('is downloaded by an administrator if there are fields', async () => {
    page = await openTab(browser, portal, 'admin@example.com')
    await openInPage(page, '/home/dictionaries')
    await actionOf(page, 'Providers', 'Edit').click()
    await heading(page, 'Providers').waitFor()
    await button(page, 'More downloads').click()
    await expect(downloadTemplate('menuitem')).resolves.toMatchObject({ name: 'Providers_template.xlsx' })
    await page.route('**/Template', (route) =>
      route.fulfill({ status: 409, json: { message: templateTexts.noFields } }),
    )
    await button(page, 'More downloads').click()
    await page.getByRole('menuitem', { name: 'Download template' }).click()
    await notice(page, 'Error', templateTexts.noFields).waitFor()
  })
})
