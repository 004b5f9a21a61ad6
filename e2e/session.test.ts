import { logIn as callLogIn, logOut, refreshSession } from '@veridict/contract/api/session'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv, badClaims, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import { mailsTo, linkMailedTo } from './mails.ts'
import type { Portal } from './portal.ts'
import { forgeStoredToken, showTab, storedToken } from './stored-token.ts'
import {
  button,
  chooseInUserMenu,
  chooseUpload,
  demoPassword,
  descriptionsOf,
  dialog,
  field,
  waitForFocus,
  heading,
  logIn,
  notice,
  openTab,
  sendLogin,
  userMenu,
  waitForMessage,
} from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

/** Runs a journey in its own browser profile. */
const inTab = (journey: (page: Page) => Promise<void>) => async () => {
  const page = await openTab(browser, portal)
  try {
    await journey(page)
  } finally {
    await page.context().close()
  }
}

describe('The login page', () => {
  it(
    'shows what is missing or wrong',
    inTab(async (page) => {
      const cases = [
        { email: '', password: '', messages: ['Email address is required.', 'Password is required.'] },
        { email: 'nobody', password: 'x', messages: ['A valid email address is required.'] },
        { email: 'a b@example.com', password: 'x', messages: ['A valid email address is required.'] },
        { email: 'clerk@example', password: 'x', messages: ['A valid email address is required.'] },
      ]
      for (const { email, password, messages } of cases) {
        await page.goto('/login')
        await sendLogin(page, email, password)
        for (const message of messages) await page.getByText(message, { exact: true }).waitFor()
        await expect.poll(() => page.getByText(/required\.$/).count()).toBe(messages.length)
      }
    }),
  )

  it(
    'focuses the first invalid input, and the button again after a refusal',
    inTab(async (page) => {
      await page.goto('/login')
      const [email, password, login] = [field(page, 'Email'), field(page, 'Password'), button(page, 'Login')]
      await login.press('Enter')
      await waitForFocus(email)
      await email.fill('clerk@example.com')
      await login.press('Enter')
      await waitForFocus(password)
      await password.fill('Wrong#2026')
      await login.press('Enter')
      await notice(page, 'Error', 'Invalid email or password.').waitFor()
      await waitForFocus(password)
    }),
  )

  it(
    'keeps the reason of a refusal at the form, after its notice has disappeared',
    inTab(async (page) => {
      await page.goto('/login')
      const password = field(page, 'Password')
      await sendLogin(page, 'clerk@example.com', 'Wrong#2026')
      const refusal = notice(page, 'Error', 'Invalid email or password.')
      await refusal.waitFor()
      await refusal.waitFor({ state: 'detached' })
      await page.getByRole('alert').getByText('Invalid email or password.', { exact: true }).waitFor()
      await waitForMessage(password, 'Invalid email or password.')
      await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
      await password.fill('Wrong#2027')
      await expect.poll(() => descriptionsOf(password)).toEqual([])

      const reply = {
        status: 429,
        json: { message: 'Too many requests. Please wait a moment and try again.' },
      }
      await page.route(`**${callLogIn.path}`, (route) => route.fulfill(reply), { times: 1 })
      await button(page, 'Login').click()
      await notice(page, 'Error', reply.json.message).waitFor({ state: 'detached' })
      await page.getByRole('main').getByRole('alert').getByText(reply.json.message).waitFor()
    }),
  )

  it(
    'shows the same message for a wrong password and an unknown address',
    inTab(async (page) => {
      for (const email of ['clerk@example.com', 'nobody@example.com']) {
        await page.goto('/login')
        await sendLogin(page, email, 'Wrong#2026')
        await notice(page, 'Error', 'Invalid email or password.').waitFor()
        await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
        await expect.poll(() => storedToken(page)).toBeNull()
      }
    }),
  )

  it(
    'leads to /home, also with an existing session',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      await heading(page, 'Uploaded files history').waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/home')
      await page.goto('/login')
      await heading(page, 'Uploaded files history').waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/home')
    }),
  )
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
      for (const who of ['clerk@example.com', 'other@example.com']) {
        await logIn(page, 'clerk@example.com')
        await forgeStoredToken(page, { secondsLeft: -60 })
        await page.goto(path)
        await page.waitForURL('**/login')
        await sendLogin(page, who, demoPassword)
        await heading(page, who.startsWith('clerk') ? 'mailed.csv' : 'Uploaded files history').waitFor()
        await chooseInUserMenu(page, 'Log out')
        await page.waitForURL('**/login')
      }
      await logIn(page, 'clerk@example.com')
      await page.goto(path)
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

