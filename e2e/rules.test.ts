import { ruleFormMessages } from '@veridict/contract/messages/row-rules'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { adminClient } from './admin-client.ts'
import { apiClient } from './api-client.ts'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  dialog,
  field,
  heading,
  openNextInPage,
  openTab,
  openedDialog,
  waitForFocus,
  waitForMessage,
  waitForTimers,
} from './visit.ts'

let portal: Portal
let page: Page

beginJourneys(async (opened, browser) => {
  portal = opened
  const id = await (await apiClient(portal.url, 'clerk@example.com')).dictionary('Medical claims')
  await (await adminClient(portal.url)).saveRules(id, [])
  page = await openTab(browser, portal, 'admin@example.com')
})

const rules = () => page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem')
const line = (part: 'If' | 'then' | 'otherwise', number = 1) =>
  page.getByRole('group', { name: `${part}, line ${number}`, exact: true })
const sentence = () => page.getByRole('region', { name: ruleFormMessages.sentence }).getByRole('paragraph')
/** A cell of the row that is tried. */
const cell = (name: string) =>
  page.getByRole('complementary', { name: 'Try it' }).getByRole('combobox', { name })
const trial = () => page.getByRole('complementary', { name: 'Try it' }).getByRole('status')
async function waitForSentence(text: string): Promise<void> {
  await expect.poll(() => sentence().textContent()).toBe(text)
}

async function openDictionary(): Promise<void> {
  await openNextInPage(page, '/home/dictionaries')
  await page.getByRole('link', { name: 'Medical claims', exact: true }).click()
  await heading(page, 'Medical claims').waitFor()
}

async function openNewRule(): Promise<void> {
  await openDictionary()
  await page.getByRole('link', { name: 'Add new rule' }).click()
  await heading(page, 'Add a new rule').waitFor()
}

async function saveRule(): Promise<void> {
  await button(page, 'Save').click()
  await heading(page, 'Medical claims').waitFor()
  // Until they are loaded, what has the focus may be replaced.
  await rules().first().waitFor()
}

/** Chooses by mouse in drop-downs of a line, one after the other. */
async function choose(scope: Locator, ...choices: [input: string, option: string][]): Promise<void> {
  for (const [input, option] of choices) {
    await scope.locator(`input[aria-label="${input}"]`).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
}

/** Moves from one drop-down of the line "then" to the next, which may be there only after a choice. */
async function tabTo(label: string): Promise<void> {
  const next = line('then').locator(`input[aria-label="${label}"]`)
  await next.waitFor()
  await page.keyboard.press('Tab')
  await waitForFocus(next)
}

/** Types the start of an option of the focused drop-down, and takes the first one. */
async function typeChoice(text: string): Promise<void> {
  await page.keyboard.type(text)
  await page.getByRole('option', { name: text }).first().waitFor()
  await page.keyboard.press('Enter')
}

/** Moves to an option of the focused drop-down that is not searched. */
async function moveToChoice(option: string): Promise<void> {
  await page.keyboard.press('Enter')
  // The list that was open before may still be closing.
  const choice = page.getByRole('option', { name: option, exact: true })
  const marked = page.getByRole('listbox').filter({ has: choice }).locator('[data-combobox-selected]')
  await choice.waitFor()
  // The list marks the present choice in a timer, which would undo a step before it.
  await waitForTimers(page)
  const isReached = async () => {
    if ((await marked.allTextContents())[0] === option) return true
    await page.keyboard.press('ArrowDown')
    return false
  }
  await expect.poll(isReached).toBe(true)
  await page.keyboard.press('Enter')
}

describe('An administrator writes rules', () => {
  it('from the example that an empty list shows', async () => {
    await openDictionary()
    await page.getByText('No rules between cells yet.').waitFor()
    await openNewRule()
    await waitForSentence('… is filled.')
  })

  it('with a condition, by mouse, and tries it on a row', async () => {
    await button(page, 'Add a condition').click()
    await page.getByRole('option', { name: 'Status', exact: true }).click()
    await choose(line('If'), ['What it must be', 'is one of'], ['Values', 'Voided'])
    await page.keyboard.press('Escape')
    await choose(line('then'), ['Column', 'Remarks'])
    await waitForSentence('If "Status" is one of "Voided", then "Remarks" is filled.')
    await cell('Status').fill('Voided')
    await trial().getByText('This row does not meet the rule.').waitFor()
    await trial().getByText('"Status" is "Voided", so "Remarks" must be filled.').waitFor()
    await cell('Remarks').fill('Billed twice')
    await trial().getByText('This row meets the rule.').waitFor()
    await cell('Status').fill('New')
    await trial().getByText('Nothing is demanded of this row.').waitFor()
    await saveRule()
    await rules().getByText('Remarks must be filled if Status is one of Voided').waitFor()
  })

  it('that compare columns, and tries them on a file', async () => {
    await openNewRule()
    await choose(line('then'), ['Column', 'Allowed amount'], ['What it must be', 'is at least'])
    await choose(line('then'), ['Compared with', 'the value of'], ['Other column', 'Billed amount'])
    await page.getByText('A file', { exact: true }).click()
    await field(page, 'Sample file').setInputFiles({
      name: 'claims.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(asCsv(goodClaims)),
    })
    await trial().getByText('not meet the rule').waitFor()
    await choose(line('then'), ['What it must be', 'is at most'])
    await trial()
      .getByText(`All ${goodClaims.length - 1} rows meet the rule.`)
      .waitFor()
    await button(page, 'times').click()
    // Enter takes the first column that is offered, and does not save the rule.
    await typeChoice('Billed')
    const factor = line('then').locator('input[aria-label="Number or column"]')
    await expect.poll(() => factor.inputValue()).toBe('Billed amount')
    await line('then').getByRole('button', { name: 'Remove times' }).click()
    await saveRule()
  })

  it('by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Add new rule' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Add a new rule').waitFor()
    await line('then').locator('input[aria-label="Column"]').focus()
    await typeChoice('Service to')
    await tabTo('What it must be')
    await moveToChoice('is at least (on or after)')
    await tabTo('Compared with')
    await moveToChoice('the value of')
    await tabTo('Other column')
    await typeChoice('Service from')
    await waitForSentence('"Service to" is at least the value of "Service from" (if all are filled).')
    await button(page, 'add or subtract').focus()
    await page.keyboard.press('Enter')
    await waitForFocus(line('then').locator('input[aria-label="Number, with - for minus"]'))
    await line('then').getByRole('button', { name: 'Remove add or subtract' }).focus()
    await page.keyboard.press('Enter')
    await waitForFocus(button(page, 'add or subtract'))
    await button(page, 'Save').focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Medical claims').waitFor()
  })

  it('over several columns', async () => {
    await openNewRule()
    await choose(line('then'), ['Column', 'Claim ID'], ['What it must be', 'is unique'])
    await choose(line('then'), ['Columns', 'Service from'])
    await page.keyboard.press('Escape')
    await waitForSentence('the values of "Claim ID", "Service from" are unique together.')
    await field(page, 'Name').fill('One claim a day')
    await saveRule()
  })

  it('with either of two conditions, as a warning', async () => {
    await openNewRule()
    await button(page, 'Add a condition').click()
    await page.getByRole('option', { name: 'Status', exact: true }).click()
    await choose(line('If'), ['What it must be', 'is one of'], ['Values', 'Adjusted'])
    await page.keyboard.press('Escape')
    await button(page, 'and …').first().click()
    await page.getByRole('option', { name: 'Units', exact: true }).click()
    await choose(line('If', 2), ['What it must be', 'is more than'])
    await line('If', 2).locator('input[aria-label="Value"]').fill('10')
    await choose(line('If', 2), ['And, or', 'or'])
    await choose(line('then'), ['Column', 'Remarks'])
    await page.getByRole('radio', { name: /^Warning/ }).check()
    await saveRule()
    await rules().filter({ hasText: 'Warning' }).waitFor()
  })

  it('with a day from which it is in force, as a copy of another', async () => {
    await actionOf(page, 'One claim a day', 'Copy').click()
    await heading(page, 'Add a new rule').waitFor()
    await field(page, 'Name').fill('One claim a day and provider')
    await choose(line('then'), ['Columns', 'Provider NPI'])
    await page.keyboard.press('Escape')
    await field(page, 'In force from').fill('2199-01-31')
    await saveRule()
    await rules().filter({ hasText: 'Error from 31 January 2199' }).waitFor()
    const sentences = [
      'If "Status" is one of "Voided", then "Remarks" is filled.',
      '"Allowed amount" is at most the value of "Billed amount" (if all are filled).',
      '"Service to" is at least the value of "Service from" (if all are filled).',
      'the values of "Claim ID", "Service from" are unique together.',
      'If either "Status" is one of "Adjusted" or "Units" is more than "10", then "Remarks" is filled.',
      'the values of "Claim ID", "Service from", "Provider NPI" are unique together.',
    ]
    await expect
      .poll(() => rules().allTextContents())
      .toEqual(sentences.map((text) => expect.stringContaining(text)))
  })
})

