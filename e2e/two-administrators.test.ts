import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { adminClient } from './admin-client.ts'
import { apiClient } from './api-client.ts'
import { beginJourneys } from './journeys.ts'
import { linkMailedTo } from './mails.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  dialog,
  field,
  waitForFocus,
  heading,
  openInPage,
  openNextInPage,
  openTab,
  openedDialog,
  rowWith,
  sendLogin,
  userMenu,
  waitForMessage,
} from './visit.ts'

const password = 'Correct-Horse-1'
const dana = { name: 'Dana Park', email: 'dana@example.com' }
const someoneElse = 'Someone else changed this in the meantime'

let portal: Portal
let browser: Browser
let alexTab: Page
let danaTab: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  alexTab = await openTab(browser, portal, 'admin@example.com')
})

async function invite(): Promise<void> {
  await openInPage(alexTab, '/home/settings')
  await button(alexTab, 'Add admin').click()
  const form = await openedDialog(alexTab, 'Add admin')
  await field(form, 'Name').fill(dana.name)
  await field(form, 'Email').fill(dana.email)
  await button(form, 'Save').click()
  await form.waitFor({ state: 'detached' })
}

async function acceptInvitation(): Promise<Page> {
  const { path } = await linkMailedTo(portal, dana.email, 0)
  const tab = await openTab(browser, portal)
  await tab.goto(path)
  await field(tab, 'Password').fill(password)
  await field(tab, 'Confirm Password').fill(password)
  await button(tab, 'Set password').click()
  await tab.waitForURL('**/login')
  await sendLogin(tab, dana.email, password)
  await userMenu(tab).waitFor()
  return tab
}

const both = <T>(act: (tab: Page) => Promise<T>): Promise<[T, T]> => Promise.all([act(alexTab), act(danaTab)])

/** Opens what the page does not know yet. */
async function openFromList(tab: Page, list: string, name: string): Promise<void> {
  await openNextInPage(tab, list)
  await tab.getByRole('link', { name, exact: true }).click()
  await heading(tab, name).waitFor()
}

const openDictionary = (name: string) => both((tab) => openFromList(tab, '/home/dictionaries', name))

/** Loads the page of a dictionary that another user has changed meanwhile. */
async function loadDictionary(tab: Page, name: string): Promise<void> {
  await tab.goto('/home/dictionaries')
  await tab.getByRole('link', { name, exact: true }).click()
  await heading(tab, name).waitFor()
}

/** Saves a form whose item another user changed, expects the note, and loads their changes. */
async function saveAndMerge(form: Page | Locator): Promise<void> {
  await button(form, 'Save').click()
  const note = form.getByRole('alert').filter({ hasText: someoneElse })
  await note.getByText('Nothing you typed is lost.', { exact: false }).waitFor()
  await button(note, 'Load the changes').click()
  await note.waitFor({ state: 'detached' })
}

async function saveDialog(form: Locator): Promise<void> {
  await button(form, 'Save').click()
  await form.waitFor({ state: 'detached' })
}

it('An administrator invites another administrator', async () => {
  await invite()
  danaTab = await acceptInvitation()
})

