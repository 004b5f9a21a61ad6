import { companyMessages } from '@veridict/contract/messages/companies'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { operationMessages } from '@veridict/contract/messages/operation'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { beginJourneys } from './journeys.ts'
import { mailsTo, linkMailedTo } from './mails.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  choose,
  chooseInUserMenu,
  columnsOf,
  dialog,
  field,
  waitForFocus,
  heading,
  notice,
  openInPage,
  openNextInPage,
  openTab,
  openedDialog,
  rowWith,
  waitForMessage,
  sendLogin,
  descriptionsOf,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  page = await openTab(browser, portal, 'admin@example.com')
})

async function confirmDeletionOf(name: string): Promise<void> {
  const question = dialog(page, 'Delete item')
  await question.getByText('The selected item will be removed permanently:').waitFor()
  await question.getByText(name, { exact: true }).waitFor()
  await button(question, 'Delete').click()
  await question.waitFor({ state: 'detached' })
}

describe('The dashboard', () => {
  it.for([
    { card: 'Data dictionaries', count: 3, path: '/home/dictionaries' },
    { card: 'Companies', count: 2, path: '/home/companies' },
  ])('counts $count $card and leads to them', async ({ card, count, path }) => {
    await openNextInPage(page, '/')
    const link = page.getByRole('main').getByRole('link', { name: card })
    await link.getByText(String(count), { exact: true }).waitFor()
    await link.click()
    await heading(page, card).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  })
})

describe('The home of administrators', () => {
  it('names what needs somebody, and leads to companies whose files were rejected', async () => {
    await openNextInPage(page, '/')
    const needs = page.getByRole('region', { name: companyMessages.needsTitle })
    await needs.getByRole('link', { name: companyMessages.storageErrors(1) }).click()
    await heading(page, operationMessages.title).waitFor()
    await openNextInPage(page, '/')
    const rejected = page.getByRole('region', { name: companyMessages.rejectedTitle })
    await rejected.getByText(/^2 of \d files$/).waitFor()
    await rejected.getByRole('link', { name: 'Northwind Health' }).click()
    await heading(page, 'Northwind Health').waitFor()
  })
})

describe('A company', () => {
  it('is created if its name and folder are unique', async () => {
    await openNextInPage(page, '/home/companies')
    await page.getByRole('link', { name: 'Create new company' }).click()
    await heading(page, 'Create a new Company').waitFor()
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    await field(page, 'Address').fill('1 Main Street')
    await button(page, 'Save').click()
    await waitForMessage(field(page, 'Name'), 'Name is required')
    await waitForMessage(field(page, 'Storage folder'), 'Storage folder is required')
    await field(page, 'Name').fill('northwind health')
    await field(page, 'Storage folder').fill('fabrikam')
    await button(page, 'Save').click()
    await notice(page, 'Error', 'A company with this name already exists.').waitFor()

    await page.getByRole('link', { name: 'Cancel' }).click()
    const question = dialog(page, 'Unsaved changes')
    await question
      .getByText('You have unsaved changes. Are you sure you want to discard them?', { exact: true })
      .waitFor()
    await button(question, 'Keep editing').click()
    await field(page, 'Name').fill('Fabrikam Care')
    await button(page, 'Save').click()
    await heading(page, 'Fabrikam Care').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/home\/company\/edit\/\d+$/)
  })

  it('is found by its name', async () => {
    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Companies' })
      .click()
    await rowWith(page, 'Contoso Insurance').waitFor()
    const table = page.getByRole('table', { name: 'Companies' })
    await expect
      .poll(() => columnsOf(table))
      .toEqual(['Company', 'STORAGE FOLDER', 'Users', 'Data Dictionaries', 'Last updated', 'Actions'])
    const search = page.getByRole('searchbox', { name: 'Search by company name' })
    await search.fill('FABRI')
    await search.press('Enter')
    await rowWith(page, 'Contoso Insurance').waitFor({ state: 'detached' })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await expect
      .poll(async () =>
        (await rowWith(page, 'Fabrikam Care').getByRole('cell').allTextContents()).slice(1, 4),
      )
      .toEqual(['fabrikam', '0', '0'])
    await page.getByRole('status').getByText('Showing 1–1 of 1', { exact: true }).waitFor()
    await search.fill('no such company')
    await search.press('Enter')
    await page.getByRole('status').getByText('The list is empty', { exact: true }).waitFor()
    await page.getByText('No data available').waitFor()
  })

  it('can be edited, and Save is enabled only while something differs', async () => {
    await openNextInPage(page, '/home/companies')
    await actionOf(page, 'Fabrikam Care', 'Edit').click()
    const card = page.getByRole('region', { name: 'Company info' })
    await button(card, 'Edit').click()
    const form = await openedDialog(page, 'Edit company')
    await expect.poll(() => button(form, 'Save').isDisabled()).toBe(true)
    await field(form, 'Address').fill('2 Side Street')
    await button(form, 'Save').click()
    await form.waitFor({ state: 'detached' })
    await card.getByText('2 Side Street', { exact: true }).waitFor()
    await card.getByText('fabrikam', { exact: true }).waitFor()
  })

  it('that does not exist redirects to the list', async () => {
    await openInPage(page, '/home/company/edit/999999')
    await page.waitForURL('**/home/companies')
    await heading(page, 'Companies').waitFor()
  })
})

