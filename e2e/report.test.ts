import { readFileSync } from 'node:fs'
import { readErrorReport } from '@veridict/contract/api/submission-errors'
import { correctionTexts } from '@veridict/contract/messages/error-files'
import { correctedMessages, reportMessages } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, goodClaims, goodRow, type Table } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import {
  button,
  choose,
  endRoutes,
  field,
  heading,
  openedDialog,
  openInPage,
  openNextInPage,
  openTab,
  rowWith,
  waitForFocus,
} from './visit.ts'

let page: Page
let clerk: ApiClient
let dictionaryId: number
let reportId: number

beginJourneys(async (portal, browser) => {
  page = await openTab(browser, portal, 'clerk@example.com')
  clerk = await apiClient(portal.url, 'clerk@example.com')
  dictionaryId = await clerk.dictionary('Medical claims')
})

/** Claims of 150 rows in which cells are replaced, by their reference (`E2`). */
function claimsWith(bad: Record<string, string>): Table {
  const rows = [[...goodClaims[0]!], ...Array.from({ length: 150 }, (_, index) => goodRow(index + 1))]
  for (const [reference, value] of Object.entries(bad))
    rows[Number(reference.slice(1)) - 1]![reference.charCodeAt(0) - 65] = value
  return rows
}

/** A systematic mistake in more rows than are kept, and two small ones far below. */
const wrongDates = Object.fromEntries(
  Array.from({ length: 120 }, (_, index) => [`E${index + 2}`, `1984-02-${10 + (index % 20)}`]),
)
const june = claimsWith({ ...wrongDates, B141: 'Profesional', M145: '13,75' })

async function uploaded(name: string, table: Table): Promise<number> {
  const { body } = await clerk.upload({ name, bytes: asCsv(table) }, dictionaryId)
  return (await clerk.settled(body.value!.id)).id
}

const verdict = () => page.getByRole('region', { name: reportMessages.notAccepted })
const causeOf = (label: string) => verdict().getByRole('listitem').filter({ hasText: label })
const rows = () => page.getByRole('region', { name: reportMessages.rows })
/** The numbers of the rows that are listed. */
const rowNumbers = async () => {
  const panels = await rows()
    .getByRole('button', { name: /^Row \d/ })
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-controls')))
  return panels.map((id) => Number(id?.replace('row-', '')))
}
const columnList = () => {
  const name = reportMessages.column
  return page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name }))
}
const search = () => new URL(page.url()).searchParams

beforeAll(async () => {
  reportId = await uploaded('claims june.csv', june)
})

