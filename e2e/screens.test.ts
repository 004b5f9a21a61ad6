import { readErrorReport } from '@veridict/contract/api/submission-errors'
import { readCounts } from '@veridict/contract/api/admin'
import { listDictionaries } from '@veridict/contract/api/dictionaries'
import { auditMessages } from '@veridict/contract/messages/audit-trail'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { formMessages } from '@veridict/contract/messages/forms'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  button,
  choose,
  descriptionsOf,
  dialog,
  endRoutes,
  field,
  heading,
  openedDialog,
  openInPage,
  openNextInPage,
  openTab,
  rowWith,
  userMenu,
  waitForFocus,
  waitForMessage,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let clerk: Page
let admin: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  clerk = await openTab(browser, portal, 'clerk@example.com')
  admin = await openTab(browser, portal, 'admin@example.com')
})

describe('The frame', () => {
  it('skips to the content without a warning, also when one goes back afterwards', async () => {
    const warnings: string[] = []
    clerk.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await clerk.goto('/about-us')
    await clerk.goto('/home')
    await rowWith(clerk, 'claims-clean.csv').waitFor()
    const skip = clerk.getByRole('link', { name: 'Skip to content' })
    await skip.focus()
    await skip.press('Enter')
    await waitForFocus(clerk.locator('#content'))
    await clerk.getByRole('link', { name: 'Upload new file' }).click()
    await heading(clerk, 'Upload new file').waitFor()
    await clerk.goBack()
    await rowWith(clerk, 'claims-clean.csv').waitFor()
    expect(warnings).toEqual([])
  })

  it('has no warning of a live connection that is not needed any more before it is made', async () => {
    await clerk.goto('/home/fileUpload')
    const slow = await clerk.context().newCDPSession(clerk)
    await slow.send('Network.enable')
    const conditions = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }
    await slow.send('Network.emulateNetworkConditions', { ...conditions, latency: 1000 })
    const warnings: string[] = []
    clerk.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    const connecting = clerk.waitForEvent('websocket')
    await clerk.getByRole('link', { name: 'Home' }).first().click()
    const closed = (await connecting).waitForEvent('close')
    await clerk.goBack()
    await closed
    await slow.detach()
    expect(warnings).toEqual([])
  })

  it('gives the first Tab of a loaded page to the skip link', async () => {
    for (const path of ['/home/fileUpload', '/home']) {
      await clerk.goto(path)
      await clerk.getByRole('heading', { level: 1 }).waitFor()
      await clerk.keyboard.press('Tab')
      await waitForFocus(clerk.getByRole('link', { name: 'Skip to content' }))
      await clerk.keyboard.press('Enter')
      await waitForFocus(clerk.locator('#content'))
    }
  })

  it('says the version of the portal at its foot', async () => {
    const health = await fetch(new URL('/api/health', clerk.url()))
    const { value } = (await health.json()) as { value: { version: string } }
    await clerk.getByRole('contentinfo').getByText(`Veridict ${value.version}`).waitFor()
  })

  it('stays when a dialog throws', async () => {
    await openInPage(admin, '/home/company/edit/1')
    const unreadable = { status: 200, json: { value: { data: [null] } } }
    await admin.route(`**${listDictionaries.path}?*`, (route) => route.fulfill(unreadable), { times: 1 })
    await button(admin, 'Associate data dictionary').click()
    await heading(admin, 'This page could not be shown').waitFor()
    await userMenu(admin).waitFor()
    await admin.getByRole('link', { name: 'Companies' }).first().click()
    await heading(admin, 'Companies').waitFor()
    await endRoutes(admin)
  })

  it('keeps nothing of a screen that was left', async () => {
    await openNextInPage(clerk, '/home')
    const devtools = await clerk.context().newCDPSession(clerk)
    const visitUpload = async () => {
      await clerk.getByRole('link', { name: 'Upload new file' }).press('Enter')
      await field(clerk, 'File').focus()
      await clerk.getByRole('link', { name: 'Home' }).first().press('Enter')
      await rowWith(clerk, 'claims-clean.csv').waitFor()
    }
    const countNodes = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Memory.getDOMCounters')).nodes
    }
    await visitUpload()
    const after = await countNodes()
    for (let visit = 0; visit < 10; visit++) await visitUpload()
    await expect.poll(countNodes).toBeLessThan(after * 1.5)
    await devtools.detach()
  })

  it('begins all texts of the user menu at one edge', async () => {
    await openNextInPage(admin, '/home')
    await userMenu(admin).click()
    const items = admin.getByRole('menu').locator('[role=menuitem], [role=menuitemradio]')
    await items.first().waitFor()
    const edges = () =>
      items.evaluateAll((all) =>
        all.map((item) => {
          const text = document.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode()
          const range = document.createRange()
          range.selectNode(text ?? item)
          return Math.round(range.getBoundingClientRect().left)
        }),
      )
    await expect.poll(async () => (await edges()).length).toBeGreaterThan(6)
    await expect.poll(async () => new Set(await edges()).size).toBe(1)
    await admin.keyboard.press('Escape')
  })
})