describe('The second of two administrators to save keeps what was typed and sees the change', () => {
  it('for a company', async () => {
    const forms = await both(async (tab) => {
      await openFromList(tab, '/home/companies', 'Northwind Health')
      await button(tab.getByRole('region', { name: 'Company info' }), 'Edit').click()
      return openedDialog(tab, 'Edit company')
    })
    const [mine, theirs] = forms
    await field(theirs, 'Name').fill('Northwind Care')
    await field(theirs, 'Address').fill('9 New Street, Salem')
    await saveDialog(theirs)

    await field(mine, 'Name').fill('Northwind Group')
    await saveAndMerge(mine)
    await expect.poll(() => field(mine, 'Name').inputValue()).toBe('Northwind Group')
    await expect.poll(() => field(mine, 'Address').inputValue()).toBe('9 New Street, Salem')
    await waitForMessage(
      field(mine, 'Name'),
      "Someone else saved 'Northwind Care' here. Saving again replaces it.",
    )
    await waitForFocus(field(mine, 'Name'))
    await saveDialog(mine)
    await heading(alexTab, 'Northwind Group').waitFor()
    await alexTab.getByText('9 New Street, Salem', { exact: true }).waitFor()
  })

  it('for a user', async () => {
    const [mine, theirs] = await both(async (tab) => {
      await tab.goto('/home/settings')
      await actionOf(tab, dana.name, 'Edit').click()
      return openedDialog(tab, 'Edit admin')
    })
    await field(theirs, 'Phone').fill('+49301234')
    await saveDialog(theirs)

    await field(mine, 'Name').fill('Dana Park-Lee')
    await saveAndMerge(mine)
    await expect.poll(() => field(mine, 'Phone').inputValue()).toBe('+49301234')
    await saveDialog(mine)
    await rowWith(alexTab, 'Dana Park-Lee').waitFor()
  })

  it('for the name of a dictionary', async () => {
    await openDictionary('Members')
    const [mine, theirs] = await both(async (tab) => {
      await button(tab.getByRole('region', { name: 'Metadata' }), 'Edit').click()
      return openedDialog(tab, 'Rename data dictionary')
    })
    await field(theirs, 'Name').fill('Insured members')
    await saveDialog(theirs)

    await field(mine, 'Name').fill('All members')
    await saveAndMerge(mine)
    await waitForMessage(
      field(mine, 'Name'),
      "Someone else saved 'Insured members' here. Saving again replaces it.",
    )
    await saveDialog(mine)
    await heading(alexTab, 'All members').waitFor()
  })

  it('for a field', async () => {
    await openDictionary('Providers')
    await both(async (tab) => {
      await fieldRows(tab)
        .first()
        .getByLabel(/^Edit /)
        .click()
      await field(tab, 'Field name').waitFor()
    })
    const name = await field(alexTab, 'Field name').inputValue()
    await field(danaTab, 'Field category').fill('Key')
    await field(danaTab, 'Field description').fill('As Dana says')
    await button(danaTab, 'Save').click()
    await heading(danaTab, 'Providers').waitFor()

    await field(alexTab, 'Field description').fill('As Alex says')
    await saveAndMerge(alexTab)
    await expect.poll(() => field(alexTab, 'Field category').inputValue()).toBe('Key')
    await waitForMessage(
      field(alexTab, 'Field description'),
      "Someone else saved 'As Dana says' here. Saving again replaces it.",
    )
    await button(alexTab, 'Save').click()
    await heading(alexTab, 'Providers').waitFor()
    await fieldRows(alexTab).filter({ hasText: name }).getByText('As Alex says', { exact: true }).waitFor()
  })

  it('for a rule', async () => {
    const id = await (await apiClient(portal.url, 'clerk@example.com')).dictionary('Providers')
    await (
      await adminClient(portal.url)
    ).saveRules(id, [{ name: 'Key', severity: 'error', then: [{ columns: ['Provider NPI'], is: 'unique' }] }])
    await both((tab) => loadDictionary(tab, 'Providers'))
    await both(async (tab) => {
      await actionOf(tab, 'Key', 'Edit').click()
      await field(tab, 'Description').waitFor()
    })
    await field(danaTab, 'Description').fill('As Dana says')
    await danaTab.getByRole('radio', { name: /^Warning/ }).check()
    await button(danaTab, 'Save').click()
    const line = (tab: Page) => tab.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem')
    // The page shows what was saved, and not first what it was before.
    await line(danaTab).first().waitFor()
    const first = await line(danaTab).allTextContents()
    expect(first).toEqual([expect.stringContaining('As Dana says')])

    await field(alexTab, 'Description').fill('As Alex says')
    await saveAndMerge(alexTab)
    await expect.poll(() => alexTab.getByRole('radio', { name: /^Warning/ }).isChecked()).toBe(true)
    await waitForMessage(
      field(alexTab, 'Description'),
      "Someone else saved 'As Dana says' here. Saving again replaces it.",
    )
    await button(alexTab, 'Save').click()
    await line(alexTab).filter({ hasText: 'As Alex says' }).filter({ hasText: 'Warning' }).waitFor()
  })

  it('for the order of fields', async () => {
    await both((tab) => loadDictionary(tab, 'Providers'))
    const [first, second, third] = await namesOf(alexTab)
    await button(alexTab, 'Change order').click()
    const form = await openedDialog(alexTab, 'Change order')
    await button(form, `Move ${first}`).press('Space')
    await alexTab.keyboard.press('ArrowDown')
    await alexTab.keyboard.press('Space')

    await actionOf(danaTab, third, 'Delete').click()
    await button(dialog(danaTab, 'Delete item'), 'Delete').click()
    await fieldRows(danaTab).filter({ hasText: third }).waitFor({ state: 'detached' })

    await button(form, 'Save').click()
    await form.getByRole('alert').getByText('your order stays', { exact: false }).waitFor()
    await button(form, `Move ${second}`).press('Space')
    await button(form, 'Load the changes').click()
    await button(form, `Move ${third}`).waitFor({ state: 'detached' })
    // A field that is being moved would restore the old order, including deleted fields.
    await expect.poll(() => form.getByRole('button', { pressed: true }).count()).toBe(0)
    // The pressed button is gone: the keyboard continues where it was before.
    await waitForFocus(button(form, `Move ${second}`))
    await saveDialog(form)
    await expect.poll(() => namesOf(alexTab)).toEqual([second, first, ...(await namesOf(danaTab)).slice(2)])
  })
})

