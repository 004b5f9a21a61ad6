import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { button, chooseNextUpload, heading, openInPage, openTab, rowWith, closeTab } from './visit.ts'

const ROOT = join(import.meta.dirname, '..')
const fileName = 'claims-clean.csv'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe('The receipt of an accepted file', () => {
  let page: Page
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'veridict-receipt-'))
    page = await openTab(browser, portal, 'clerk@example.com')
    await rowWith(page, fileName).getByRole('link', { name: 'Receipt' }).click()
    await heading(page, 'Receipt').waitFor()
  })
  afterAll(async () => {
    await closeTab(page)
    rmSync(folder, { recursive: true })
  })

  it('says what was accepted, from whom and when', async () => {
    const text = () => page.getByRole('article', { name: `Receipt of ${fileName}` }).innerText()
    for (const fact of ['Accepted', fileName, 'Medical claims', 'version', 'clerk@example.com', 'UTC'])
      await expect.poll(text).toContain(fact)
    await expect.poll(text).toMatch(/Stored as\s+northwind\/\d{4}\/\d\d\/\d+_claims-clean\.csv/)
  })

  it('is one sheet of A4, without menus and buttons', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('banner').isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('button').all()).toEqual([])
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'screen' })
  })

  it('can be kept, and the command line says that it belongs to the file', async () => {
    const downloads = page.waitForEvent('download')
    await button(page, 'Download receipt').click()
    const download = await downloads
    expect(download.suggestedFilename()).toBe('claims-clean_receipt.json')
    const receipt = join(folder, 'receipt.json')
    await download.saveAs(receipt)
    const { storedAs } = JSON.parse(readFileSync(receipt, 'utf8'))
    const file = join(portal.dataDir, 'storage', storedAs)
    const args = ['apps/cli/src/main.mjs', 'receipt', 'verify', file, receipt, '--url', portal.url]
    // Not synchronous: the portal answers in this process.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT })
    expect(stdout).toContain('This is the file of the receipt')
  })

  it('is offered where the file was uploaded, once it is accepted', async () => {
    await chooseNextUpload(page, 'Medical claims', { name: 'new.csv', bytes: asCsv(goodClaims) })
    await button(page, 'Upload').click()
    await page.getByRole('link', { name: 'Receipt' }).click()
    await page.getByRole('article', { name: 'Receipt of new.csv' }).waitFor()
    const home = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' })
    await expect.poll(() => home.getAttribute('aria-current')).toBe('page')
  })

  it('does not exist for a file with errors', async () => {
    await openInPage(page, '/home')
    const errors = await rowWith(page, 'claims-with-errors.csv').getByText('View errors').getAttribute('href')
    await openInPage(page, `/home/receipt/${errors?.split('/').at(-1)}`)
    await heading(page, 'Nothing to see here').waitFor()
  })
})
