import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { findEarlierUpload, uploadSubmission } from '@veridict/contract/api/submissions'
import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { reportMessages } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLong } from '../packages/engine/test/runs.ts'
import { parseDictionary } from '../apps/cli/src/parse-dictionary.ts'
import { asCsv, asWorkbook, badCells, badClaims, goodClaims, goodRow } from './claims.ts'
import { compareChecks, type CheckComparison } from './browser-check.ts'
import { beginJourneys } from './journeys.ts'
import {
  button,
  choose,
  chooseNextUpload,
  chooseUpload,
  endRoutes,
  openNextInPage,
  openTab,
  uploadedPanel,
} from './visit.ts'

const dictionaryPath = `**${readForChecking.path.replace(':id', '*')}`
let clerk: Page

let checks: CheckComparison

beginJourneys(async (portal, browser) => {
  clerk = await openTab(browser, portal, 'clerk@example.com')
  checks = await compareChecks(portal, browser)
})
afterAll(() => checks?.close())
/** Every request since the screen was opened, as `METHOD path`. */
let requests: string[] = []
beforeEach(() => {
  requests = []
  clerk.on('request', note)
})
afterEach(async () => {
  clerk.off('request', note)
  await endRoutes(clerk)
})
const note = (request: { method(): string; url(): string }) =>
  requests.push(`${request.method()} ${new URL(request.url()).pathname}`)

const check = () => clerk.locator('[data-check]')
const finished = (kind: string) => clerk.locator(`[data-check=${kind}]`)
const upload = () => button(clerk, 'Upload')

/** The figures of the check, without those of time. */
const figures = (element: Locator) =>
  element.evaluate((node) => {
    const { milliseconds: _, longestTask: __, ...rest } = (node as HTMLElement).dataset
    return rest
  })

describe('Before the upload the page says', () => {
  it.for([
    { kind: 'csv', write: asCsv },
    { kind: 'xlsx', write: asWorkbook },
  ])('that a good .$kind looks good, and how many rows it has', async ({ kind, write }) => {
    await chooseNextUpload(clerk, 'Medical claims', { name: `good.${kind}`, bytes: write(goodClaims) })
    await finished('passed').getByText(texts.passed(12), { exact: true }).waitFor()
    await expect
      .poll(() => figures(check()))
      .toEqual({ check: 'passed', records: '12', errorRows: '0', cellErrors: '0' })
    for (const time of ['data-milliseconds', 'data-longest-task'])
      await expect.poll(() => check().getAttribute(time)).toMatch(/^\d+$/)
  })

  it.for([
    { kind: 'csv', write: asCsv },
    { kind: 'xlsx', write: asWorkbook },
  ])('which rows of a .$kind have errors, as its report will', async ({ kind, write }) => {
    await chooseNextUpload(clerk, 'Medical claims', { name: `bad.${kind}`, bytes: write(badClaims) })
    await finished('rowErrors').getByText(submissionMessages.rowsWithErrors(3, 12)).waitFor()
    await expect
      .poll(() => figures(check()))
      .toEqual({
        check: 'rowErrors',
        records: '12',
        errorRows: '3',
        cellErrors: String(badCells.length),
        errorType: '0',
      })
    await clerk.getByText('Expand all').click()
    for (const text of [submissionMessages.rowLabel(3), '31/02/1984', "Use '.' as the decimal separator."])
      await check().getByText(text).first().waitFor()
    await expect.poll(() => upload().isEnabled()).toBe(true)
  })

  it('the causes of the errors, and the rows of each', async () => {
    await chooseNextUpload(clerk, 'Medical claims', { name: 'causes.csv', bytes: asCsv(badClaims) })
    const cause = check().locator('[data-cause]').filter({ hasText: goodClaims[0]![5]! })
    await button(cause, reportMessages.showRows).click()
    await check().getByText(reportMessages.rowsOfCause(1, 1)).waitFor()
    await check().getByText(submissionMessages.rowLabel(13), { exact: true }).waitFor()
    await expect
      .poll(() => check().getByText(submissionMessages.rowLabel(3), { exact: true }).count())
      .toBe(0)
    await button(cause, reportMessages.rowsShown).click()
    await check().getByText(submissionMessages.rowLabel(3), { exact: true }).waitFor()
  })

  it('what is wrong with the columns, as the report will', async () => {
    const swapped = goodClaims.map(([first, second, ...rest]) => [second!, first!, ...rest])
    await chooseNextUpload(clerk, 'Medical claims', { name: 'swapped.csv', bytes: asCsv(swapped) })
    await finished('fileProblem').getByText('expected "Claim ID"').waitFor()
    await check().getByText(submissionMessages.structureLead).waitFor()
    await expect
      .poll(() => figures(check()))
      .toEqual({ check: 'fileProblem', errorType: String(ErrorType.ColumnOrder) })
    await expect.poll(() => check().getByRole('link').count()).toBe(0)
  })

  it('that a workbook is damaged', async () => {
    const bytes = asWorkbook(goodClaims).slice(0, 600)
    await chooseNextUpload(clerk, 'Medical claims', { name: 'cut.xlsx', bytes })
    await finished('fileProblem').waitFor()
    await expect.poll(() => figures(check())).toMatchObject({ errorType: String(ErrorType.Unreadable) })
  })

  it('nothing of an earlier choice: another file or dictionary is checked anew', async () => {
    await chooseNextUpload(clerk, 'Medical claims', { name: 'bad.csv', bytes: asCsv(badClaims) })
    await finished('rowErrors').waitFor()
    const [ofFile, ofDictionary] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = [ofFile.promise, ofDictionary.promise]
    await clerk.route(dictionaryPath, async (route) => {
      await held.shift()
      await route.continue()
    })
    await clerk
      .locator('input[type=file]')
      .setInputFiles({ name: 'good.csv', mimeType: 'text/csv', buffer: Buffer.from(asCsv(goodClaims)) })
    await finished('running').waitFor()
    ofFile.resolve()
    await finished('passed').waitFor()
    await choose(clerk, 'Data dictionary', 'Members')
    await finished('running').waitFor()
    ofDictionary.resolve()
    await finished('fileProblem').waitFor()
    await button(clerk, 'Remove file').click()
    await check().waitFor({ state: 'detached' })
  })
})

