import { readFileSync } from 'node:fs'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  associate,
  button,
  chooseNextUpload,
  dialog,
  field,
  heading,
  openNextInPage,
  openTab,
  rowWith,
  waitForMessage,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  page = await openTab(browser, portal, 'admin@example.com')
})

const SAMPLE = new URL('../samples/claims-clean.csv', import.meta.url)
const proposals = () => page.getByRole('list', { name: 'Fields' }).getByRole('listitem')
const column = (letter: string) => page.getByRole('listitem', { name: `Column ${letter}`, exact: true })
const optionsOf = (letter: string) => column(letter).getByRole('button', { name: /^Options/ })
/** The regular expression of column A, when the column has that type. */
const expression = () => column('A').getByRole('textbox', { name: 'Regular expression' })
const sampleInput = () => field(page, 'Sample file')

async function openCreation(): Promise<void> {
  await openNextInPage(page, '/home/dictionary/create')
  await heading(page, 'Create dictionary').waitFor()
}

describe('A dictionary from a sample', () => {
  it('is empty by default', async () => {
    await openCreation()
    await expect.poll(() => page.getByRole('radio', { name: 'Start empty' }).isChecked()).toBe(true)
    await expect.poll(() => sampleInput().count()).toBe(0)
  })

  it('shows at the input why a file cannot be read', async () => {
    await page.getByRole('radio', { name: 'Start from a file' }).click()
    await sampleInput().setInputFiles({
      name: 'claims.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Id\n"1'),
    })
    // The first file waits until the portal has started the process that reads it.
    await page.getByText(fileProblemMessages.unclosedQuote(2)).first().waitFor()
    await waitForMessage(sampleInput(), fileProblemMessages.unclosedQuote(2))
    await sampleInput().setInputFiles({
      name: 'claims.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF'),
    })
    await waitForMessage(sampleInput(), dictionaryMessages.sampleWrongType)
  })

  it('cannot be saved while its file is read; after a failure it asks for the file again', async () => {
    const response = Promise.withResolvers<void>()
    await page.route('**/api/DataDictionary/Propose', async (route) => {
      await response.promise
      await route.fulfill({ status: 503, json: { message: noticeMessages.unavailable } })
    })
    await field(page, 'Data dictionary name').fill('Claims')
    await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true)
    await sampleInput().setInputFiles({
      name: 'claims.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Id\n1'),
    })
    await button(page, 'Save').and(page.locator(':disabled')).waitFor()
    response.resolve()
    await button(page, 'Save').and(page.locator(':enabled')).waitFor()
    await page.getByText('Drop your file here or browse').waitFor()
    await waitForMessage(sampleInput(), noticeMessages.unavailable)
    await expect.poll(() => page.getByText('claims.csv', { exact: true }).count()).toBe(0)
    await page.unroute('**/api/DataDictionary/Propose')
    await field(page, 'Data dictionary name').fill('')
  })

  it('has the name of its file until another name is typed', async () => {
    const name = field(page, 'Data dictionary name')
    for (const [fileName, called] of [
      ['some_claims.csv', 'some claims'],
      ['draft.csv', 'draft'],
    ]) {
      await sampleInput().setInputFiles({
        name: fileName,
        mimeType: 'text/csv',
        buffer: Buffer.from('Id\n1'),
      })
      await expect.poll(() => name.inputValue()).toBe(called)
    }
  })

  it('proposes a field for every column, with its reason', async () => {
    await sampleInput().setInputFiles({
      name: 'monthly_claims.csv',
      mimeType: 'text/csv',
      buffer: readFileSync(SAMPLE),
    })
    await page.getByText('16 fields proposed from 24 rows of monthly_claims.csv').waitFor()
    await expect.poll(() => field(page, 'Data dictionary name').inputValue()).toBe('monthly claims')
    await expect.poll(() => proposals().count()).toBe(16)
    await column('E').getByText('Days above 12 show that the day comes first.').waitFor()
    await expect.poll(() => column('E').getByLabel('Type', { exact: true }).inputValue()).toBe('2')
    await expect.poll(() => column('I').getByLabel('Can be empty').isChecked()).toBe(true)
  })

  it('shows at its fields what must be corrected before saving', async () => {
    await optionsOf('A').click()
    await expect.poll(() => expression().inputValue()).toBe('CLM-[0-9]{8}')
    await expression().fill('')
    await column('B').getByLabel('Field name').fill('')
    await column('C').getByLabel('Field name').fill('claim  id')
    await button(page, 'Save').click()
    await page.getByText('3 fields need to be put right').waitFor()
    await waitForMessage(expression(), 'Regular expression is required')
    await waitForMessage(column('B').getByLabel('Field name'), 'Name is required')
    await waitForMessage(
      column('C').getByLabel('Field name'),
      'A field with this name already exists in the data dictionary.',
    )
    await expect.poll(() => heading(page, 'Create dictionary').count()).toBe(1)
  })

  it('keeps corrections when leaving is cancelled', async () => {
    await page.getByRole('link', { name: 'Cancel' }).click()
    await dialog(page, 'Unsaved changes').getByRole('button', { name: 'Keep editing' }).click()
    await dialog(page, 'Unsaved changes').waitFor({ state: 'detached' })
    await expect.poll(() => proposals().count()).toBe(16)
  })

  it('is saved with its corrections and all of its fields', async () => {
    await expression().fill('CLM-[0-9]{8}')
    await column('B').getByLabel('Field name').fill('Claim type')
    await column('C').getByLabel('Field name').fill('Member ID')
    await optionsOf('M').click()
    // Typed beside the options, while these are open.
    const name = column('M').getByLabel('Field name')
    await name.fill('BILLED AMOUNT')
    await column('M').getByLabel('Can be empty').press('Space')
    await column('M').getByLabel('Within a range').press('Space')
    await column('M').getByLabel('Min', { exact: true }).fill('0')
    await expect.poll(() => name.inputValue()).toBe('BILLED AMOUNT')
    await expect.poll(() => column('M').getByLabel('Can be empty').isChecked()).toBe(true)
    await field(page, 'Data dictionary name').fill('Monthly claims')
    await button(page, 'Save').click()
    await heading(page, 'Monthly claims').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/home\/dictionary\/edit\/[0-9a-f-]{32}$/)
    await page.getByRole('list', { name: 'Fields' }).waitFor()
    await expect.poll(() => proposals().count()).toBe(16)
    for (const [name, rule] of [
      ['Claim ID', 'Regular expression'],
      ['Claim type', 'Item from a list, 4 values'],
      ['Date of birth', 'Date, dd/MM/yyyy'],
      ['Billed amount', 'Number, at least 0, 2 decimals'],
    ]) {
      await proposals().filter({ hasText: name }).getByText(rule, { exact: true }).waitFor()
    }
  })

  it('accepts the file it was made from', async () => {
    await associate(page, 'Monthly claims')
    const clerk = await openTab(browser, portal, 'clerk@example.com')
    await chooseNextUpload(clerk, 'Monthly claims', { name: 'june.csv', bytes: readFileSync(SAMPLE) })
    await button(clerk, 'Upload').click()
    await clerk.getByRole('link', { name: 'Go back to home' }).click()
    await rowWith(clerk, 'june.csv').getByText(submissionMessages.success).waitFor()
    await closeTab(clerk)
  })
})