describe('Access to screens', () => {
  it(
    'every other address leads a visitor to the login page',
    inTab(async (page) => {
      const paths = [
        '/',
        '/home',
        '/home/fileUpload',
        '/home/fileError/1',
        '/home/companies',
        '/home/settings',
        '/about-us',
        '/no/such/page',
      ]
      for (const path of paths) {
        await page.goto(path)
        await page.waitForURL('**/login')
        await page.getByRole('button', { name: 'Login' }).waitFor()
      }
    }),
  )

  it.for([
    {
      who: 'clerk@example.com',
      paths: [
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
    },
    { who: 'admin@example.com', paths: ['/no/such/page', '/home/fileUpload', '/home/fileError/1'] },
  ])('$who gets "not found" for the screens of the other role', ({ who, paths }) =>
    inTab(async (page) => {
      await logIn(page, who)
      for (const path of paths) {
        await page.goto(path)
        await heading(page, 'Nothing to see here').waitFor()
      }
      await page.getByRole('link', { name: 'Go back to Home' }).click()
      await page.waitForURL(`${portal.url}/`)
      await heading(page, who.startsWith('admin') ? 'Home' : 'Uploaded files history').waitFor()
    })(),
  )

  it.for([
    {
      who: 'clerk@example.com',
      paths: [
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
      paths: [
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
  ])('$who gets "not found", without a notice, for an id that is invalid or unknown', ({ who, paths }) =>
    inTab(async (page) => {
      await logIn(page, who)
      for (const path of paths) {
        await page.goto(path)
        await heading(page, 'Nothing to see here').waitFor()
        await page.waitForLoadState('networkidle')
        await expect.poll(() => page.getByRole('alert').count(), { message: path }).toBe(0)
      }
    })(),
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
      await logIn(page, 'other@example.com')
      await page.goto(`/home/fileError/${id}`)
      await heading(page, 'Nothing to see here').waitFor()
      await expect.poll(() => page.getByText('ours.csv').count()).toBe(0)
      await chooseInUserMenu(page, 'Log out')
      await page.getByRole('button', { name: 'Login' }).waitFor()
      await logIn(page, 'clerk@example.com')
      await page.goto(`/home/fileError/${id}`)
      await heading(page, 'ours.csv').waitFor()
    }),
  )
})

describe('A session in several tabs', () => {
  it(
    'ends in all tabs at once, and on the server',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      const second = await page.context().newPage()
      await second.goto('/home')
      await heading(second, 'Uploaded files history').waitFor()
      const token = await storedToken(page)
      const logsOut = page.waitForResponse((response) => response.url().endsWith(logOut.path))
      await chooseInUserMenu(page, 'Log out')
      for (const tab of [page, second]) await tab.getByRole('button', { name: 'Login' }).waitFor()
      await expect.poll(() => second.evaluate(() => localStorage.length)).toBe(0)
      const { apikey } = (await logsOut).request().headers()
      const headers = { ApiKey: apikey!, Authorization: `Bearer ${token}` }
      const { status } = await fetch(`${portal.url}/api/FileSubmission`, { headers })
      expect(status).toBe(401)
    }),
  )

  it(
    'is refreshed once when the tabs become visible, but only in the last two minutes',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      const tabs = [page, await page.context().newPage()]
      // This screen makes no call, so only the refresh sends the token that the test changes.
      for (const tab of tabs) {
        await tab.goto('/about-us')
        await userMenu(tab).waitFor()
      }
      let refreshes = 0
      let answer = () => {}
      const bothAsked = new Promise<void>((resolve) => (answer = resolve))
      await page.context().route(`**${refreshSession.path}`, async (route) => {
        refreshes += 1
        await bothAsked
        await route.continue()
      })
      for (const secondsLeft of [-1, 180]) {
        await forgeStoredToken(page, { secondsLeft })
        for (const tab of tabs) await showTab(tab)
      }
      const old = await forgeStoredToken(page, { secondsLeft: 100 })
      for (const tab of tabs) await showTab(tab)
      answer()
      await expect.poll(() => storedToken(page)).not.toBe(old)
      expect(refreshes).toBe(1)
      await tabs[1]!.goto('/home')
      await heading(tabs[1]!, 'Uploaded files history').waitFor()
    }),
  )

  it.for([-16, 14, 16])(
    'is refreshed in time, and once, when the clock of the computer is %i minutes off',
    (minutesOff) =>
      inTab(async (page) => {
        await page.addInitScript((off) => {
          const now = Date.now.bind(Date)
          Date.now = () => now() + (off + Number(sessionStorage.getItem('minutesPassed') ?? 0)) * 60_000
        }, minutesOff)
        let refreshes = 0
        page.on('request', (request) => (refreshes += request.url().endsWith(refreshSession.path) ? 1 : 0))
        await logIn(page, 'clerk@example.com')
        await page.reload()
        await userMenu(page).waitFor()
        await showTab(page)
        expect(refreshes).toBe(0)
        // Tokens of the same second are equal, so the time of arrival shows that another one came.
        const arrival = () => page.evaluate(() => localStorage.getItem('tokenReceived'))
        const old = await arrival()
        await page.evaluate(() => sessionStorage.setItem('minutesPassed', '14'))
        // A tab that is shown while its last check still holds the lock checks nothing.
        const arrivalOnceShown = async () => {
          await showTab(page)
          return arrival()
        }
        await expect.poll(arrivalOnceShown).not.toBe(old)
        await showTab(page)
        await page.reload()
        await userMenu(page).waitFor()
        expect(refreshes).toBe(1)
      })(),
  )

  it(
    'is refreshed automatically two minutes before it expires',
    inTab(async (page) => {
      await page.clock.install()
      await logIn(page, 'clerk@example.com')
      await page.goto('/about-us')
      const old = await forgeStoredToken(page, { secondsLeft: 600, lifeSeconds: 900 })
      await page.reload()
      await userMenu(page).waitFor()
      await page.clock.fastForward('07:30')
      await userMenu(page).waitFor()
      await expect.poll(() => storedToken(page)).toBe(old)
      await page.clock.fastForward('00:31')
      await expect.poll(() => storedToken(page)).not.toBe(old)
    }),
  )
})

