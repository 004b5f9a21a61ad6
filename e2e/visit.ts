import { configPath } from '@veridict/contract/api/config'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { logIn as callLogIn } from '@veridict/contract/api/session'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Portal } from './portal.ts'
import { slowDown } from './slow-page.ts'

/** The password of all demo users. */
export const demoPassword = 'Veridict#2026'

/** The media type of workbooks. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * The profiles of this worker, with the address of their portal. Their tabs are opened from `first`, which
 * stays open: so they share its process, whose start takes half of the processor time of a tab.
 */
type Profile = { url: string; isFree: boolean; first: Page | null }
const profiles = new Map<BrowserContext, Profile>()

/**
 * Opens a tab, and logs in if an e-mail is given. Its profile is empty, but has the process and the caches of
 * an earlier tab. Close it with `closeTab`.
 */
export async function openTab(
  browser: Browser,
  portal: Portal,
  email?: string,
  password?: string,
): Promise<Page> {
  const [context, profile] =
    profiles.entries().find(([, { isFree, url }]) => isFree && url === portal.url) ??
    (await addProfile(browser, portal))
  profile.isFree = false
  profile.first ??= await openFirst(context)
  await emptyProfile(profile.first, portal.url)
  if (email !== undefined) await storeSession(profile.first, email, password)
  const [page] = await Promise.all([
    profile.first.waitForEvent('popup'),
    profile.first.evaluate(() => {
      const tab = open()
      if (tab !== null) tab.opener = null
    }),
  ])
  if (email !== undefined) await openHome(page)
  return page
}

/** As `openTab`, in a new profile, whose process is new and whose caches are empty as well. */
export async function openNewProfile(
  browser: Browser,
  portal: Portal,
  email?: string,
  password?: string,
): Promise<Page> {
  const [context] = await addProfile(browser, portal)
  const page = await context.newPage()
  if (email === undefined) return page
  await page.goto('/favicon.svg')
  await storeSession(page, email, password)
  await openHome(page)
  return page
}

async function addProfile(browser: Browser, portal: Portal): Promise<[BrowserContext, Profile]> {
  const context = await browser.newContext({
    baseURL: portal.url,
    acceptDownloads: true,
    viewport: { width: 1280, height: 900 },
    // Clicks wait for animations to end. `main-job.test.ts` runs with them.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  if (process.env.SLOW_PAGE !== undefined) await context.addInitScript(slowDown)
  const profile = { url: portal.url, isFree: false, first: null }
  profiles.set(context, profile)
  context.on('close', () => profiles.delete(context))
  return [context, profile]
}

async function openFirst(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/favicon.svg')
  return page
}

/** Closes a tab and all others of its profile, which a later tab takes over. */
export const closeTab = (page: Page): Promise<void> => closeTabsOf(page.context())

/** Closes the tabs of a profile. Without `openTab`, it closes the profile as well. */
export async function closeTabsOf(context: BrowserContext): Promise<void> {
  const profile = profiles.get(context)
  if (profile?.isFree) return
  const tabs = context.pages().filter((page) => page !== profile?.first)
  await Promise.all(tabs.map(endRoutes))
  if (profile === undefined) return context.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all(tabs.map((tab) => tab.close()))
  await context.setOffline(false)
  await context.clearPermissions()
  profile.isFree = true
}

/** Deletes what earlier tabs stored, and fails if any of it, or a clock that they changed, is left. */
async function emptyProfile(page: Page, origin: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
  await page.context().clearCookies()
  const left = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
  ])
  expect([...left, ...(await page.context().cookies())]).toEqual([])
  const millisecondsOff = (await page.evaluate(() => Date.now())) - Date.now()
  expect(Math.abs(millisecondsOff)).toBeLessThan(60_000)
}

/** Stores a session: a login through its form takes a page load more. */
async function storeSession(page: Page, email: string, password = demoPassword): Promise<void> {
  const { request } = page.context()
  const { apiKey } = await (await request.get(configPath)).json()
  const reply = await request.post(callLogIn.path, { headers: { ApiKey: apiKey }, data: { email, password } })
  const { userName, userTokens }: ReplyOf<typeof callLogIn> = (await reply.json()).value
  const { accessToken: token, refreshToken } = userTokens
  await page.evaluate(
    (stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
    },
    { username: userName, email, token, refreshToken },
  )
}

async function openHome(page: Page): Promise<void> {
  await page.goto('/home')
  await userMenu(page).waitFor()
}

/** Ends what `page.route` began. A handler that still runs would fail at its reply, and with it the run. */
export const endRoutes = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' })

/** Fills in the login page and waits until the portal is open. */
export async function logIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login')
  await sendLogin(page, email, password)
  await userMenu(page).waitFor()
}

/** Fills in and sends the open login page, without waiting for the result. */
export async function sendLogin(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** The button with the user's name. */
export const userMenu = (page: Page): Locator =>
  page.getByRole('banner').locator('button[aria-haspopup=menu]')

/** Chooses an item of the user menu. */
export async function chooseInUserMenu(page: Page, item: string): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The title of the screen. */
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** A button by its name, on the page or in a part of it. */
export const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true })