describe('The check before the upload', () => {
  it('sends neither the file nor its values', async () => {
    await chooseNextUpload(clerk, 'Medical claims', { name: 'bad.csv', bytes: asCsv(badClaims) })
    await finished('rowErrors').waitFor()
    const isEarlier = (request: string) => request === `GET ${findEarlierUpload.path}`
    await expect.poll(() => requests.filter(isEarlier).length).toBe(1)
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  })

  it.for([
    { why: 'its worker cannot be loaded', path: '**/check-worker*.js', reply: null },
    { why: 'the dictionary cannot be read', path: dictionaryPath, reply: null },
    { why: 'its worker fails', path: dictionaryPath, reply: { json: {} } },
  ])('does not stand in the way if $why', async ({ path, reply }) => {
    await clerk.route(path, (route) => (reply === null ? route.abort() : route.fulfill(reply)))
    await chooseUpload(clerk, 'Medical claims', { name: 'unchecked.csv', bytes: asCsv(goodClaims) })
    await clerk.getByText(texts.unavailable).waitFor()
    await expect.poll(() => check().count()).toBe(0)
    await upload().click()
    await uploadedPanel(clerk).waitFor()
  })

  it('does not wait for the hint at an earlier upload, nor the upload for the check', async () => {
    await clerk.route(`**${findEarlierUpload.path}*`, () => {})
    await chooseNextUpload(clerk, 'Medical claims', { name: 'no-hint.csv', bytes: asCsv(goodClaims) })
    await finished('passed').waitFor()
    await clerk.route(dictionaryPath, () => {})
    await chooseUpload(clerk, 'Medical claims', { name: 'no-check.csv', bytes: asCsv(goodClaims) })
    await finished('running').waitFor()
    await upload().click()
    await uploadedPanel(clerk).waitFor()
    await check().waitFor({ state: 'detached' })
  })

  it('ends for an upload, and begins again when the upload is canceled', async () => {
    await clerk.route(dictionaryPath, () => {})
    await clerk.route(`**${uploadSubmission.path}`, () => {})
    await chooseUpload(clerk, 'Medical claims', { name: 'canceled.csv', bytes: asCsv(goodClaims) })
    await finished('running').waitFor()
    await upload().click()
    await clerk.getByText(texts.unavailable).waitFor()
    await expect.poll(() => check().count()).toBe(0)
    await clerk.unroute(dictionaryPath)
    await button(clerk, 'Cancel').click()
    await finished('passed').waitFor()
  })

  it('says that the same bytes were uploaded before, and leads to their report', async () => {
    const bytes = asCsv([...badClaims, goodRow(13)])
    await chooseNextUpload(clerk, 'Medical claims', { name: 'first.csv', bytes })
    await finished('rowErrors').waitFor()
    await expect.poll(() => clerk.getByText('This is the file of').count()).toBe(0)
    await upload().click()
    await uploadedPanel(clerk).waitFor()
    await openNextInPage(clerk, '/home')
    await clerk.getByRole('row').filter({ hasText: 'first.csv' }).getByText('View errors').waitFor()
    await chooseUpload(clerk, 'Medical claims', { name: 'again.csv', bytes })
    await clerk.getByText(`, ${texts.earlierErrors(badCells.length)}.`).waitFor()
    await check().getByRole('link', { name: submissionMessages.viewErrors }).click()
    await clerk.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor()
  })
})