describe('The history of a dictionary', () => {
  it('shows when it was changed last, and by whom', async () => {
    await loadDictionary(danaTab, 'All members')
    const metadata = danaTab.getByRole('region', { name: 'Metadata' })
    await metadata.getByText(/^\d+ \w+ 20\d\d, \d\d:\d\d by Alex Morgan$/).waitFor()
  })

  it('lists every change, newest first, with the fields at that time', async () => {
    await button(danaTab, 'History').click()
    const history = await openedDialog(danaTab, 'History')
    const lines = history.getByRole('list', { name: 'Versions' }).getByRole('button')
    await expect
      .poll(() => lines.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Renamed from 'Insured members'\n[^]*by Alex Morgan\s+Version 3, present$/),
        expect.stringMatching(/^Renamed from 'Members'\n[^]*by Dana Park-Lee\s+Version 2$/),
        expect.stringMatching(/^Created with \d+ fields\n/),
      ])
    await lines.last().press('Enter')
    const fields = history.getByRole('list', { name: 'Fields of version 1' })
    await fields.getByText('Member ID', { exact: true }).waitFor()
    await danaTab.keyboard.press('Escape')
    await history.waitFor({ state: 'detached' })
    await waitForFocus(button(danaTab, 'History'))
  })

  it('keeps the name of a deleted user', async () => {
    await alexTab.goto('/home/settings')
    await actionOf(alexTab, 'Dana Park-Lee', 'Delete').click()
    await button(dialog(alexTab, 'Delete item'), 'Delete').click()
    await rowWith(alexTab, dana.email).waitFor({ state: 'detached' })
    await loadDictionary(alexTab, 'All members')
    await button(alexTab, 'History').click()
    await dialog(alexTab, 'History').getByText('by Dana Park-Lee', { exact: false }).waitFor()
  })
})

const fieldRows = (tab: Page) => tab.getByRole('list', { name: 'Fields' }).getByRole('listitem')
async function namesOf(tab: Page): Promise<string[]> {
  await fieldRows(tab).first().waitFor()
  return fieldRows(tab).evaluateAll((rows) => rows.map((row) => row.querySelectorAll('span')[1]!.textContent))
}
