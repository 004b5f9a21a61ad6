import { readFileSync } from 'node:fs'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { reportMessages } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { adminClient } from './admin-client.ts'
import { asCsv, type Table } from './claims.ts'
import { marksOf, sheetTexts } from './downloads.ts'
import { beginJourneys } from './journeys.ts'
import { expectAccessible } from './violations.ts'
import { button, chooseNextUpload, heading, openInPage, openTab, rowWith } from './visit.ts'

let page: Page

const DICTIONARY = 'Claims with rules'
const field = (name: string, rule: Field['rule'], more: Partial<Field> = {}): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule,
  ...more,
})
const fields = [
  field('Claim ID', { type: 'text' }, { required: true, identifiesRow: true }),
  field('Status', { type: 'list', options: ['Paid', 'Denied', 'Open'] }, { required: true }),
  field('Denial reason', { type: 'text' }),
  field('Billed amount', { type: 'number' }),
  field('Paid amount', { type: 'number' }),
  field('Approved by', { type: 'text' }),
]
const rules: RowRule[] = [
  {
    name: 'Denied claims have a reason',
    severity: 'error',
    when: { all: [{ column: 'Status', is: 'oneOf', values: ['Denied'] }] },
    then: [{ column: 'Denial reason', is: 'filled' }],
  },
  {
    name: 'Nobody is paid more than billed',
    severity: 'error',
    then: [{ column: 'Paid amount', is: 'atMost', than: { column: 'Billed amount' } }],
  },
  { name: 'One row for each claim', severity: 'error', then: [{ columns: ['Claim ID'], is: 'unique' }] },
  {
    name: 'High payments',
    description: 'Payments above 1,000 are rare',
    severity: 'warning',
    then: [{ column: 'Paid amount', is: 'atMost', than: { value: '1000' } }],
  },
  {
    name: 'Approval',
    severity: 'error',
    from: '2099-01-01',
    when: { all: [{ column: 'Paid amount', is: 'more', than: { value: '500' } }] },
    then: [{ column: 'Approved by', is: 'filled' }],
  },
]
const HEADER = fields.map(({ name }) => name)
const onlyWarnings: Table = [
  HEADER,
  ['C-1', 'Paid', '', '120', '120', ''],
  ['C-2', 'Paid', '', '900', '750', ''],
  ['C-3', 'Denied', 'Not covered', '80', '', ''],
  ['C-4', 'Paid', '', '5000', '4200', 'A. Lovelace'],
  ['C-5', 'Paid', '', '2500', '1500', ''],
]
const wrong: Table = [
  ...onlyWarnings,
  ['C-6', 'Denied', '', '75', '', ''],
  ['C-7', 'Paid', '', '100', '110', ''],
  ['C-3', 'Open', '', '75', '', ''],
]

beginJourneys(async (portal, browser) => {
  const admin = await adminClient(portal.url)
  const { id } = await admin.createDictionary(DICTIONARY, fields.map(fieldToBody), 'Northwind Health')
  await admin.saveRules(id, rules)
  page = await openTab(browser, portal, 'clerk@example.com')
})

const warnings = () => page.getByRole('region', { name: reportMessages.warnings, exact: true })
const checked = (kind: string) => page.locator(`[data-check=${kind}]`)
const upload = async (name: string, table: Table, check: string) => {
  await chooseNextUpload(page, DICTIONARY, { name, bytes: asCsv(table) })
  await checked(check).waitFor()
}

async function download(item: string): Promise<Uint8Array> {
  await button(page, 'Download').click()
  const started = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  return readFileSync(await (await started).path())
}

