import { fieldToBody } from '@veridict/contract/api/wire-field'
import { impactMessages as texts } from '@veridict/contract/messages/impacts'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { dictionaryIdOf, dictionarySlug } from '@veridict/contract/notation/dictionary-slug'
import type { Browser, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { adminClient } from './admin-client.ts'
import { beginJourneys } from './journeys.ts'
import { mailsTo } from './mails.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  chooseNextUpload,
  field,
  heading,
  notice,
  openedDialog,
  openNextInPage,
  openTab,
  rowWith,
} from './visit.ts'

const company = 'Northwind Health'
const rule = 'Refunds have a reason'
const fields = ['Kind', 'Reason'].map((name) =>
  fieldToBody({ name, description: '', category: '', required: name === 'Kind', rule: { type: 'text' } }),
)

let portal: Portal
let page: Page
let slug: string

beginJourneys(async (...opened: [Portal, Browser]) => {
  portal = opened[0]
  const admin = await adminClient(portal.url)
  const { id } = await admin.createDictionary('Refunds', fields, company)
  const when = { all: [{ column: 'Kind', is: 'equal' as const, than: { value: 'Refund' } }] }
  await admin.saveRules(id, [
    { name: rule, severity: 'warning', when, then: [{ column: 'Reason', is: 'filled' }] },
  ])
  slug = dictionarySlug(id, crypto.randomUUID())
  const clerk = await openTab(opened[1], portal, 'clerk@example.com')
  const bytes = Buffer.from('Kind,Reason\nRefund,\nPayment,\nRefund,\nRefund,Twice paid\n')
  await chooseNextUpload(clerk, 'Refunds', { name: 'refunds.csv', bytes })
  await button(clerk, 'Upload').click()
  await clerk.getByRole('link', { name: 'Go back to home' }).click()
  await rowWith(clerk, 'refunds.csv').getByText('Receipt').waitFor()
  page = await openTab(opened[1], portal, 'admin@example.com')
})

it('An administrator sees which companies use a dictionary', async () => {
  await openNextInPage(page, `/home/dictionary/edit/${slug}`)
  await page.getByRole('link', { name: company, exact: true }).waitFor()
})

it('An administrator sees whom a changed field would break, before saving it', async () => {
  await openNextInPage(page, `/home/dictionary/edit/${slug}`)
  await actionOf(page, 'Reason', 'Edit').click()
  await field(page, 'Can be empty').uncheck()
  await button(page, texts.question).click()
  const dialog = await openedDialog(page, texts.question)
  await dialog.getByText('1 of 1 file would now be refused: 3 cells in Reason, Northwind Health').waitFor()
  await rowWith(page, 'refunds.csv').getByText('Refused', { exact: true }).waitFor()
  await button(dialog, 'Close').click()
  await dialog.waitFor({ state: 'detached' })
})

it.for([
  {
    what: 'order of the fields',
    open: async () => {
      await button(page, 'Change order').click()
      const form = await openedDialog(page, 'Change order')
      await button(form, 'Move Kind').press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
    },
    says: '1 of 1 file would now be refused: 1 file as a whole, as the columns do not fit, Northwind Health',
  },
  {
    what: 'text that counts as blank',
    open: async () => {
      await button(page, 'Edit texts that count as blank').click()
      await field(await openedDialog(page, 'Texts that count as blank'), 'Texts that count as blank').fill(
        'Refund',
      )
    },
    says: '1 of 1 file would now be refused: 3 cells in Kind, Northwind Health',
  },
])('An administrator sees whom another $what would break, before saving it', async ({ open, says }) => {
  await openNextInPage(page, `/home/dictionary/edit/${slug}`)
  await heading(page, 'Refunds').waitFor()
  await open()
  await button(page, texts.question).click()
  const dialog = await openedDialog(page, texts.question)
  await dialog.getByText(says).waitFor()
  await button(dialog, 'Close').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
  await page.keyboard.press('Escape')
  await button(await openedDialog(page, 'Unsaved changes'), 'Discard').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('A list that the server would refuse is not tried, and says why', async () => {
  await button(page, 'Add a reference list').click()
  const form = await openedDialog(page, 'Add a reference list')
  await field(form, 'Add a reference list').fill('Reasons\nReason\nTwice;paid')
  await button(form, texts.question).click()
  const refusal = "List 'Reasons': Each row needs 1 values, one for each column."
  await notice(page, noticeMessages.validationErrorTitle, refusal).waitFor()
  await expect.poll(() => page.getByRole('dialog', { name: texts.question }).count()).toBe(0)
  await button(form, 'Cancel').click()
  await button(await openedDialog(page, 'Unsaved changes'), 'Discard').click()
  await form.waitFor({ state: 'detached' })
})

it('An administrator makes a rule a warning until a day, and the clerks get an e-mail', async () => {
  await openNextInPage(page, `/home/dictionary/rule/${slug}?${new URLSearchParams({ rule })}`)
  await field(page, 'Description').fill('The auditors ask for it')
  await button(page, texts.question).click()
  const dialog = await openedDialog(page, texts.question)
  await dialog.getByText(`1 of 1 file does not meet it: 2 cells in Reason, ${company}`).waitFor()
  await expect.poll(() => button(dialog, texts.announce).count()).toBe(0)
  await button(dialog, 'Close').click()
  await page.getByRole('radio', { name: 'Error' }).check()
  await button(page, texts.question).click()
  await dialog.getByText('1 of 1 file would now be refused: 2 cells in Reason, Northwind Health').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await field(page, 'In force from').fill('2999-12-01')
  await button(page, texts.question).click()
  await openedDialog(page, texts.question)
  await dialog.getByText('None of 1 file would now be refused.').waitFor()
  const found = 'From 2999-12-01 on, the rule refuses files. 1 of 1 file does not meet it: 2 cells in Reason'
  await dialog.getByText(`${found}, ${company}`).waitFor()
  await expect.poll(() => field(dialog, texts.until).inputValue()).toMatch(/2999/)
  await field(dialog, texts.until).fill('2999-12-24')
  await button(dialog, texts.announce).click()
  await notice(page, 'Success', texts.announced(1)).waitFor()
  await heading(page, 'Refunds').waitFor()
  await page.getByText('2999').waitFor()
  const subject = 'From 24 December 2999 on: a rule for files of Refunds'
  const ofRule = () => mailsTo(portal, 'clerk@example.com').filter((mail) => mail.subject === subject)
  await expect.poll(ofRule, { timeout: 60_000 }).toHaveLength(1)
  expect(ofRule()[0]!.text).toContain('2 cells in 1 file')
})

it('An administrator sees which files are refused without the change, too', async () => {
  const rules = [
    { name: rule, severity: 'error' as const, then: [{ column: 'Reason', is: 'filled' as const }] },
  ]
  await (await adminClient(portal.url)).saveRules(dictionaryIdOf(slug)!, rules)
  await openNextInPage(page, `/home/dictionary/rule/${slug}?${new URLSearchParams({ rule })}`)
  await field(page, 'Description').fill('The auditors ask for it')
  await button(page, texts.question).click()
  const dialog = await openedDialog(page, texts.question)
  const refused = `1 of 1 file would now be refused: 3 cells in Reason, ${company}.`
  await dialog.getByText(`${refused} 1 of them also without this change.`).waitFor()
})
