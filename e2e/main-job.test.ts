import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCsv, asWorkbook, badClaims, badCells, goodClaims, type Table } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import { marksOf, sheetTexts } from './downloads.ts'
import type { Portal } from './portal.ts'
import { openInPage, openTab, rowWith, uploadedPanel, closeTab } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe.for([
  { kind: 'csv', write: asCsv },
  { kind: 'xlsx', write: asWorkbook },
])('A clerk with a .$kind', ({ kind, write }) => {
  const names = { bad: `claims may.${kind}`, good: `claims may corrected.${kind}` }
  let page: Page

  beforeAll(async () => {
    page = await openTab(browser, portal, 'clerk@example.com')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  })
  afterAll(() => closeTab(page))

  it('uploads a file with errors and sees it fail without reloading', async () => {
    await upload(page, names.bad, write(badClaims))
    await rowWith(page, names.bad).getByText(submissionMessages.viewErrors).waitFor()
    await expect.poll(() => rowWith(page, names.bad).textContent()).toContain(String(badClaims.length - 1))
  })

  it('reads what is wrong, where, and what would be right', async () => {
    await rowWith(page, names.bad).getByText(submissionMessages.viewErrors).click()
    await page.getByText(submissionMessages.rowLabel(3), { exact: true }).waitFor()
    await page.getByText('Expand all').click()
    for (const text of [
      '31/02/1984',
      '13,75',
      "Use '.' as the decimal separator.",
      'did you mean "Professional"?',
    ]) {
      await page.getByText(text).first().waitFor()
    }
    await page.getByRole('button', { name: 'View all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('=1+1').waitFor()
    await expect.poll(() => dialog.textContent()).toContain(names.bad)
    await page.setViewportSize({ width: 1280, height: 420 })
    await dialog.getByRole('row').last().scrollIntoViewIfNeeded()
    await expect.poll(() => isOnTop(dialog.getByRole('columnheader', { name: 'Expected' }))).toBe(true)
    await page.setViewportSize({ width: 1280, height: 900 })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('downloads the list of errors', async () => {
    const file = await download(page, submissionMessages.errorsFile)
    expect(file.name).toBe('claims may_errors.xlsx')
    const [header, ...rows] = await sheetTexts(file.bytes, 1)
    expect(header).toEqual(['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected'])
    expect(rows.map(([row, column, , , value]) => ({ row: Number(row), column, value }))).toEqual(badCells)
    expect(rows.every(([, column, label]) => label === goodClaims[0]![column!.charCodeAt(0) - 65])).toBe(true)
  })

  it('downloads the source with the bad cells marked and nothing else changed', async () => {
    const file = await download(page, submissionMessages.highlightedFile)
    expect(file.name).toBe('claims may_highlighted.xlsx')
    const places = badCells.map(({ row, column }) => column + row)
    const marks = marksOf(file.bytes)
    expect([...marks.filled].sort()).toEqual([...places].sort())
    expect([...marks.notes.keys()].sort()).toEqual([...places].sort())
    expect(withoutBlankTail(await sheetTexts(file.bytes, 1))).toEqual(withoutBlankTail(badClaims))
  })

  it('uploads the corrected file and finds it, byte for byte, in the storage folder', async () => {
    const bytes = write(goodClaims)
    await openInPage(page, '/home')
    await upload(page, names.good, bytes)
    await rowWith(page, names.good).getByText(submissionMessages.success).waitFor()
    const saved = filesBelow(join(portal.dataDir, 'storage')).filter((path) =>
      new RegExp(`northwind.*claims.may.corrected\\.${kind}`).test(path),
    )
    const data = saved.filter((path) => path.endsWith(`.${kind}`))
    expect(data).toHaveLength(1)
    expect(readFileSync(data[0]!).equals(bytes)).toBe(true)
    expect(saved.filter((path) => path.endsWith('.json'))).toHaveLength(1)
  })
})

async function upload(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.getByText('Upload new file').first().click()
  await page.getByRole('combobox').or(page.getByRole('textbox')).first().click()
  await page.getByRole('option', { name: 'Medical claims' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await uploadedPanel(page).waitFor()
  await page.getByRole('link', { name: /home/i }).last().click()
  await rowWith(page, name).waitFor()
}

async function download(page: Page, item: string): Promise<{ name: string; bytes: Uint8Array }> {
  await page.getByRole('button', { name: 'Download' }).click()
  const started = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  const file = await started
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** The library that reads workbooks drops blank cells at the end of a row. */
const withoutBlankTail = (table: Table) =>
  table.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1))

/** Whether the middle of an element is visible: nothing covers it, and it is not scrolled away. */
const isOnTop = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2) === node
  })

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
