import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { uploadLimits } from '@veridict/contract/limits'
import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages, reportMessages } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Locator, Page } from 'playwright-core'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { asCsv, asWorkbook, goodClaims, type Table } from './claims.ts'
import { sheetTexts } from './downloads.ts'
import { beginJourneys } from './journeys.ts'
import {
  button,
  choose,
  chooseNextUpload,
  endRoutes,
  field,
  openedDialog,
  openNextInPage,
  openTab,
  uploadedPanel,
  waitForFocus,
} from './visit.ts'

let page: Page

beginJourneys(async (portal, browser) => {
  page = await openTab(browser, portal, 'clerk@example.com')
})
afterEach(() => endRoutes(page))

const BIRTH = 4
const SERVICE_FROM = 7
const SERVICE_TO = 8
const AMOUNT = 12
/** All dates of birth in another form, and one amount with its currency: 13 bad cells of two causes. */
const wrongClaims: Table = goodClaims.map((row, index) =>
  index === 0 ? row : row.with(BIRTH, '1984-02-29').with(AMOUNT, index === 3 ? '$125.50' : row[AMOUNT]!),
)

const check = () => page.locator('[data-check]')
const checked = (kind: string) => page.locator(`[data-check=${kind}]`)
const note = () => page.getByRole('status').filter({ hasText: texts.copyChosen })
const makeCopy = (dialog: Locator) => button(dialog, texts.makeCopy)

async function openDialog(file: { name: string; bytes: Uint8Array }, action: string): Promise<Locator> {
  await chooseNextUpload(page, 'Medical claims', file)
  await checked('rowErrors').waitFor()
  await button(check(), action).first().click()
  return openedDialog(page, correctedMessages.title)
}

/** The path of a new file, which the browser reads faster than bytes that it is sent. */
function writeFile(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'veridict-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function openDialogFor(path: string): Promise<Locator> {
  await openNextInPage(page, '/home/fileUpload')
  await choose(page, 'Data dictionary', 'Medical claims')
  await field(page, 'File').setInputFiles(path)
  await checked('rowErrors').waitFor()
  await button(check(), reportMessages.correct).first().click()
  return openedDialog(page, correctedMessages.title)
}