describe('A file with warnings only', () => {
  it('looks good before the upload, and shows its warnings', async () => {
    await upload('warned.csv', onlyWarnings, 'passed')
    await page.getByText(fileCheckMessages.passed(5)).waitFor()
    await warnings().getByText(reportMessages.warningLead(4, 3)).waitFor()
    const rule = warnings().getByRole('listitem').filter({ hasText: 'Approval' })
    await expect.poll(() => rule.textContent()).toContain('This will be an error from 2099-01-01 on.')
    await button(rule, '2 rows').click()
    await expect
      .poll(() => rule.getByRole('table').textContent())
      .toContain('Paid amount is 750, so Approved by must be filled.')
  })

  it('is accepted, and the history leads to its report', async () => {
    await button(page, 'Upload').click()
    const panel = page.getByRole('status').filter({ hasText: 'warned.csv' })
    await panel.getByText(submissionMessages.warningRows(3)).waitFor()
    await openInPage(page, '/home')
    const row = rowWith(page, 'warned.csv')
    await row.getByText(submissionMessages.success).waitFor()
    await row.getByText(submissionMessages.warningRows(3)).waitFor()
    await expect.poll(() => row.getByRole('link', { name: receiptMessages.receipt }).count()).toBe(1)
    await row.getByRole('link', { name: submissionMessages.viewWarnings }).click()
    await heading(page, 'warned.csv').waitFor()
    await page.getByRole('region', { name: reportMessages.accepted, exact: true }).waitFor()
    await warnings().getByText(reportMessages.warningLead(4, 3)).waitFor()
    await expect.poll(() => page.getByRole('region', { name: reportMessages.rows }).count()).toBe(0)
  })

  it('shows the rows of a rule with the other cells of it', async () => {
    const rule = warnings().getByRole('listitem').filter({ hasText: 'Approval' })
    await button(rule, '2 rows').click()
    const lines = rule.getByRole('table').getByRole('row')
    await expect.poll(() => lines.count()).toBe(3)
    await expect.poll(() => lines.nth(1).textContent()).toContain('F3with E3')
    await expect
      .poll(() => lines.nth(2).textContent())
      .toContain('Paid amount is 1500, so Approved by must be filled.')
    await expectAccessible(page)
  })

  it('has a workbook of its warnings, and one with their cells marked', async () => {
    const list = await download(submissionMessages.warningsFile)
    const listed = (await sheetTexts(list, 3)).slice(1).map(([row, claim]) => `${row} ${claim}`)
    expect(listed).toEqual(['3 C-2', '5 C-4', '6 C-5', '6 C-5'])
    const { filled } = marksOf(await download(submissionMessages.highlightedWarningsFile))
    expect([...filled].sort()).toEqual(['E3', 'E5', 'E6', 'F3', 'F6'])
  })
})

describe('A file with errors of rules', () => {
  it('says in each row which cells do not fit together, with the warnings below', async () => {
    await upload('rules.csv', wrong, 'rowErrors')
    await warnings().waitFor()
    await button(page, 'Upload').click()
    await page.getByText(submissionMessages.viewErrors).click()
    await heading(page, 'rules.csv').waitFor()
    await page.getByText(reportMessages.fixFirst(3, 100)).waitFor()
    await page.getByRole('button', { name: 'Expand all' }).click()
    for (const sentence of [
      'Status is Denied, so Denial reason must be filled.',
      'Paid amount must be at most 100 (the value of Billed amount).',
      'row 4 has the same',
    ])
      await page.getByRole('table').filter({ hasText: sentence }).waitFor()
    const reason = page.getByRole('table', { name: 'Errors of row 7' })
    await expect.poll(() => reason.textContent()).toContain('C7with B7')
    await expectAccessible(page)
    await warnings().getByText(reportMessages.warningLead(4, 3)).waitFor()
  })

  it('is accepted once its cells are corrected', async () => {
    await page.getByRole('link', { name: reportMessages.uploadCorrected }).click()
    const corrected = wrong
      .with(6, ['C-6', 'Denied', 'No referral', '75', '', ''])
      .with(7, ['C-7', 'Paid', '', '100', '100', ''])
      .with(8, ['C-8', 'Open', '', '75', '', ''])
    await upload('rules.csv', corrected, 'passed')
    await button(page, 'Upload').click()
    const panel = page.getByRole('status').filter({ hasText: 'rules.csv' })
    await panel.getByText(submissionMessages.success, { exact: true }).waitFor()
    await panel.getByText(/^All 3 errors of the upload of .* are fixed\.$/).waitFor()
  })
})