describe('The summary of a report', () => {
  it('says the verdict, the rows, the cells and what to correct first', async () => {
    await openInPage(page, `/home/fileError/${reportId}`)
    await heading(page, 'claims june.csv').waitFor()
    const items = verdict().getByRole('list').first().getByRole('listitem')
    const figures = async () => (await items.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '))
    await expect.poll(figures).toEqual(['122 of 150 rows have errors', '122 cells to correct', '3 causes'])
    await verdict()
      .getByRole('heading', { name: reportMessages.fixFirst(1, 98) })
      .waitFor()
    await expect
      .poll(() => causeOf('Date of birth').textContent())
      .toContain(reportMessages.causeSize(120, 98))
    await page.getByText(submissionMessages.firstRowsOf(122)).waitFor()
  })

  it.for([1440, 390])('comes where its place was while it loaded, in %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    const isRead = Promise.withResolvers<void>()
    await page.route(`**${readErrorReport.path.replace(':id', '*')}?*`, async (route) => {
      await isRead.promise
      await route.continue()
    })
    await page.goto(`/home/fileError/${reportId}`)
    const topOf = async (part: Locator) => (await part.boundingBox())?.y
    const place = page.getByRole('status', { name: 'Loading' })
    await place.waitFor()
    const top = await topOf(place)
    isRead.resolve()
    await expect.poll(() => topOf(verdict())).toBe(top)
    await endRoutes(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('says how many cells can be corrected, and leads there', async () => {
    await verdict().getByText(reportMessages.withSuggestion(122, 122)).waitFor()
    await button(verdict(), correctedMessages.copy).click()
    const opened = await openedDialog(page, correctedMessages.title)
    await opened.getByText(correctedMessages.nothingTicked).waitFor()
    await button(opened, 'Cancel').click()
    await waitForFocus(button(verdict(), correctedMessages.copy))
  })

  it('says so if it counts what can be corrected of the largest causes only', async () => {
    await page.route(`**${readErrorReport.path.replace(':id', '*')}?*`, async (route) => {
      const response = await route.fetch()
      const { value } = (await response.json()) as { value: object }
      await route.fulfill({ response, json: { value: { ...value, causesCount: 60, cellErrorCount: 500 } } })
    })
    await page.reload()
    await verdict().getByText(reportMessages.withSuggestion(122, 500)).waitFor()
    await endRoutes(page)
    await page.reload()
  })

  it('says of a value of a shifted row in which column it stands', async () => {
    const shifted = claimsWith({}).map((row, index) => (index < 100 ? row : row.toSpliced(1, 0, '')))
    await openInPage(page, `/home/fileError/${await uploaded('claims shifted.csv', shifted)}`)
    const line = verdict().getByRole('listitem').filter({ hasText: 'one column too far right' })
    for (const text of ['Row 101:', `Member ID${goodRow(100)[1]}`])
      await expect.poll(() => line.textContent()).toContain(text)
    await openInPage(page, `/home/fileError/${reportId}`)
  })

  it('has the specified downloads first, each with what it is for', async () => {
    await button(page, 'Download').click()
    const entries = page.getByRole('menuitem')
    await entries.first().waitFor()
    await expect
      .poll(async () => (await entries.allTextContents()).slice(0, 2))
      .toEqual([
        submissionMessages.errorsFile + correctedMessages.errorsFor,
        submissionMessages.highlightedFile + correctedMessages.highlightedFor,
      ])
    await page.getByRole('menuitem', { name: submissionMessages.highlightedFile, exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('The rows of a cause', () => {
  it('are shown beyond the first hundred rows, and filter and focus are there', async () => {
    await button(causeOf('Claim type'), reportMessages.showRows).click()
    await expect.poll(rowNumbers).toEqual([141])
    await rows().getByText(reportMessages.rowsOfCause(1, 1)).waitFor()
    await waitForFocus(rows())
    await expect.poll(() => search().get('cause')).not.toBeNull()
    const filter = rows().getByRole('group', { name: reportMessages.filter })
    await filter.getByText('Claim type', { exact: true }).waitFor()
  })

  it('are the same after loading the page again, and all rows after going back', async () => {
    await page.reload()
    await expect.poll(rowNumbers).toEqual([141])
    await page.goBack()
    await expect.poll(async () => (await rowNumbers())[0]).toBe(2)
    await page.goForward()
    await expect.poll(rowNumbers).toEqual([141])
    await button(rows(), reportMessages.showAllRows).click()
    await expect.poll(async () => (await rowNumbers())[0]).toBe(2)
    await expect.poll(() => search().get('cause')).toBeNull()
    await waitForFocus(rows())
  })

  it('have pages, and begin at the first one when the filter is removed', async () => {
    await button(causeOf('Date of birth'), reportMessages.showRows).click()
    await rows().getByText(reportMessages.rowsOfCause(100, 120)).waitFor()
    await button(rows(), 'Page 2').click()
    await expect.poll(async () => (await rowNumbers()).at(-1)).toBe(21)
    await button(causeOf('Date of birth'), reportMessages.rowsShown).click()
    await expect.poll(async () => (await rowNumbers())[0]).toBe(2)
  })

  it.for(['page=99', 'cause=E.dateFormat.yyyy-MM-dd&page=99'])(
    'are those of the last page if the address names a page after it: %s',
    async (query) => {
      await openNextInPage(page, `/home/fileError/${reportId}`)
      // Until the rows of the last page are there, the list must not look empty.
      const lastPage = Promise.withResolvers<void>()
      await page.route('**/*PageNumber=10&*', async (route) => {
        await lastPage.promise
        await route.continue()
      })
      await page.goto(`/home/fileError/${reportId}?${query}`)
      await rows().getByText('91–100 of 100', { exact: true }).waitFor()
      if (query === 'page=99') await rows().getByRole('status', { name: 'Loading' }).waitFor()
      lastPage.resolve()
      await expect.poll(rowNumbers).toHaveLength(10)
      await endRoutes(page)
      await page.goBack()
      await page.waitForURL(`**/home/fileError/${reportId}`)
    },
  )

  it('can be those of one column, also after loading the page again', async () => {
    await choose(page, reportMessages.column, 'M  Billed amount')
    await expect.poll(rowNumbers).toEqual([145])
    await rows().getByText(reportMessages.rowsOfCause(1, 1)).waitFor()
    await page.reload()
    await expect.poll(rowNumbers).toEqual([145])
    await expect.poll(() => search().get('column')).toBe('M')
    await button(rows(), reportMessages.showAllRows).click()
  })

  it('leave the focus in the list of columns that they were chosen in', async () => {
    await choose(page, reportMessages.column, 'M  Billed amount')
    await expect.poll(rowNumbers).toEqual([145])
    await waitForFocus(columnList())
    await button(rows(), reportMessages.showAllRows).click()
  })

  it('come from a list of columns that tells screen readers when it is open', async () => {
    for (const [key, isOpen] of [
      ['Enter', 'true'],
      ['Escape', 'false'],
    ] as const) {
      await columnList().press(key)
      await expect.poll(() => columnList().getAttribute('aria-expanded')).toBe(isOpen)
    }
  })

  it('are all rows if the address names an unknown cause', async () => {
    await openNextInPage(page, `/home/fileError/${reportId}?cause=nothing`)
    await expect.poll(async () => (await rowNumbers())[0]).toBe(2)
  })

  it('are collapsed, although they were expanded among all rows', async () => {
    const expanded = () => rows().locator('[aria-expanded=true]').count()
    await button(rows(), 'Expand all').click()
    await expect.poll(expanded).toBe(10)
    await button(causeOf('Date of birth'), reportMessages.showRows).click()
    await rows().getByRole('group', { name: reportMessages.filter }).waitFor()
    await expect.poll(async () => [(await rowNumbers()).length, await expanded()]).toEqual([10, 0])
  })
})

describe('Go to row', () => {
  const input = () => field(page, reportMessages.goToRow)
  const goTo = async (number: string) => {
    await input().fill(number)
    await input().press('Enter')
  }

  it('opens the row on its page', async () => {
    await openNextInPage(page, `/home/fileError/${reportId}`)
    await goTo('93')
    const row = rows().getByRole('button', { name: /^Row 93/ })
    await waitForFocus(row)
    await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => search().get('page')).toBe('10')
    await page.reload()
    await waitForFocus(row)
  })

  it.for([
    { number: '1', says: reportMessages.rowNotListed(1), why: 'has no errors' },
    { number: '110', says: reportMessages.rowBeyondList(110, 101), why: 'is not kept' },
    { number: 'A5', says: reportMessages.rowNumberWanted, why: 'is none' },
  ])('says that a row $why', async ({ number, says }) => {
    await goTo(number)
    await rows().getByText(says).waitFor()
    await expect.poll(() => input().getAttribute('aria-invalid')).toBe('true')
  })
})

describe('A corrected copy', () => {
  const openDialog = async () => {
    await button(verdict(), correctedMessages.copy).click()
    return openedDialog(page, correctedMessages.title)
  }
  const choice = (copy: Locator, label: string) =>
    copy.getByRole('listitem').filter({ hasText: label }).getByRole('checkbox')

  it('changes nothing that is not ticked', async () => {
    await openNextInPage(page, `/home/fileError/${reportId}`)
    const copy = await openDialog()
    await copy.getByText(correctedMessages.nothingTicked).waitFor()
    await expect.poll(() => button(copy, correctedMessages.download).isDisabled()).toBe(true)
    await copy.getByText('1984-02-10', { exact: true }).waitFor()
    await copy.getByText('10/02/1984', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await copy.waitFor({ state: 'detached' })
  })

  it('has exactly the cells of the two causes that are ticked, of three', async () => {
    await button(causeOf('Date of birth'), reportMessages.correct).click()
    const copy = await openedDialog(page, correctedMessages.title)
    await expect.poll(() => choice(copy, 'Date of birth').isChecked()).toBe(true)
    await choice(copy, 'Claim type').check()
    await expect.poll(() => choice(copy, 'Billed amount').isChecked()).toBe(false)
    await copy.getByText(correctedMessages.outcome(121, 1)).waitFor()
    const started = page.waitForEvent('download')
    await button(copy, correctedMessages.download).click()
    const file = await started
    const dates = Object.entries(wrongDates).map(([cell, date]) => [
      cell,
      date.split('-').reverse().join('/'),
    ])
    const expected = asCsv(claimsWith({ ...Object.fromEntries(dates), B141: 'Professional', M145: '13,75' }))
    expect(file.suggestedFilename()).toBe('claims june_corrected.csv')
    expect(readFileSync(await file.path()).equals(expected)).toBe(true)
  })

  it('is described on the page, with what remains', async () => {
    const note = page.getByRole('status').filter({ hasText: correctedMessages.doneTitle })
    await note.getByText(correctedMessages.changed(121)).waitFor()
    const changes = async () =>
      (await note.getByRole('listitem').allTextContents()).map((text) => text.split(' cell')[0])
    await expect.poll(changes).toEqual(['Date of birth: 120', 'Claim type: 1'])
    await note.getByText(correctedMessages.remains(1)).waitFor()
    await waitForFocus(note.getByRole('link', { name: reportMessages.uploadCorrected }))
    await button(note, correctedMessages.dismiss).click()
    await note.waitFor({ state: 'detached' })
    await waitForFocus(page.locator('#content'))
  })

  it('says in the dialog why it could not be made', async () => {
    await page.reload()
    await page.route('**/api/ErrorFile/*/Source', (route) =>
      route.fulfill({ status: 404, json: { message: submissionMessages.sourceGone } }),
    )
    const copy = await openDialog()
    await choice(copy, 'Claim type').check()
    await button(copy, correctedMessages.download).click()
    await copy.getByRole('alert').getByText(submissionMessages.sourceGone).waitFor()
    await endRoutes(page)
    await button(copy, 'Cancel').click()
  })
})

describe('Dates with day and month swapped, some of which pass', () => {
  const label = 'Date of birth'
  const swapped = claimsWith({
    ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`E${index + 2}`, '03/04/1984'])),
    ...Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`E${index + 2}`, '03/14/1984'])),
  })

  it('are counted where the clerk ticks their correction, and after it', async () => {
    await openInPage(page, `/home/fileError/${await uploaded('claims swapped.csv', swapped)}`)
    await button(causeOf(label), reportMessages.correct).click()
    const copy = await openedDialog(page, correctedMessages.title)
    await copy.getByText(correctedMessages.passedToo(60)).waitFor()
    await button(copy, correctedMessages.download).click()
    const note = page.getByRole('status').filter({ hasText: correctedMessages.doneTitle })
    await note.getByText(correctionTexts.passedWrong(label, 60)).waitFor()
    await note.getByText(correctedMessages.nothingRemains).waitFor()
  })
})

describe('A suggestion', () => {
  it('stands beside the value of each error', async () => {
    await openInPage(page, `/home/fileError/${reportId}?row=2`)
    const table = rows().getByRole('table', { name: 'Errors of row 2' })
    await table.getByRole('cell').getByText('10/02/1984', { exact: true }).waitFor()
  })
})

describe('A corrected file', () => {
  it('is uploaded against the same dictionary', async () => {
    await page.getByRole('link', { name: reportMessages.uploadCorrected }).click()
    const select = page.getByRole('combobox').or(page.getByRole('textbox')).first()
    await expect.poll(() => select.inputValue()).toBe('Medical claims')
    await field(page, 'File').setInputFiles({
      name: 'claims june v2.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(asCsv(claimsWith({ E2: '1984-02-10', B141: 'Profesional', O9: 'new' }))),
    })
    await button(page, 'Upload').click()
    await page.getByRole('link', { name: 'Go back to home' }).click()
    await rowWith(page, 'claims june v2.csv').getByText(submissionMessages.errorRows(3)).waitFor()
    await rowWith(page, 'claims june v2.csv').getByText(submissionMessages.viewErrors).click()
  })

  it('shows what is fixed, what remains and what is new, in all and by cause', async () => {
    await heading(page, 'claims june v2.csv').waitFor()
    for (const text of [reportMessages.fixed(120), reportMessages.remaining(2), reportMessages.isNew(1)])
      await verdict().getByText(text, { exact: true }).waitFor()
    await button(verdict(), reportMessages.byCause).click()
    const changes = verdict()
      .getByRole('listitem')
      .filter({ hasText: /\d (fixed|remaining|new)$/ })
    const areOnlyRemaining = async () =>
      (await changes.allTextContents()).map((text) => !/\d (fixed|new)/.test(text))
    await expect.poll(areOnlyRemaining).toEqual([false, false, false, true])
    const dates = changes.filter({ hasText: reportMessages.fixed(119) })
    await dates.getByText(reportMessages.remaining(1), { exact: true }).waitFor()
    await verdict().getByRole('link', { name: 'claims june.csv' }).click()
    await heading(page, 'claims june.csv').waitFor()
  })
})