describe('The storage folder of a new company', () => {
  const folder = () => field(page, 'Storage folder')

  it('follows the name until another one is typed', async () => {
    await openNextInPage(page, '/home/company/create')
    await field(page, 'Name').fill('Northwind Süd')
    await expect.poll(() => folder().inputValue()).toBe('northwind-sud')
    await field(page, 'Name').fill('Northwind')
    await expect.poll(() => folder().inputValue()).toBe('northwind-2')
    await folder().fill('south')
    const proposal = page.waitForResponse('**/api/Company/StorageFolder?*')
    await field(page, 'Name').fill('Südwind')
    await proposal
    await expect.poll(() => folder().inputValue()).toBe('south')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await button(dialog(page, 'Unsaved changes'), 'Discard').click()
    await heading(page, 'Companies').waitFor()
  })
})

describe('A user of a company', () => {
  const email = 'fay@fabrikam.example'
  const password = 'Seven-Otters#27'
  let mails = 0

  it('is added, and invited by e-mail', async () => {
    await openNextInPage(page, '/home/companies')
    await actionOf(page, 'Fabrikam Care', 'Add user').click()
    const form = await openedDialog(page, 'Add user')
    await expect.poll(() => field(form, 'Company').isDisabled()).toBe(true)
    await expect.poll(() => field(form, 'Company').inputValue()).toBe('Fabrikam Care')
    await field(form, 'Phone').fill('12 34')
    await button(form, 'Save').click()
    await waitForMessage(field(form, 'Name'), 'Name is required')
    await waitForMessage(field(form, 'Email'), 'Email is required')
    await waitForMessage(field(form, 'Phone'), "Phone number must begin with '+' or consist of digits only.")

    const taken = 'A user with this email address already exists.'
    await field(form, 'Name').fill('Fay Quinn')
    await field(form, 'Phone').fill('+4312345')
    await field(form, 'Email').fill('Clerk@Example.com')
    await button(form, 'Save').click()
    await waitForMessage(field(form, 'Email'), taken)
    await waitForFocus(field(form, 'Email'))
    await field(form, 'Email').fill(email)
    await expect.poll(() => descriptionsOf(field(form, 'Email'))).not.toContain(taken)
    await button(form, 'Save').click()
    await form.waitFor({ state: 'detached' })

    const { mail, path } = await linkMailedTo(portal, email, mails)
    mails += 1
    expect(mail.subject).toBe('Welcome to Veridict: set your password')
    const visitor = await openTab(browser, portal)
    await visitor.goto(path)
    await field(visitor, 'Password').fill(password)
    await field(visitor, 'Confirm Password').fill(password)
    await button(visitor, 'Set password').click()
    await visitor.waitForURL('**/login')
    await sendLogin(visitor, email, password)
    await heading(visitor, 'Uploaded files history').waitFor()
    await visitor.getByText('No data available').waitFor()
    await closeTab(visitor)
  })

  it('can be edited, and the table of users shows the change', async () => {
    await page.reload()
    await expect.poll(() => rowWith(page, 'Fabrikam Care').getByRole('cell').nth(2).textContent()).toBe('1')
    await actionOf(page, 'Fabrikam Care', 'Edit').click()
    const table = page.getByRole('table', { name: 'Users' })
    await table.getByText(email).waitFor()
    await expect.poll(() => columnsOf(table)).toEqual(['Name', 'Email', 'Actions'])
    await expect
      .poll(() => page.getByRole('region', { name: 'Users' }).getByRole('navigation').count())
      .toBe(0)
    await actionOf(page, 'Fay Quinn', 'Edit').click()
    const form = await openedDialog(page, 'Edit user')
    await field(form, 'Email').fill('CLERK@example.com')
    await button(form, 'Save').click()
    await waitForMessage(field(form, 'Email'), 'A user with this email address already exists.')
    await field(form, 'Email').fill(email)
    await field(form, 'Name').fill('Fay Quinn-Ray')
    await button(form, 'Save').click()
    await table.getByText('Fay Quinn-Ray', { exact: true }).waitFor()
  })

  it('receives an e-mail to reset the password', async () => {
    const mailsBefore = mailsTo(portal, email).length
    await actionOf(page, 'Fay Quinn-Ray', 'Reset password').click()
    const question = dialog(page, 'Reset password')
    await question.getByText(dialogMessages.resetPasswordText('Fay Quinn-Ray', email)).waitFor()
    await button(question, 'Cancel').click()
    await question.waitFor({ state: 'detached' })
    expect(mailsTo(portal, email)).toHaveLength(mailsBefore)
    await actionOf(page, 'Fay Quinn-Ray', 'Reset password').click()
    await button(question, 'Reset password').click()
    await notice(page, 'Success', 'An email to reset the password is on its way.').waitFor()
    const { mail } = await linkMailedTo(portal, email, mails)
    expect(mail.subject).toBe('Set a new password for Veridict')
  })

  it('is deleted after a confirmation, and cannot log in afterwards', async () => {
    await actionOf(page, 'Fay Quinn-Ray', 'Delete').click()
    await button(dialog(page, 'Delete item'), 'Cancel').click()
    await dialog(page, 'Delete item').waitFor({ state: 'detached' })
    await actionOf(page, 'Fay Quinn-Ray', 'Delete').click()
    await confirmDeletionOf('Fay Quinn-Ray')
    await page.getByRole('region', { name: 'Users' }).getByText('No data available').waitFor()
    const visitor = await openTab(browser, portal)
    await visitor.goto('/login')
    await sendLogin(visitor, email, password)
    await notice(visitor, 'Error', 'Invalid email or password.').waitFor()
    await closeTab(visitor)
  })
})