/** An input by its label, on the page or in a part of it. */
export const field = (scope: Page | Locator, name: string): Locator => scope.getByLabel(name, { exact: true })

/** A row of a table by a text in it. */
export const rowWith = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })

/** An action of an item in a list, by the name of its icon. */
export const actionOf = (page: Page, thing: string, action: string): Locator =>
  page
    .getByRole('group', { name: `Actions for ${thing}`, exact: true })
    .getByLabel(`${action} ${thing}`, { exact: true })

/** A notification with this title and text. */
export const notice = (page: Page, title: string, message: string): Locator =>
  page
    .getByRole('alert')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(message, { exact: true }) })

/** The open dialog with this title. */
export const dialog = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: title, exact: true })

/** The open dialog with this title, after it has taken the focus. */
export async function openedDialog(page: Page, title: string): Promise<Locator> {
  const opened = dialog(page, title)
  await waitForFocusInside(opened)
  return opened
}

/**
 * Waits until a dialog or drawer has taken the focus, which it does in timers. Keys pressed earlier would
 * go to the element that the dialog focuses; a key that closes the dialog too early would lose the focus.
 */
export async function waitForFocusInside(opened: Locator): Promise<void> {
  await expect.poll(() => opened.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  // The dialog starts two timers.
  await waitForTimers(opened.page())
}

/** Waits for the timers without delay that the page has started: this one fires after them. */
export const waitForTimers = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => setTimeout(done)))

/** Chooses one of the options of a drop-down. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByRole('textbox', { name: label, exact: true }))
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Opens the page of Northwind Health from the list of companies. */
export async function openNorthwind(page: Page): Promise<void> {
  await actionOf(page, 'Northwind Health', 'Edit').click()
  // While tables load, what is under the mouse moves.
  for (const name of ['Users', 'Data dictionaries'])
    await page.getByRole('table', { name, exact: true }).getByRole('button').first().waitFor()
}

/** Opens the part of the page of Northwind Health for programs. */
export async function openNorthwindPrograms(page: Page): Promise<void> {
  await openNorthwind(page)
  await page.getByRole('tab', { name: 'Programs' }).click()
  for (const name of ['Tokens', 'Webhook'])
    await page.getByRole('region', { name }).getByRole('button').first().waitFor()
}

/** Associates a dictionary with Northwind Health. */
export async function associate(page: Page, dictionary: string): Promise<void> {
  await openNextInPage(page, '/home/companies')
  await openNorthwind(page)
  await button(page, 'Associate data dictionary').click()
  await choose(page, 'Data dictionary', dictionary)
  await button(page, 'Save').click()
  const associated = page.getByRole('table', { name: 'Data dictionaries' })
  await associated.getByText(dictionary, { exact: true }).waitFor()
}

/** Opens an address without loading the page again, which takes most of the time of a visit. */
export const openInPage = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** As `openInPage`, after another screen, so that the screen is a new one. */
export async function openNextInPage(page: Page, path: string): Promise<void> {
  await openInPage(page, '/about-us')
  await heading(page, 'About Veridict').waitFor()
  await openInPage(page, path)
}

type ChosenFile = { name: string; bytes: Uint8Array }

/** Opens the upload screen and chooses dictionary and file on it. */
export async function chooseUpload(page: Page, dictionary: string, file: ChosenFile): Promise<void> {
  await page.goto('/home/fileUpload')
  await chooseOnScreen(page, dictionary, file)
}

/** As `chooseUpload`, on a page that is open: the screen is a new one, but knows what the page has loaded. */
export async function chooseNextUpload(page: Page, dictionary: string, file: ChosenFile): Promise<void> {
  await openNextInPage(page, '/home/fileUpload')
  await heading(page, 'Upload new file').waitFor()
  await chooseOnScreen(page, dictionary, file)
}

/** Chooses dictionary and file on the open upload screen. */
export async function chooseOnScreen(
  page: Page,
  dictionary: string,
  { name, bytes }: ChosenFile,
): Promise<void> {
  await choose(page, 'Data dictionary', dictionary)
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) })
}

/** What the upload screen says of the file that it sent: first that it was uploaded, then its verdict. */
export const uploadedPanel = (page: Page): Locator =>
  page.getByRole('status').filter({ has: page.getByRole('link', { name: 'Go back to home' }) })

/** The description and the error of an input. */
export const descriptionsOf = (input: Locator): Promise<string[]> =>
  input.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .flatMap((id) => document.getElementById(id)?.textContent ?? []),
  )

/** Waits until an input has this description or error. */
export async function waitForMessage(input: Locator, message: string): Promise<void> {
  await expect.poll(() => descriptionsOf(input)).toContain(message)
}

/** Waits until an input or button has the focus. */
export async function waitForFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
}

/** By how many pixels the page scrolls sideways. */
export const sidewaysScrolling = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The headers of a table, in order. */
export const columnsOf = (table: Locator): Promise<string[]> =>
  table.getByRole('columnheader').allTextContents()
