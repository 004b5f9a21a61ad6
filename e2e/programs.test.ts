import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  button,
  columnsOf,
  dialog,
  field,
  notice,
  openNorthwindPrograms,
  openedDialog,
  openInPage,
  openTab,
  rowWith,
  waitForMessage,
} from './visit.ts'

let portal: Portal
let page: Page

beginJourneys(
  async (opened, browser) => {
    portal = opened
    page = await openTab(browser, portal, 'admin@example.com')
    await openInPage(page, '/home/companies')
    await openNorthwindPrograms(page)
  },
  () => ({ WEBHOOK_ALLOW_PRIVATE: '1' }),
)

const section = (title: string) => page.getByRole('region', { name: title })

/** The status of a call of a program with the token. */
async function statusWith(token: string): Promise<number> {
  const { apiKey } = (await (await fetch(`${portal.url}/config.json`)).json()) as { apiKey: string }
  const headers = { ApiKey: apiKey, authorization: `Bearer ${token}` }
  return (await fetch(`${portal.url}/api/FileSubmission`, { headers })).status
}

describe('A token', () => {
  let token: string

  it('is created, and shown once', async () => {
    await section('Tokens').getByText('No tokens', { exact: true }).waitFor()
    await button(page, 'Create token').click()
    const form = await openedDialog(page, 'Create token')
    await field(form, 'Valid for days').fill('367')
    await button(form, 'Create').click()
    await waitForMessage(field(form, 'Name'), 'Name is required')
    await field(form, 'Name').fill('Nightly export')
    await form.getByRole('radio', { name: 'Read only' }).check()
    await field(form, 'Valid for days').fill('30')
    await button(form, 'Create').click()
    const shown = dialog(page, 'Copy the token now')
    const shownToken = field(shown, 'Nightly export')
    await expect.poll(() => shownToken.inputValue()).toMatch(/^vdt_[\w-]{43}$/)
    token = await shownToken.inputValue()
    await page.mouse.click(5, 5)
    await expect.poll(() => shown.isVisible()).toBe(true)
    await button(shown, 'Done').click()
    await shown.waitFor({ state: 'detached' })
    await expect.poll(() => page.content()).not.toContain(token)
    const table = page.getByRole('table', { name: 'Tokens' })
    await expect
      .poll(() => columnsOf(table))
      .toEqual(['Name', 'Rights', 'Created', 'Created by', 'Expires', 'Last used', 'Actions'])
    for (const text of ['Read only', 'admin@example.com'])
      await rowWith(page, 'Nightly export').getByText(text, { exact: true }).waitFor()
    await rowWith(page, 'Nightly export').getByText('never', { exact: true }).waitFor()
  })

  it('shows its last use', async () => {
    await expect(statusWith(token)).resolves.toBe(200)
    await page.reload()
    await rowWith(page, 'Nightly export').getByText('just now').nth(1).waitFor()
    await expect
      .poll(() => rowWith(page, 'Nightly export').getByText('never', { exact: true }).count())
      .toBe(0)
  })

  it('is revoked after a question', async () => {
    await button(page, 'Revoke Nightly export').click()
    const question = dialog(page, 'Revoke token')
    await question.getByText('Programs that use "Nightly export"').waitFor()
    await button(question, 'Cancel').click()
    await expect(statusWith(token)).resolves.toBe(200)
    await button(page, 'Revoke Nightly export').click()
    await button(dialog(page, 'Revoke token'), 'Revoke').click()
    await notice(page, 'Success', 'The token has been revoked.').waitFor()
    await section('Tokens').getByText('No tokens', { exact: true }).waitFor()
    await expect(statusWith(token)).resolves.toBe(401)
  })
})

describe('A webhook', () => {
  let status = 204
  const receiver = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(status).end())
  })
  let address: string
  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  })
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  it('is set up, and its secret is shown once', async () => {
    await button(section('Webhook'), 'Set up webhook').click()
    const form = await openedDialog(page, 'Set up webhook')
    await field(form, 'Address').fill('example.com')
    await button(form, 'Save').click()
    await waitForMessage(
      field(form, 'Address'),
      'A valid address is required, such as https://example.com/hooks.',
    )
    await field(form, 'Address').fill(address)
    await button(form, 'Save').click()
    const shown = dialog(page, 'Copy the secret now')
    await expect.poll(() => field(shown, 'Secret').inputValue()).toMatch(/^whsec_/)
    await button(shown, 'Done').click()
    await section('Webhook').getByText(address, { exact: true }).waitFor()
  })

  it('can be tested, which shows the status that the receiver returned', async () => {
    const result = section('Webhook').getByRole('status')
    await button(section('Webhook'), 'Send a test').click()
    await result.getByText('The test was delivered: status 204.', { exact: true }).waitFor()
    status = 500
    await button(section('Webhook'), 'Send a test').click()
    await result.getByText('The test was refused: status 500.').waitFor()
  })

  it('is removed after a question', async () => {
    await button(section('Webhook'), 'Remove').click()
    await button(dialog(page, 'Remove webhook'), 'Remove').click()
    await section('Webhook').getByText('No webhook', { exact: true }).waitFor()
  })
})