describe('A dictionary of a company', () => {
  it('is associated and removed again', async () => {
    const panel = page.getByRole('region', { name: 'Data dictionaries' })
    await button(panel, 'Associate data dictionary').click()
    const form = await openedDialog(page, 'Associate data dictionary')
    await button(form, 'Save').click()
    await waitForMessage(
      form.getByRole('combobox').or(form.getByRole('textbox')),
      'Please select a data dictionary.',
    )
    await choose(page, 'Data dictionary', 'Members')
    await button(form, 'Save').click()
    await form.waitFor({ state: 'detached' })
    const row = panel.getByRole('row').filter({ hasText: 'Members' })
    await row.waitFor()
    await expect
      .poll(async () => (await row.getByRole('cell').allTextContents()).slice(0, 2))
      .toEqual(['Members', '15'])
    await button(row, 'Remove Members').click()
    await button(dialog(page, 'Remove data dictionary'), 'Remove').click()
    await panel.getByText('No data available').waitFor()
  })
})

describe('The focus', () => {
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    )

  it('returns to where it was when a dialog closes', async () => {
    const add = page.getByRole('region', { name: 'Users' }).getByRole('button', { name: 'Add user' })
    await add.press('Enter')
    await dialog(page, 'Add user').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Add user').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Add user')
  })

  it('stays in the dialog below when Escape closes a question', async () => {
    await button(page.getByRole('region', { name: 'Users' }), 'Add user').press('Enter')
    const form = await openedDialog(page, 'Add user')
    await field(form, 'Name').fill('Ann')
    await field(form, 'Name').press('Escape')
    const question = dialog(page, 'Unsaved changes')
    await question.waitFor()
    await expect.poll(focused).toBe('Keep editing')
    // As on a busy computer, where the next frame is drawn, and timers end, after the next key.
    await page.evaluate(() => {
      const { requestAnimationFrame: onNextFrame, setTimeout: after } = window
      window.requestAnimationFrame = (call) => onNextFrame(() => after(call, 400, performance.now()))
      const late = (call: () => void, delay = 0, ...rest: []) => after(call, delay + 400, ...rest)
      window.setTimeout = late as typeof setTimeout
    })
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => field(form, 'Name').inputValue()).toBe('Ann')
    await page.keyboard.press('Escape')
    await button(await openedDialog(page, 'Unsaved changes'), 'Discard').press('Enter')
    await form.waitFor({ state: 'detached' })
  })
})