describe('Leaving while a file is uploading', () => {
  const question = 'A file is still uploading. Are you sure you want to leave?'

  it(
    'asks before another screen, before logging out and before the tab is closed',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      await page.route(`**${uploadSubmission.path}`, () => {
        // Never gets a response: the upload runs until it is aborted.
      })
      await chooseUpload(page, 'Medical claims', { name: 'slow.csv', bytes: asCsv(goodClaims) })
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByText('Uploading file slow.csv...').waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: 'Upload', exact: true }).isDisabled())
        .toBe(true)

      await page.getByRole('link', { name: 'Home', exact: true }).first().click()
      await page.getByRole('dialog').getByText(question, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Stay' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('Uploading file slow.csv...').waitFor()

      const asked = page.waitForEvent('dialog')
      await page.close({ runBeforeUnload: true })
      const browserDialog = await asked
      expect(browserDialog.type()).toBe('beforeunload')
      await browserDialog.dismiss()

      await chooseInUserMenu(page, 'Log out')
      await page.getByRole('dialog').getByText(question, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('button', { name: 'Login' }).waitFor()
    }),
  )
})

describe('A forgotten password', () => {
  const email = 'other@example.com'
  const newPassword = 'Seven!Otters27'
  const weak =
    'Password must be at least 8 characters and include uppercase, lowercase, number, and special character'
  let link: string

  it(
    'is reset through a link to the e-mail address',
    inTab(async (page) => {
      await page.goto('/login')
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await heading(page, 'Forgot your password?').waitFor()
      await page
        .getByText('Enter the email you use to log in. We will send you an email with further instructions.')
        .waitFor()
      const send = page.getByRole('button', { name: 'Send email' })
      await send.click()
      await page.getByText('Email address is required.', { exact: true }).waitFor()
      await page.getByLabel('Email').fill('other@example')
      await send.click()
      await page.getByText('A valid email address is required.', { exact: true }).waitFor()
      const before = mailsTo(portal, email).length
      await page.getByLabel('Email').fill(email)
      await send.click()
      await notice(
        page,
        'Success',
        'If this email address belongs to an account, an email with further instructions is on its way.',
      ).waitFor()
      const { mail, path } = await linkMailedTo(portal, email, before)
      expect(mail.text).toContain('Hello Oscar Reyes')
      expect(path).toMatch(/^\/set-password\?/)
      link = path
      await page.getByRole('link', { name: 'Back to login' }).click()
      await page.getByRole('button', { name: 'Login' }).waitFor()
    }),
  )

  it(
    'cannot be set without both parts of the link',
    inTab(async (page) => {
      for (const path of [
        '/set-password',
        '/set-password?email=other%40example.com',
        '/set-password?token=abc',
      ]) {
        await page.goto(path)
        await page.getByText('Invalid reset link. Please try again.', { exact: true }).waitFor()
        await expect.poll(() => field(page, 'Password').isDisabled()).toBe(true)
        await expect.poll(() => button(page, 'Set password').isDisabled()).toBe(true)
      }
      await page.getByRole('link', { name: 'Ask for a new link' }).click()
      await heading(page, 'Forgot your password?').waitFor()
    }),
  )

  it(
    'is set with the link; an active session is asked about and ended',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      const second = await page.context().newPage()
      await second.goto(link)
      const set = second.getByRole('button', { name: 'Set password' })
      const fill = async (password: string, again: string) => {
        await second.getByLabel('Password', { exact: true }).fill(password)
        await second.getByLabel('Confirm Password', { exact: true }).fill(again)
        await set.click()
      }
      await fill('contoso!2027', 'contoso!2027')
      await second.getByText(weak, { exact: true }).waitFor()
      await fill(newPassword, 'Seven!Otters28')
      await second.getByText('Passwords do not match', { exact: true }).waitFor()

      await fill(newPassword, newPassword)
      const question = dialog(second, 'Active Session')
      await question
        .getByText(
          'Setting the new password will end existing session(s) in other tab(s). Do you want to continue?',
          { exact: true },
        )
        .waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      await expect.poll(() => storedToken(page)).not.toBeNull()

      await set.click()
      await question.getByRole('button', { name: 'Continue' }).click()
      for (const tab of [second, page]) await tab.getByRole('button', { name: 'Login' }).waitFor()
      await expect.poll(() => new URL(second.url()).pathname).toBe('/login')
    }),
  )

  it(
    'replaces the old one, and the link cannot be used again',
    inTab(async (page) => {
      await page.goto('/login')
      await sendLogin(page, email, demoPassword)
      await notice(page, 'Error', 'Invalid email or password.').waitFor()
      await sendLogin(page, email, newPassword)
      await heading(page, 'Uploaded files history').waitFor()
      await chooseInUserMenu(page, 'Log out')
      await page.getByRole('button', { name: 'Login' }).waitFor()
      await page.goto(link)
      await page.getByLabel('Password', { exact: true }).fill(newPassword)
      await page.getByLabel('Confirm Password', { exact: true }).fill(newPassword)
      await page.getByRole('button', { name: 'Set password' }).click()
      const spent = notice(page, 'Error', 'This link is no longer valid. Please ask for a new one.')
      await spent.waitFor()
      await spent.waitFor({ state: 'detached' })
      const atForm = page.getByRole('main').getByRole('alert')
      await atForm.getByText('This link is no longer valid. Please ask for a new one.').waitFor()
      await atForm.getByRole('link', { name: 'Ask for a new link' }).click()
      await heading(page, 'Forgot your password?').waitFor()
    }),
  )
})

describe('Your sessions', () => {
  it(
    'shows where the account is logged in, and ends the others',
    inTab(async (page) => {
      await logIn(page, 'clerk@example.com')
      const elsewhere = await openTab(browser, portal, 'clerk@example.com')
      await chooseInUserMenu(page, 'Your sessions')
      await heading(page, 'Your sessions').waitFor()
      const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row')
      await rows.filter({ hasText: 'this one' }).filter({ hasText: 'Chrome on Linux' }).waitFor()
      await rows
        .filter({ hasNotText: 'this one' })
        .getByRole('button', { name: 'End session' })
        .first()
        .waitFor()
      await button(page, 'End all others').click()
      await notice(page, 'Success', 'All other sessions have ended.').waitFor()
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
      await elsewhere.reload()
      await elsewhere.waitForURL('**/login')
      await elsewhere.context().close()
    }),
  )
})