const samples = join(import.meta.dirname, '../samples')
/** Other files and dictionaries go the same way: what they find is proved without a browser. */
const dictionaryFiles = isLong ? ['medical-claims.json', 'members.json'] : ['medical-claims.json']
const sampleFiles = readdirSync(samples).filter((name) =>
  (isLong ? /\.(?:csv|xlsx)$/ : /with-errors\.(?:csv|xlsx)$/).test(name),
)

describe('The page and the command line give the same verdict', () => {
  it.for(sampleFiles.flatMap((name) => dictionaryFiles.map((dictionary) => ({ name, dictionary }))))(
    'on $name by $dictionary',
    async ({ name, dictionary }) => {
      const dictionaryPath = join(samples, 'dictionaries', dictionary)
      const { fields } = await parseDictionary(JSON.parse(readFileSync(dictionaryPath, 'utf8')), dictionary)
      const checkCase = { content: readFileSync(join(samples, name)), name, fields }
      const onPage = await checks.inPage(checkCase)
      expect(onPage).toMatchObject({ kind: 'checked', figures: await checks.onCommandLine(checkCase) })
    },
  )

  it('where a pattern needs RE2, which the worker loads only then', async () => {
    const fields: Field[] = [
      {
        name: 'Word',
        description: '',
        category: '',
        required: true,
        rule: { type: 'pattern', pattern: '\\p{Lu}.*?\\b' },
      },
    ]
    const checkCase = { content: Buffer.from('Word\nÄrger\närger\n'), name: 'word.csv', fields }
    const onPage = await checks.inPage(checkCase)
    expect(onPage).toMatchObject({ kind: 'checked', figures: await checks.onCommandLine(checkCase) })
    expect(onPage).toMatchObject({ figures: { verdict: 'rowErrors', errorRowCount: 1 } })
  })
})

describe('After the upload the panel shows the status of the file, and then', () => {
  const panel = () => uploadedPanel(clerk)
  const backgroundOf = (element: Locator) =>
    element.evaluate((node) => getComputedStyle(node).backgroundColor)
  let colourOfSuccess: string
  const uploadNow = async (name: string, bytes: Uint8Array) => {
    await chooseNextUpload(clerk, 'Medical claims', { name, bytes })
    await upload().click()
    await panel().getByText(name).waitFor()
  }

  it('that a good file was accepted', async () => {
    await uploadNow('accepted.csv', asCsv(goodClaims))
    await panel().getByText(submissionMessages.success, { exact: true }).waitFor()
    colourOfSuccess = await backgroundOf(panel())
    await panel().getByText(uploadMessages.accepted, { exact: true }).waitFor()
  })

  it('that a file has errors, with a link to them', async () => {
    await uploadNow('refused.csv', asCsv(badClaims))
    await panel().getByText(uploadMessages.notAccepted, { exact: true }).waitFor()
    await expect.poll(() => backgroundOf(panel())).not.toBe(colourOfSuccess)
    await panel().getByRole('link', { name: submissionMessages.viewErrors }).click()
    await clerk.getByRole('heading', { level: 1, name: 'refused.csv' }).waitFor()
  })
})
