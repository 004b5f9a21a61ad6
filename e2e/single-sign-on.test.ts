import { randomUUID } from 'node:crypto'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startOpenIdProvider, type OpenIdProvider } from '../apps/server/src/test/openid-provider.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { button, chooseInUserMenu, heading, openTab, sendLogin, userMenu, closeTab } from './visit.ts'

let provider: OpenIdProvider
let portal: Portal
let browser: Browser
let page: Page

// Registered first, so it runs after the portal has ended.
afterAll(() => provider?.close())
beginJourneys(
  (...opened) => {
    ;[portal, browser] = opened
  },
  async (url) => {
    provider = await startOpenIdProvider(`${url}/api/Login/oidc/callback`)
    const { issuer, clientId, clientSecret } = provider.settings
    return {
      PUBLIC_URL: url,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      PASSWORD_LOGIN: 'off',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'Wombats-dig-Burrows-7',
    }
  },
)
beforeEach(async () => {
  page = await openTab(browser, portal)
})
afterEach(() => closeTab(page))

const subjects = new Map<string, string>()
/** Logs somebody in at the provider: the same person for the same e-mail. */
function atProvider(email: string): void {
  const sub = subjects.get(email) ?? randomUUID()
  subjects.set(email, sub)
  provider.setAccount({ sub, email, email_verified: true })
}
const signOnLink = () => page.getByRole('link', { name: signOnMessages.button, exact: true })

describe('Single sign-on', () => {
  it('leads from the login page to the provider, and home', async () => {
    atProvider('clerk@example.com')
    await page.goto('/login')
    await signOnLink().click()
    await heading(page, 'Uploaded files history').waitFor()
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/home')
    await expect.poll(() => page.evaluate(() => document.cookie)).not.toMatch(/ticket|sign-on/)
    await page.reload()
    await heading(page, 'Uploaded files history').waitFor()
  })

  it('continues at the address at which the visit began', async () => {
    atProvider('clerk@example.com')
    await page.goto('/home/fileUpload')
    await signOnLink().click()
    await heading(page, 'Upload new file').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/home/fileUpload')
  })

  it('leads home after a logout, wherever that was', async () => {
    atProvider('clerk@example.com')
    await page.goto('/home/fileUpload')
    await signOnLink().click()
    await heading(page, 'Upload new file').waitFor()
    await chooseInUserMenu(page, 'Log out')
    await signOnLink().click()
    await heading(page, 'Uploaded files history').waitFor()
  })

  it('leads a person whom the portal does not know back to the login page, with one sentence', async () => {
    atProvider('unknown@example.com')
    await page.goto('/login')
    await signOnLink().click()
    await page.getByText(signOnMessages.refused).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.reload()
    await signOnLink().waitFor()
    await expect.poll(() => page.getByText(signOnMessages.refused).count()).toBe(0)
  })

  it('can be tried again after it was canceled at the provider', async () => {
    provider.setAccount(null)
    await page.goto('/login')
    await signOnLink().click()
    await page.getByText(signOnMessages.failed).waitFor()
    atProvider('clerk@example.com')
    await signOnLink().click()
    await userMenu(page).waitFor()
  })

  it('ignores the address of a sign-on that another browser began', async () => {
    await page.goto('/login?sso=done')
    await page.getByText(signOnMessages.failed).waitFor()
    await expect.poll(() => button(page, 'Login').isVisible()).toBe(true)
  })
})

describe('Where passwords are not used', () => {
  it('the login page says so', async () => {
    await page.goto('/login')
    await sendLogin(page, 'clerk@example.com', 'Veridict#2026')
    await page.getByRole('main').getByText(signOnMessages.noPasswords).waitFor()
  })

  it('the administrator of the settings still logs in with one', async () => {
    await page.goto('/login')
    await sendLogin(page, 'admin@example.com', 'Veridict#2026')
    await userMenu(page).waitFor()
  })
})