describe('What cannot be saved', () => {
  it('is shown at its line, which takes the focus', async () => {
    await openNewRule()
    await field(page, 'Description').fill('Why')
    await button(page, 'Save').click()
    const column = line('then').locator('input[aria-label="Column"]')
    await waitForMessage(column, 'A column is required.')
    await waitForFocus(column)
    await button(page, 'Cancel')
      .or(page.getByRole('link', { name: 'Cancel' }))
      .click()
    await button(dialog(page, 'Unsaved changes'), 'Discard').click()
  })
})

describe('The rest of the rules', () => {
  it('are changed under the list: exempt rows, blank texts, reference lists, the order', async () => {
    await button(page, 'Edit texts that count as blank').click()
    const blank = await openedDialog(page, 'Texts that count as blank')
    await field(blank, 'Texts that count as blank').fill('n/a\n-')
    await button(blank, 'Save').click()
    await page.getByText('n/a, -', { exact: true }).waitFor()

    await button(page, 'Add a reference list').click()
    const list = await openedDialog(page, 'Add a reference list')
    await field(list, 'Add a reference list').fill('Places\nType; Place\nPharmacy; Home\nDental; Office')
    await button(list, 'Save').click()
    await button(page, 'Places').waitFor()

    await page.getByRole('link', { name: 'Edit exempt rows' }).click()
    await heading(page, 'Exempt rows').waitFor()
    await choose(line('If'), ['Column', 'Claim ID'], ['What it must be', 'is blank'])
    await saveRule()
    await page.getByText('Rows in which "Claim ID" is blank').waitFor()

    await button(page, 'Reorder rules').click()
    await button(await openedDialog(page, 'Change order'), 'Move One claim a day').focus()
    for (const key of [' ', 'ArrowUp', 'ArrowUp', 'ArrowUp', ' ']) await page.keyboard.press(key)
    await button(dialog(page, 'Change order'), 'Save').click()
    await expect.poll(() => rules().first().textContent()).toContain('One claim a day')

    await actionOf(page, 'One claim a day', 'Delete').click()
    await button(dialog(page, 'Delete item'), 'Delete').click()
    await expect.poll(() => rules().count()).toBe(5)
  })
})
