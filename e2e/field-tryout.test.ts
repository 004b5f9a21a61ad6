import { createField } from '@veridict/contract/api/fields'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  choose,
  field,
  heading,
  openNextInPage,
  openTab,
  waitForMessage,
  waitForTimers,
} from './visit.ts'

let portal: Portal
let page: Page

beginJourneys(async (opened, browser) => {
  portal = opened
  page = await openTab(browser, portal, 'admin@example.com')
})

const panel = () => page.getByRole('complementary', { name: 'Try it' })
const waitForText = (text: string | RegExp) => panel().getByRole('status').filter({ hasText: text }).waitFor()
const waitForExpectation = (sentence: string) => panel().getByText(sentence, { exact: true }).waitFor()
const tryValue = (value: string) => field(page, 'Sample value').fill(value)

async function openNewField(type: string): Promise<void> {
  await openNextInPage(page, '/home/dictionaries')
  await actionOf(page, 'Members', 'Edit').click()
  await page.getByRole('link', { name: 'Add new field' }).click()
  await heading(page, 'Add a new field').waitFor()
  await choose(page, 'Type', type)
}

describe('Trying a value in the form of a field', () => {
  it('needs a rule, and follows each change of it', async () => {
    await openNewField('Item from a list')
    await tryValue('closd')
    await waitForText('Value is required')
    await field(page, 'Values').fill('Open\nClosed')
    await waitForText('Refused. The value is not in the list; did you mean "Closed"?')
    await waitForExpectation('one of Open, Closed')
    await field(page, 'Values').press('Control+End')
    await field(page, 'Values').pressSequentially('\nclosd')
    await waitForText('Accepted as closd')
    await waitForExpectation('one of Open, Closed, closd')
  })

  it('shows how an accepted value is read, and what an empty cell gives', async () => {
    await openNewField('Number')
    await tryValue('  12.5 ')
    await waitForText('Accepted as 12.5 Spaces around a value do not count.')
    await field(page, 'Scale').fill('0')
    await waitForText('Refused. The number has 1 decimal, at most 0 are allowed.')
    await tryValue('')
    await waitForText('Refused. This cell must not be empty.')
    await page.getByLabel('Can be empty').check()
    await waitForText('Accepted as an empty cell.')
  })

  it('reports an unusable expression at once, without a call', async () => {
    await openNewField('Regular expression')
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
    const refusal = 'This regular expression cannot be used: look-ahead and look-behind are not supported.'
    await field(page, 'Regular expression').fill('(?=a)b')
    await waitForMessage(field(page, 'Regular expression'), refusal)
    await waitForText(refusal)
    await field(page, 'Field name').fill('Route')
    await button(page, 'Save').click()
    await expect.poll(() => field(page, 'Regular expression').getAttribute('aria-invalid')).toBe('true')
    expect(asked.filter((url) => url.endsWith(createField.path))).toEqual([])
    await field(page, 'Regular expression').fill('[A-Z]{2}')
    await tryValue('ABC')
    await waitForText('Refused. The value does not have the required form.')
    await field(page, 'Field description').fill('Two letters')
    await waitForExpectation('Two letters')
  })

  it('needs no check digit once the keyboard chooses the chosen one again', async () => {
    await openNewField('Regular expression')
    const scheme = page.getByRole('combobox', { name: 'Check digit' }).or(field(page, 'Check digit')).first()
    const openAndPress = async (...keys: string[]) => {
      await scheme.press('Enter')
      // The opened list marks the present choice in a timer.
      await waitForTimers(page)
      for (const key of keys) await scheme.press(key)
    }
    await openAndPress('ArrowDown', 'Enter')
    await expect.poll(() => scheme.inputValue()).not.toBe('')
    await openAndPress('Enter')
    await expect.poll(() => scheme.inputValue()).toBe('')
  })

  it('shows the sentences that the clerk will read', async () => {
    await openNextInPage(page, '/home/dictionaries')
    await actionOf(page, 'Medical claims', 'Edit').click()
    await actionOf(page, 'Date of birth', 'Edit').click()
    await tryValue(' 31/02/1984')

    const clerk = await apiClient(portal.url, 'clerk@example.com')
    const [header, row] = goodClaims
    const table = [
      header,
      row.map((cell, column) => (header[column] === 'Date of birth' ? ' 31/02/1984' : cell)),
    ]
    const { body } = await clerk.upload(
      { name: 'one-cell.csv', bytes: asCsv(table) },
      await clerk.dictionary('Medical claims'),
    )
    await clerk.settled(body.value!.id)
    const [{ columnValidationErrors: errors }] = (await clerk.errors(body.value!.id)).rows.data
    expect(errors).toHaveLength(1)

    await waitForText(`Refused. ${errors[0].error}`)
    await expect
      .poll(() => panel().getByRole('definition').allTextContents())
      .toEqual([errors[0].value, errors[0].expected])
  })
})