describe('The deletion of a company', () => {
  it('can be confirmed only after the effects are shown', async () => {
    const clerk = await apiClient(portal.url, 'clerk@example.com')
    await clerk.allSettled()
    await openNextInPage(page, '/home/companies')
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route(
      '**/api/Company/*/deletion',
      (route) => asked.then(() => route.fulfill({ status: 500, json: {} })),
      { times: 1 },
    )
    await actionOf(page, 'Northwind Health', 'Delete').click()
    const question = dialog(page, 'Delete item')
    await expect.poll(() => button(question, 'Delete').isDisabled()).toBe(true)
    answer()
    await question.getByText('What this changes could not be looked up.').waitFor()
    await expect.poll(() => button(question, 'Delete').isDisabled()).toBe(true)
    await button(question, 'Try again').click()
    await question.getByRole('listitem').first().waitFor()
    await expect
      .poll(() => question.getByRole('listitem').allTextContents())
      .toEqual([
        '1 user can no longer log in.',
        '3 data dictionaries are no longer associated.',
        '1 file with a storage error can no longer be retried. It is deleted 90 days after the upload.',
        'The history of 8 uploaded files can no longer be seen.',
        "4 accepted files stay in 'northwind'.",
        "The storage folder 'northwind' can never be used again.",
      ])
    await expect.poll(() => button(question, 'Delete').isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await rowWith(page, 'Northwind Health').waitFor()
  })

  it('removes it from the list and from the count', async () => {
    await openNextInPage(page, '/home/companies')
    await actionOf(page, 'Fabrikam Care', 'Delete').click()
    await confirmDeletionOf('Fabrikam Care')
    await rowWith(page, 'Fabrikam Care').waitFor({ state: 'detached' })
    const table = page.getByRole('table', { name: 'Companies' })
    await waitForFocus(table.locator('..'))
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page
      .getByRole('main')
      .getByRole('link', { name: 'Companies' })
      .getByText('2', { exact: true })
      .waitFor()
  })
})

describe('Administrators', () => {
  const email = 'deputy@example.com'

  it('cannot delete or reset themselves, nor change their own e-mail', async () => {
    await chooseInUserMenu(page, 'Manage administrators')
    await heading(page, 'Manage administrators').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/home/settings')
    await actionOf(page, 'Alex Morgan', 'Edit').waitFor()
    await expect.poll(() => actionOf(page, 'Alex Morgan', 'Delete').count()).toBe(0)
    await expect.poll(() => actionOf(page, 'Alex Morgan', 'Reset password').count()).toBe(0)
    await actionOf(page, 'Alex Morgan', 'Edit').click()
    const form = await openedDialog(page, 'Edit admin')
    await expect.poll(() => field(form, 'Email').isDisabled()).toBe(true)
    await expect.poll(() => field(form, 'Company').count()).toBe(0)
    await button(form, 'Cancel').click()
    await form.waitFor({ state: 'detached' })
  })

  it('are added, reset and deleted', async () => {
    await button(page, 'Add admin').click()
    const form = await openedDialog(page, 'Add admin')
    await field(form, 'Name').fill('Dana Park')
    await field(form, 'Email').fill(email)
    await button(form, 'Save').click()
    await form.waitFor({ state: 'detached' })
    await linkMailedTo(portal, email, 0)
    await actionOf(page, 'Dana Park', 'Reset password').click()
    await button(dialog(page, 'Reset password'), 'Reset password').click()
    await expect.poll(() => mailsTo(portal, email).length, { timeout: 60_000 }).toBe(2)
    await actionOf(page, 'Dana Park', 'Delete').click()
    await confirmDeletionOf('Dana Park')
    await rowWith(page, email).waitFor({ state: 'detached' })
    await expect
      .poll(() => columnsOf(page.getByRole('table', { name: 'Administrators' })))
      .toEqual(['Name', 'Email', 'Actions'])
  })
})
