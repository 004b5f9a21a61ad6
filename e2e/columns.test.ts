import { correctedMessages } from '@veridict/contract/messages/report'
import type { Page } from 'playwright-core'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { describe, expect, it } from 'vitest'
import { adminClient } from './admin-client.ts'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, goodClaims, type Table } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import { columnsOf, heading, openInPage, openTab, sidewaysScrolling } from './visit.ts'

let page: Page
let clerk: ApiClient
let contacts: { id: number; name: string }

const contactFields = ['Contact', 'Given name', 'Surname', 'Country']

beginJourneys(async (portal, browser) => {
  page = await openTab(browser, portal, 'clerk@example.com')
  clerk = await apiClient(portal.url, 'clerk@example.com')
  const administrator = await adminClient(portal.url)
  const fields = contactFields.map((itemName) => ({
    itemName,
    description: '',
    category: '',
    ruleType: 0 as const,
    isRequired: false,
    identifiesRow: false,
    ruleConfig: '{}',
  }))
  contacts = await administrator.createDictionary('Contacts', fields, 'Northwind')
})

/** Uploads a table against "Medical claims" and opens its report. */
async function openReport(name: string, table: Table): Promise<void> {
  const { body } = await clerk.upload({ name, bytes: asCsv(table) }, await clerk.dictionary('Medical claims'))
  const id = body.value?.id ?? 0
  await expect(clerk.settled(id)).resolves.toMatchObject({ status: SubmissionStatus.ValidationFailed })
  await openInPage(page, `/home/fileError/${id}`)
  await heading(page, name).waitFor()
}

const chosenDictionary = () =>
  page
    .getByRole('combobox', { name: 'Data dictionary', exact: true })
    .or(page.getByRole('textbox', { name: 'Data dictionary', exact: true }))
const table = () => page.getByRole('table', { name: 'Columns that differ' })
const lines = () =>
  table()
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.querySelectorAll('[role=cell]')].map((cell) => cell.textContent)),
    )
/** A sentence of a list; the head of the printed report has the same sentences. */
const item = (text: string) => page.locator('li').filter({ hasText: text })
const renamed = (from: string, to: string): Table =>
  goodClaims.map((row, index) => (index === 0 ? row.map((label) => (label === from ? to : label)) : row))

describe('The report of a file with other columns', () => {
  it('shows each column that differs with what to do, and not in sentences as well', async () => {
    await openReport('renamed.csv', renamed('Date of birth', 'DOB'))
    await expect.poll(() => columnsOf(table())).toEqual(['Column', 'Expected', 'Found', 'What to do'])
    await expect
      .poll(() => lines())
      .toEqual([['E', 'Date of birth', 'DOB', 'Rename this column to "Date of birth".']])
    await expect.poll(() => item('did you mean "Date of birth"?').count()).toBe(0)
    await page.getByText('Each column specified in the file type is present in the file.').waitFor()
  })

  it('says once what is the same for all columns', async () => {
    await openReport('title.csv', [['Claims of May'], ...goodClaims])
    await item('Row 2 has the right column names: delete the rows above it.').waitFor()
    await expect.poll(() => columnsOf(table())).toEqual(['Column', 'Expected', 'Found'])
    const { length } = goodClaims[0]!
    await expect
      .poll(() => table().locator('caption').textContent())
      .toBe(`${submissionMessages.forAllColumns(length)} Row 2 has the right name.`)
    await expect.poll(lines).toHaveLength(length)
  })

  it('says that the heading row is missing', async () => {
    await openReport('no-heading.csv', goodClaims.slice(1))
    await item('The first row looks like data').waitFor()
    await page.getByRole('button', { name: correctedMessages.copyHeading, exact: true }).waitFor()
    await expect.poll(() => table().count()).toBe(0)
  })

  it('names the dictionary that the file fits, and leads to its upload', async () => {
    await openReport('contacts.csv', [contactFields, ['1', 'Ann', 'Lee', 'IT']])
    await item('This looks like "Contacts"').waitFor()
    await page.getByRole('link', { name: 'Upload against Contacts', exact: true }).click()
    await heading(page, 'Upload new file').waitFor()
    await expect.poll(() => chosenDictionary().inputValue()).toBe(contacts.name)
  })

  it('shows the expected order beside the columns to move', async () => {
    await openReport(
      'order.csv',
      goodClaims.map(([first, second, ...rest]) => [second!, first!, ...rest]),
    )
    await item('The expected order is: Claim ID').waitFor()
    await expect
      .poll(async () => (await lines()).map(([column, , , note]) => [column, note]))
      .toEqual([
        ['A', 'Move this column to B.'],
        ['B', 'Right once the other columns are moved.'],
      ])
  })

  it('has no sideways scrolling on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openReport('phone.csv', renamed('Date of birth', 'A very long name of a column without any end'))
    await expect.poll(() => sidewaysScrolling(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})