describe('Links and buttons', () => {
  it('are targets of at least 24 px on a phone', async () => {
    const lowOnes = (page: Page) =>
      page.locator('main :is(a, button):visible').evaluateAll((all) =>
        all.flatMap((target) => {
          const { height } = target.getBoundingClientRect()
          return height < 24 ? `${target.textContent}: ${height}` : []
        }),
      )
    for (const page of [clerk, admin]) await page.setViewportSize({ width: 390, height: 800 })
    await openNextInPage(clerk, '/home')
    await rowWith(clerk, 'claims-with-errors.csv').waitFor()
    await expect.poll(() => lowOnes(clerk)).toEqual([])
    await rowWith(clerk, 'claims-with-errors.csv').getByText('View errors').click()
    await button(clerk, 'Collapse all').waitFor()
    await expect.poll(() => lowOnes(clerk)).toEqual([])
    await openNextInPage(admin, '/home/auditTrail')
    await rowWith(admin, 'clerk@example.com').first().waitFor()
    await expect.poll(() => lowOnes(admin)).toEqual([])
    await openNextInPage(admin, '/home/company/edit/1')
    await rowWith(admin, 'Medical claims').waitFor()
    await expect.poll(() => lowOnes(admin)).toEqual([])
    for (const page of [clerk, admin]) await page.setViewportSize({ width: 1280, height: 900 })
  })
})

describe('The filters of the audit trail', () => {
  it.for([390, 1024, 1440])('have both days in one line at %i px', async (width) => {
    await admin.setViewportSize({ width, height: 860 })
    await openNextInPage(admin, '/home/auditTrail')
    await field(admin, auditMessages.from).waitFor()
    const distance = async () => {
      const days = [auditMessages.from, auditMessages.to].map((label) => field(admin, label).boundingBox())
      const [from, to] = await Promise.all(days)
      return to!.y - from!.y
    }
    await expect.poll(distance).toBe(0)
    await admin.setViewportSize({ width: 1280, height: 900 })
  })
})

describe('The picture of the login', () => {
  it('has straight columns, also on a wide screen', async () => {
    const visitor = await openTab(browser, portal)
    await visitor.goto('/login')
    const edges = () =>
      visitor.locator('aside').evaluate((picture) => {
        const rows = [...picture.querySelectorAll('div')].filter(({ children }) => children.length === 5)
        return rows.map((row) =>
          String([...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left))),
        )
      })
    for (const width of [1024, 1440]) {
      await visitor.setViewportSize({ width, height: 860 })
      await visitor.getByText('40718', { exact: true }).waitFor()
      await expect.poll(edges).toHaveLength(7)
      await expect.poll(async () => new Set(await edges()).size).toBe(1)
    }
    await closeTab(visitor)
  })
})

describe('A list on a phone', () => {
  it('keeps no mark of a pointer that cannot hover', async () => {
    const phone = await browser.newContext({
      baseURL: portal.url,
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    phone.setDefaultTimeout(60_000)
    const page = await phone.newPage()
    await page.goto('/login')
    await field(page, 'Email').fill('clerk@example.com')
    await field(page, 'Password').fill('Veridict#2026')
    await button(page, 'Login').click()
    const row = rowWith(page, 'claims-clean.csv')
    await row.waitFor()
    const colours = () =>
      row.evaluate((card) => [card, ...card.children].map((part) => getComputedStyle(part).backgroundColor))
    const before = await colours()
    await row.getByText('Records').or(row.getByRole('cell').first()).first().tap()
    await row.hover()
    await expect.poll(colours).toEqual(before)
    await phone.close()
  })

  it('is marked evenly under a mouse', async () => {
    await clerk.setViewportSize({ width: 390, height: 800 })
    await openNextInPage(clerk, '/home')
    const row = rowWith(clerk, 'claims-clean.csv')
    await row.hover()
    const cells = row.getByRole('cell')
    const colours = async () =>
      new Set(await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor)))
    await expect.poll(colours).toEqual(new Set(['rgba(0, 0, 0, 0)']))
    await clerk.setViewportSize({ width: 1280, height: 900 })
  })
})

