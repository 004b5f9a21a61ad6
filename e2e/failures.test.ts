import { noticeMessages } from '@veridict/contract/messages/notices'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import {
  actionOf,
  button,
  chooseNextUpload,
  endRoutes,
  field,
  heading,
  openNextInPage,
  openTab,
  rowWith,
  waitForFocus,
  waitForMessage,
} from './visit.ts'

let clerk: Page
let admin: Page

beginJourneys(async (portal, browser) => {
  clerk = await openTab(browser, portal, 'clerk@example.com')
  admin = await openTab(browser, portal, 'admin@example.com')
})
beforeEach(() => Promise.all([clerk, admin].map(endRoutes)))

const message = noticeMessages.internal('8f3a2c')

/** Makes a call fail from now on with this status and body. */
const failCalls = (page: Page, path: string, status: number, body: object) =>
  page.route(path, (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )

describe('A page without a connection', () => {
  it('says so until the connection is back, and then shows what was asked for', async () => {
    const note = clerk.getByRole('status').getByText(noticeMessages.offline)
    await rowWith(clerk, 'claims-clean.csv').waitFor()
    await clerk.context().setOffline(true)
    await note.waitFor()
    await clerk.getByRole('button', { name: 'Success' }).click()
    await clerk.context().setOffline(false)
    await note.waitFor({ state: 'detached' })
    await rowWith(clerk, 'claims-with-errors.csv').waitFor({ state: 'detached' })
    await rowWith(clerk, 'claims-clean.csv').waitFor()
  })
})

describe('A list that cannot be read', () => {
  // Not the history of files: it polls, and may be faster than the button.
  const list = '**/api/DataDictionary?*'
  it.for([
    {
      why: 'no response',
      reason: 'Please check your connection.',
      begin: () => admin.route(list, (route) => route.abort()),
    },
    {
      why: 'an error with a message',
      reason: message,
      begin: () => failCalls(admin, list, 500, { message }),
    },
    {
      why: 'an error without a message',
      reason: 'The portal sent an unexpected response.',
      begin: () => failCalls(admin, list, 502, {}),
    },
  ])('is reported with its reason ($why), and is read again on request', async ({ reason, begin }) => {
    await begin()
    await admin.goto('/home/dictionaries')
    await admin.getByText(`${reason} No data is lost.`, { exact: true }).waitFor()
    await endRoutes(admin)
    await button(admin, 'Try again').click()
    await rowWith(admin, 'Medical claims').waitFor()
  })
})

describe('Lists on screens that cannot be read', () => {
  it.for([
    { path: '/home/sessions', call: '**/api/Session', what: 'The list of sessions' },
    {
      path: '/home/company/edit/1',
      call: '**/api/Company/1/datadictionaries',
      what: 'The data dictionaries',
    },
    { path: '/home/company/edit/1?tab=programs', call: '**/api/Company/1/Token', what: 'The tokens' },
    { path: '/home', call: '**/api/Admin/Operation', what: 'What needs you' },
    { path: '/home', call: '**/api/Admin/counts', what: 'The rejected files' },
  ])('say so in their place, and can be read again: $what', async ({ path, call, what }) => {
    await failCalls(admin, call, 500, { message })
    // What the home shows is known since the login.
    await (path === '/home' ? admin.goto(path) : openNextInPage(admin, path))
    const title = admin.getByRole('heading', { name: `${what} could not be loaded` })
    await title.waitFor()
    await admin.unroute(call)
    await button(admin, 'Try again').click()
    await title.waitFor({ state: 'detached' })
  })
})

describe('A dictionary that cannot be read', () => {
  it('shows the title and the breadcrumbs', async () => {
    await openNextInPage(admin, '/home/dictionaries')
    await actionOf(admin, 'Members', 'Edit').click()
    await heading(admin, 'Members').waitFor()
    await failCalls(admin, '**/api/DataDictionary/*', 500, { message })
    await admin.reload()
    await heading(admin, 'Data dictionary').waitFor()
    await expect.poll(() => admin.title()).toBe('Data dictionary · Veridict')
    await admin
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Data dictionaries' })
      .waitFor()
  })
})

describe('The upload screen', () => {
  const claims = { name: 'claims.csv', bytes: asCsv(goodClaims) }

  it('shows why the portal refused a file', async () => {
    await failCalls(clerk, '**/api/FileSubmission', 500, { message })
    await chooseNextUpload(clerk, 'Medical claims', claims)
    await button(clerk, 'Upload').press('Enter')
    await waitForMessage(field(clerk, 'File'), message)
    // The file is still chosen: what she does next is to send it again.
    await waitForFocus(button(clerk, 'Upload'))
  })

  it('moves the focus to the link home when the file was accepted', async () => {
    await chooseNextUpload(clerk, 'Medical claims', claims)
    await button(clerk, 'Upload').press('Enter')
    await waitForFocus(clerk.getByRole('link', { name: 'Go back to home' }))
  })

  it('stays when a file is dropped beside the drop zone', async () => {
    await openNextInPage(clerk, '/home/fileUpload')
    await field(clerk, 'File').waitFor({ state: 'attached' })
    const dropOnTitle = (kind: 'file' | 'text') =>
      heading(clerk, 'Upload new file').evaluate((title, dragged) => {
        const dataTransfer = new DataTransfer()
        if (dragged === 'file') dataTransfer.items.add(new File(['a'], 'a.csv'))
        else dataTransfer.setData('text/plain', 'a')
        return !title.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      }, kind)
    await expect
      .poll(async () => [await dropOnTitle('file'), await dropOnTitle('text')])
      .toEqual([true, false])
  })

  it('has no message about missing dictionaries while they are loading', async () => {
    await clerk.route('**/api/DataDictionary/GetListForSelection', () => undefined)
    await clerk.goto('/home/fileUpload')
    await clerk.getByRole('combobox', { name: 'Data dictionary' }).click()
    await clerk.getByText('Loading…', { exact: true }).waitFor()
    await expect.poll(() => clerk.getByText('No such data dictionary').count()).toBe(0)
  })
})