/** The copy that the dialog makes, as the browser saves it. */
async function copyFrom(dialog: Locator): Promise<{ name: string; bytes: Buffer }> {
  const started = page.waitForEvent('download')
  await makeCopy(dialog).click()
  const download = await started
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

describe('A corrected copy before the upload', () => {
  it.for([
    {
      kind: 'csv',
      write: asCsv,
      contentOf: (bytes: Buffer) => Promise.resolve(bytes.toString()),
      good: Buffer.from(asCsv(goodClaims)).toString(),
    },
    { kind: 'xlsx', write: asWorkbook, contentOf: (bytes: Buffer) => sheetTexts(bytes, 1), good: goodClaims },
  ])('of a .$kind is saved, chosen, checked and accepted', async ({ kind, write, contentOf, good }) => {
    const posts: string[] = []
    page.on('request', (request) => void (request.method() === 'GET' || posts.push(request.url())))
    const dialog = await openDialog(
      { name: `june.${kind}`, bytes: write(wrongClaims) },
      correctedMessages.copy,
    )
    await expect.poll(() => makeCopy(dialog).isDisabled()).toBe(true)
    await dialog.getByLabel(correctedMessages.tickAll).check()
    await dialog.getByText(correctedMessages.outcome(13, 0), { exact: true }).waitFor()
    const copy = await copyFrom(dialog)
    expect(copy.name).toBe(`june_corrected.${kind}`)
    await expect(contentOf(copy.bytes)).resolves.toEqual(good)
    await checked('passed').getByText(texts.passed(12), { exact: true }).waitFor()
    await note().getByText(correctedMessages.nothingRemains).waitFor()
    expect(posts).toEqual([])
    await button(page, 'Upload').click()
    const uploaded = uploadedPanel(page)
    await uploaded.getByText(copy.name).waitFor()
    await uploaded.getByText(submissionMessages.success, { exact: true }).waitFor()
    await expect.poll(() => note().count()).toBe(0)
  })

  it('has exactly the cells of the cause that is ticked, and is checked for the others', async () => {
    const file = { name: 'one cause.csv', bytes: asCsv(wrongClaims) }
    const dialog = await openDialog(file, reportMessages.correct)
    await dialog.getByText(correctedMessages.outcome(12, 1), { exact: true }).waitFor()
    const { bytes } = await copyFrom(dialog)
    const expected = goodClaims.map((row, index) => (index === 3 ? row.with(AMOUNT, '$125.50') : row))
    expect(bytes.equals(asCsv(expected))).toBe(true)
    await note().getByText(correctedMessages.remains(1)).waitFor()
    await waitForFocus(note())
    await expect.poll(() => check().getAttribute('data-cell-errors')).toBe('1')
    await button(note(), correctedMessages.dismiss).click()
    await note().waitFor({ state: 'detached' })
  })

  it('counts what a rule between cells finds in it', async () => {
    // After the last day of service, once it is read as a date.
    const late = goodClaims.map((row, index) =>
      index === 3 ? row.with(SERVICE_FROM, '2026-12-30').with(SERVICE_TO, '03/11/2026') : row,
    )
    const dialog = await openDialog({ name: 'late.csv', bytes: asCsv(late) }, reportMessages.correct)
    await dialog.getByText(correctedMessages.outcome(1, 0), { exact: true }).waitFor()
    await copyFrom(dialog)
    await note().getByText(correctedMessages.remains(1)).waitFor()
    await expect.poll(() => check().getAttribute('data-cell-errors')).toBe('1')
  })

  it('ends with its dialog, and logs no error', async () => {
    const logged: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
    const downloads: string[] = []
    page.on('download', (download) => void downloads.push(download.suggestedFilename()))
    const dialog = await openDialog({ name: 'closed.csv', bytes: asCsv(wrongClaims) }, reportMessages.correct)
    const held = Promise.withResolvers<void>()
    await page.route('**/correct-worker*.js', (route) => held.promise.then(() => route.continue()))
    const asked = page.waitForRequest('**/correct-worker*.js')
    await makeCopy(dialog).click()
    await asked
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    held.resolve()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe(reportMessages.correct)
    expect([logged, downloads]).toEqual([[], []])
  })

  it('that would be too large to upload is not made', async () => {
    const NAME = 3
    const row = wrongClaims[1]!.with(BIRTH, '1984-2-9')
    const table = (width: number, last: number): Table => [
      wrongClaims[0]!,
      ...Array.from({ length: 800 }, () => row.with(NAME, 'n'.repeat(width))),
      row.with(NAME, 'n'.repeat(last)),
    ]
    const missing = uploadLimits.maxBytes - asCsv(table(32_000, 0)).length
    const width = 32_000 + Math.floor(missing / 801)
    const bytes = asCsv(table(width, uploadLimits.maxBytes - asCsv(table(width, 0)).length))
    expect(bytes.length).toBe(uploadLimits.maxBytes)
    const dialog = await openDialogFor(writeFile('largest.csv', bytes))
    await makeCopy(dialog).click()
    await dialog.getByRole('alert').getByText(texts.copyTooLarge).waitFor()
    await button(dialog, 'Cancel').click()
    await page.getByText('largest.csv', { exact: true }).waitFor()
    await checked('rowErrors').waitFor()
  })

  it.for([
    {
      why: 'the network fails',
      says: noticeMessages.unavailable,
      fail: async () => {
        await page.route(`**${readForChecking.path.replace(':id', '*')}`, (route) => route.abort())
      },
    },
    {
      why: 'its worker fails',
      says: texts.copyFailed,
      fail: async () => {
        await page.route(`**${readForChecking.path.replace(':id', '*')}`, (route) =>
          route.fulfill({ json: {} }),
        )
      },
    },
    {
      why: 'the file was modified',
      says: uploadMessages.interrupted,
      fail: async (path: string) => appendFileSync(path, ' '),
    },
  ])('that cannot be made because $why says so', async ({ says, fail }) => {
    const path = writeFile('changed.csv', asCsv(wrongClaims))
    const dialog = await openDialogFor(path)
    await fail(path)
    await makeCopy(dialog).click()
    await dialog.getByRole('alert').getByText(says).waitFor()
    await button(dialog, 'Cancel').click()
  })

  it('that cannot be made leaves the file chosen, and says what else is possible', async () => {
    await page.route('**/correct-worker*.js', (route) => route.abort())
    const file = { name: 'no copy.csv', bytes: asCsv(wrongClaims) }
    const dialog = await openDialog(file, reportMessages.correct)
    await makeCopy(dialog).click()
    await dialog.getByRole('alert').getByText(texts.copyFailed).waitFor()
    await button(dialog, 'Cancel').click()
    await page.getByText(file.name, { exact: true }).waitFor()
    await checked('rowErrors').waitFor()
  })
})