describe('A count that is not known', () => {
  it('of rows with errors is left out of the sentences', async () => {
    await clerk.goto('/home')
    await clerk.route(`**${readErrorReport.path.replace(':id', '*')}?*`, async (route) => {
      const response = await route.fetch()
      const { value } = (await response.json()) as { value: object }
      await route.fulfill({ response, json: { value: { ...value, errorRowCount: null } } })
    })
    await rowWith(clerk, 'claims-with-errors.csv').getByText('View errors').click()
    await clerk.getByText(submissionMessages.upToRows, { exact: true }).waitFor()
    await expect.poll(() => clerk.getByRole('main').textContent()).not.toMatch(/null|NaN/)
    await endRoutes(clerk)
  })

  it('is said to screen readers', async () => {
    await admin.route(`**${readCounts.path}`, (route) => route.fulfill({ status: 500, json: {} }))
    await admin.goto('/home')
    await admin.getByRole('main').getByText('not known').first().waitFor()
    await expect.poll(() => admin.getByRole('main').getByText('not known').count()).toBe(2)
    await endRoutes(admin)
  })
})

describe('A form', () => {
  it('marks what may stay empty, and nothing else', async () => {
    const marked = async (input: Locator) =>
      (await descriptionsOf(input)).join().startsWith(formMessages.optional)
    await openNextInPage(admin, '/home/company/create')
    await expect.poll(() => marked(field(admin, 'Address'))).toBe(true)
    for (const label of ['Name', 'Storage folder'])
      await expect.poll(() => marked(field(admin, label))).toBe(false)
    await openNextInPage(admin, '/home/companies')
    await actionOf(admin, 'Northwind Health', 'Add user').click()
    const form = await openedDialog(admin, 'Add user')
    await expect.poll(() => marked(field(form, 'Phone'))).toBe(true)
    for (const label of ['Name', 'Email']) await expect.poll(() => marked(field(form, label))).toBe(false)
    await openNewField()
    await choose(admin, 'Type', 'Number')
    await admin.getByLabel('Within a range').check()
    for (const label of ['Field description', 'Field category', 'Scale', 'Min', 'Max'])
      await expect.poll(() => marked(field(admin, label)), { message: label }).toBe(true)
    await expect.poll(() => marked(field(admin, 'Field name'))).toBe(false)
    await leaveForm()
  })

  it('says at once beside the inputs that a range is wrong', async () => {
    await openNewField()
    await choose(admin, 'Type', 'Number')
    await admin.getByLabel('Within a range').check()
    const [min, max] = [field(admin, 'Min'), field(admin, 'Max')]
    await min.fill('9')
    await max.fill('3')
    await waitForMessage(min, fieldMessages.minimumAboveMaximum)
    await waitForMessage(max, fieldMessages.maximumBelowMinimum)
    await max.fill('30')
    await expect.poll(() => descriptionsOf(min)).toEqual([formMessages.optional])
    await expect.poll(() => descriptionsOf(max)).toEqual([formMessages.optional])
    await max.fill('8')
    await waitForMessage(max, fieldMessages.maximumBelowMinimum)
    await max.fill('7')
    await waitForMessage(max, fieldMessages.maximumBelowMinimum)
    await choose(admin, 'Type', 'Text')
    await admin.getByLabel('Text length range').check()
    await field(admin, 'Minimum length').fill('501')
    await waitForMessage(field(admin, 'Minimum length'), fieldMessages.minLengthTooLarge)
    await expect
      .poll(() => descriptionsOf(field(admin, 'Field name')))
      .not.toContain(fieldMessages.nameRequired)
    await leaveForm()
  })

  it('of a duplicate asks for a name once it was emptied, and not before', async () => {
    await openNextInPage(admin, '/home/dictionaries')
    await actionOf(admin, 'Members', 'Duplicate').click()
    const name = field(await openedDialog(admin, 'Duplicate data dictionary'), 'Name')
    await name.blur()
    await expect.poll(() => descriptionsOf(name)).not.toContain(dictionaryMessages.copyNameRequired)
    await name.fill('Copy')
    await name.fill('')
    await waitForMessage(name, dictionaryMessages.copyNameRequired)
  })
})

/** Leaves a changed form. */
async function leaveForm(): Promise<void> {
  await admin.getByRole('link', { name: 'Cancel' }).click()
  await button(dialog(admin, 'Unsaved changes'), 'Discard').click()
  await heading(admin, 'Members').waitFor()
}

async function openNewField(): Promise<void> {
  await openNextInPage(admin, '/home/dictionaries')
  await actionOf(admin, 'Members', 'Edit').click()
  await admin.getByRole('link', { name: 'Add new field' }).click()
  await heading(admin, 'Add a new field').waitFor()
}
