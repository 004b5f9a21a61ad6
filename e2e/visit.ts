import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Portal } from './portal.ts'
import { slowDown } from './slow-page.ts'

/** Everybody's password in the demo. */
export const demoPassword = 'Veridict#2026'

/** What Excel workbooks are to a browser. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A person's browser: a profile of its own at the portal, with one tab. Close it with
 * `page.context().close()`.
 */
export async function openTab(browser: Browser, portal: Portal): Promise<Page> {
  const context = await browser.newContext({
    baseURL: portal.url,
    acceptDownloads: true,
    viewport: { width: 1280, height: 900 },
  })
  context.setDefaultTimeout(30_000)
  if (process.env.SLOW_PAGE !== undefined) await context.addInitScript(slowDown)
  return context.newPage()
}

/** Fills in the login page and waits until the portal is open. */
export async function logIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login')
  await sendLogin(page, email, password)
  await userMenu(page).waitFor()
}

/** Fills in the login page that is open; what comes of it is the caller's to see. */
export async function sendLogin(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** The button with the name of who is logged in. */
export const userMenu = (page: Page): Locator =>
  page.getByRole('banner').locator('button[aria-haspopup=menu]')

/** What the user menu offers, chosen by its words. */
export async function chooseInUserMenu(page: Page, item: string): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Title of the screen. */
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** A button by its words, on the page or a part of it. */
export const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true })

/** An input by its label, on the page or a part of it. */
export const field = (scope: Page | Locator, name: string): Locator => scope.getByLabel(name, { exact: true })

/** A row of a table by a text in it. */
export const rowWith = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })

/** One action of a thing in a list, by the name of its icon. */
export const actionOf = (page: Page, thing: string, action: string): Locator =>
  page.getByRole('group', { name: `Actions for ${thing}`, exact: true }).getByLabel(action, { exact: true })

/** A notification with this title and text. */
export const notice = (page: Page, title: string, message: string): Locator =>
  page
    .getByRole('alert')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(message, { exact: true }) })

/** The open dialog with this title. */
export const dialog = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: title, exact: true })

/** The open dialog with this title, once it has taken the focus. */
export async function openedDialog(page: Page, title: string): Promise<Locator> {
  const opened = dialog(page, title)
  await waitForFocusInside(opened)
  return opened
}

/**
 * Waits until a dialog or drawer has taken the focus. It does so in timers, which a browser keeps back while
 * keys come in: keys for something inside that came sooner would go to what it gives the focus to, and one
 * that closed it would leave the focus nowhere.
 */
export async function waitForFocusInside(opened: Locator): Promise<void> {
  await expect.poll(() => opened.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  // There are two timers of one moment; this one comes after both.
  await opened.page().evaluate(() => new Promise((done) => setTimeout(done)))
}

/** Chooses one of the options of a drop-down. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByRole('textbox', { name: label, exact: true }))
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Opens the upload screen and chooses dictionary and file on it. */
export async function chooseUpload(
  page: Page,
  dictionary: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<void> {
  await page.goto('/home/fileUpload')
  await choose(page, 'Data dictionary', dictionary)
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) })
}

/** The texts that belong to an input: its description and what is wrong with it. */
export const descriptionsOf = (input: Locator): Promise<string[]> =>
  input.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .flatMap((id) => document.getElementById(id)?.textContent ?? []),
  )

/** Waits until an input says this about what stands in it. */
export async function waitForMessage(input: Locator, message: string): Promise<void> {
  await expect.poll(() => descriptionsOf(input)).toContain(message)
}

/** Waits until an input or button has the focus. */
export async function waitForFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
}

/** Texts of all cells of a table's header, in order. */
export const columnsOf = (table: Locator): Promise<string[]> =>
  table.getByRole('columnheader').allTextContents()
