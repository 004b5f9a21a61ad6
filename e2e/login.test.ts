import { logIn as callLogIn } from '@veridict/contract/api/session'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv, badClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { forgeStoredToken, storedToken } from './stored-token.ts'
import {
  button,
  chooseInUserMenu,
  closeTab,
  demoPassword,
  descriptionsOf,
  endRoutes,
  field,
  heading,
  notice,
  openInPage,
  openNextInPage,
  openTab,
  sendLogin,
  userMenu,
  waitForFocus,
  waitForMessage,
} from './visit.ts'

let portal: Portal
let browser: Browser

const inTab = beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

describe('The login page', () => {
  let page: Page
  beforeAll(async () => {
    page = await openTab(browser, portal)
    await page.goto('/login')
  })
  afterAll(() => closeTab(page))
  const refusal = () => notice(page, 'Error', 'Invalid email or password.')

  it('shows what is missing or wrong', async () => {
    const cases = [
      { email: '', password: '', messages: ['Email address is required.', 'Password is required.'] },
      { email: 'nobody', password: 'x', messages: ['A valid email address is required.'] },
      { email: 'a b@example.com', password: 'x', messages: ['A valid email address is required.'] },
      { email: 'clerk@example', password: 'x', messages: ['A valid email address is required.'] },
    ]
    for (const { email, password, messages } of cases) {
      await sendLogin(page, email, password)
      for (const message of messages) await page.getByText(message, { exact: true }).waitFor()
      await expect.poll(() => page.getByText(/required\.$/).count()).toBe(messages.length)
    }
  })

  it('focuses the first invalid input, and the button again after a refusal', async () => {
    const [email, password, login] = [field(page, 'Email'), field(page, 'Password'), button(page, 'Login')]
    for (const input of [email, password]) await input.fill('')
    await login.press('Enter')
    await waitForFocus(email)
    await email.fill('clerk@example.com')
    await login.press('Enter')
    await waitForFocus(password)
    await password.fill('Wrong#2026')
    await login.press('Enter')
    await refusal().waitFor()
    await waitForFocus(password)
  })

  it('keeps the reason of a refusal at the form, after its notice has disappeared', async () => {
    const password = field(page, 'Password')
    await refusal().waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('Invalid email or password.', { exact: true }).waitFor()
    await waitForMessage(password, 'Invalid email or password.')
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await password.fill('Wrong#2027')
    await expect.poll(() => descriptionsOf(password)).toEqual([])

    const reply = { status: 429, json: { message: 'Too many requests. Please wait a moment and try again.' } }
    await page.route(`**${callLogIn.path}`, (route) => route.fulfill(reply), { times: 1 })
    await button(page, 'Login').click()
    const limited = notice(page, 'Error', reply.json.message)
    await button(limited, 'Close notice').click()
    await limited.waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('alert').getByText(reply.json.message).waitFor()
    await endRoutes(page)
  })

  it('shows the same message for a wrong password and an unknown address', async () => {
    for (const email of ['clerk@example.com', 'nobody@example.com']) {
      await sendLogin(page, email, 'Wrong#2026')
      await refusal().waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
      await expect.poll(() => storedToken(page)).toBeNull()
      await button(refusal(), 'Close notice').click()
      await refusal().waitFor({ state: 'detached' })
    }
  })

  it('leads to /home, also with an existing session', async () => {
    await sendLogin(page, 'clerk@example.com', demoPassword)
    await heading(page, 'Uploaded files history').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/home')
    await page.goto('/login')
    await heading(page, 'Uploaded files history').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/home')
  })
})

describe('A visit that began at another address than /login', () => {
  const report = async () => {
    const clerk = await apiClient(portal.url, 'clerk@example.com')
    const upload = await clerk.upload(
      { name: 'mailed.csv', bytes: asCsv(badClaims) },
      await clerk.dictionary('Medical claims'),
    )
    return `/home/fileError/${(await clerk.settled(upload.body.value!.id)).id}?page=1`
  }
  const addressOf = (page: Page) => page.url().slice(portal.url.length)

  it(
    'continues there after the login',
    inTab(async (page) => {
      const path = await report()
      await page.goto(path)
      await page.waitForURL('**/login')
      await page.reload()
      await sendLogin(page, 'clerk@example.com', demoPassword)
      await heading(page, 'mailed.csv').waitFor()
      await expect.poll(() => addressOf(page)).toBe(path)
    }),
  )

  it(
    'continues there for the same person after the session expired, and at home after a logout',
    inTab(async (page) => {
      const path = await report()
      await page.goto('/login')
      for (const who of ['clerk@example.com', 'other@example.com']) {
        await sendLogin(page, 'clerk@example.com', demoPassword)
        await userMenu(page).waitFor()
        // A page without calls: one of the home screen could meet the forged token and end the session there.
        await page.goto('/favicon.svg')
        await forgeStoredToken(page, { secondsLeft: -60 })
        await page.goto(path)
        await page.waitForURL('**/login')
        await sendLogin(page, who, demoPassword)
        await heading(page, who.startsWith('clerk') ? 'mailed.csv' : 'Uploaded files history').waitFor()
        await chooseInUserMenu(page, 'Log out')
        await page.waitForURL('**/login')
      }
      await sendLogin(page, 'clerk@example.com', demoPassword)
      await userMenu(page).waitFor()
      await openInPage(page, path)
      await heading(page, 'mailed.csv').waitFor()
      await chooseInUserMenu(page, 'Log out')
      await page.waitForURL('**/login')
      await sendLogin(page, 'clerk@example.com', demoPassword)
      await heading(page, 'Uploaded files history').waitFor()
    }),
  )

  it.for(['/home/companies', '/no/such/page'])('is led home from %s, which is no screen of a clerk', (path) =>
    inTab(async (page) => {
      await page.goto(portal.url + path)
      await page.waitForURL('**/login')
      await sendLogin(page, 'clerk@example.com', demoPassword)
      await heading(page, 'Uploaded files history').waitFor()
      await expect.poll(() => addressOf(page)).toBe('/home')
    })(),
  )
})

/** Opens addresses that lead to "not found", after another screen each; returns the notices that appeared. */
async function openNotFound(page: Page, paths: readonly string[]): Promise<string[]> {
  const notices = await page.evaluateHandle(() => {
    const seen = new Set<string>()
    const note = () => {
      for (const { textContent } of document.querySelectorAll('[role=alert]')) seen.add(textContent)
    }
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
    note()
    return seen
  })
  for (const path of paths) {
    await openNextInPage(page, path)
    await heading(page, 'Nothing to see here').waitFor()
  }
  return notices.evaluate((seen) => [...seen])
}

describe('Access to screens', () => {
  it(
    'every other address leads a visitor to the login page',
    inTab(async (page) => {
      const paths = [
        '/',
        '/home',
        '/home/fileError/1',
        '/home/companies',
        '/home/settings',
        '/about-us',
        '/no/such/page',
      ]
      await page.goto('/home/fileUpload')
      await page.waitForURL('**/login')
      for (const path of paths) {
        await openInPage(page, path)
        await page.waitForURL('**/login')
        await page.getByRole('button', { name: 'Login' }).waitFor()
      }
    }),
  )

  it.for([
    {
      who: 'clerk@example.com',
      ofOthers: [
        '/no/such/page',
        '/home/companies',
        '/home/company/create',
        '/home/company/edit/1',
        '/home/settings',
        '/home/dictionaries',
        '/home/dictionary/create',
        '/home/dictionary/importdictionaries',
        '/home/dictionary/edit/00000000-0000-0000-0000-00000001',
        '/home/dictionary/field/00000000-0000-0000-0000-00000001',
      ],
      ofNothing: [
        '/home/fileError/abc',
        '/home/fileError/0',
        '/home/fileError/1e0',
        '/home/fileError/01',
        '/home/fileError/999999999',
        '/home/fileError/99999999999',
      ],
    },
    {
      who: 'admin@example.com',
      ofOthers: ['/no/such/page', '/home/fileUpload', '/home/fileError/1'],
      ofNothing: [
        '/home/company/edit/abc',
        '/home/company/edit/1abc',
        '/home/company/edit/99999999999',
        '/home/dictionary/edit/abc',
        '/home/dictionary/edit/00000000-0000-0000-0000-ffffffff',
        '/home/dictionary/edit/00000000-0000-0000-0000-00ffffff',
        '/home/dictionary/field/abc',
        '/home/dictionary/field/00000000-0000-0000-0000-00ffffff',
        '/home/dictionary/field/00000000-0000-0000-0000-00ffffff?fieldId=1',
        '/home/dictionary/field/00000000-0000-0000-0000-00000001?fieldId=abc',
        '/home/dictionary/field/00000000-0000-0000-0000-00000001?fieldId=',
        '/home/dictionary/field/00000000-0000-0000-0000-00000001?fieldId=999999999',
      ],
    },
  ])(
    '$who gets "not found", without a notice, for screens of the other role and unknown ids',
    ({ who, ofOthers, ofNothing }) =>
      inTab(async (page) => {
        await page.goto(ofOthers[1]!)
        await heading(page, 'Nothing to see here').waitFor()
        await expect(openNotFound(page, [...ofOthers, ...ofNothing])).resolves.toEqual([])
        await page.getByRole('link', { name: 'Go back to Home' }).click()
        await page.waitForURL(`${portal.url}/`)
        await heading(page, who.startsWith('admin') ? 'Home' : 'Uploaded files history').waitFor()
      }, who)(),
  )

  it(
    "a clerk cannot open another company's errors",
    inTab(async (page) => {
      const clerk = await apiClient(portal.url, 'clerk@example.com')
      const upload = await clerk.upload(
        { name: 'ours.csv', bytes: asCsv(badClaims) },
        await clerk.dictionary('Medical claims'),
      )
      const { id } = await clerk.settled(upload.body.value!.id)
      await openInPage(page, `/home/fileError/${id}`)
      await heading(page, 'Nothing to see here').waitFor()
      await expect.poll(() => page.getByText('ours.csv').count()).toBe(0)
      await chooseInUserMenu(page, 'Log out')
      await page.getByRole('button', { name: 'Login' }).waitFor()
      await sendLogin(page, 'clerk@example.com', demoPassword)
      await userMenu(page).waitFor()
      await openInPage(page, `/home/fileError/${id}`)
      await heading(page, 'ours.csv').waitFor()
    }, 'other@example.com'),
  )
})
