import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCsv, badClaims, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { actionOf, choose, chooseUpload, dialog, heading, logIn, openTab, rowWith } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

/** How to get to a screen, and the heading that says it is there. */
type Visit = { screen: string; path: string; title: string; reach?: (page: Page) => Promise<void> }

const visits: Record<'visitor' | 'clerk@example.com' | 'admin@example.com', Visit[]> = {
  visitor: [
    { screen: 'login', path: '/login', title: 'Welcome back' },
    {
      screen: 'login with faults',
      path: '/login',
      title: 'Welcome back',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Login' }).click()
        await page.getByText('Password is required.').waitFor()
      },
    },
    { screen: 'forgot password', path: '/forgotPassword', title: 'Forgot your password?' },
    { screen: 'set password', path: '/set-password', title: 'Choose your password' },
  ],
  'clerk@example.com': [
    {
      screen: 'history',
      path: '/home',
      title: 'Uploaded files history',
      reach: (page) => rowWith(page, 'claims-with-errors.csv').waitFor(),
    },
    {
      screen: 'history without hits',
      path: '/home?search=nothing',
      title: 'Uploaded files history',
      reach: (page) => page.getByText('No data available').waitFor(),
    },
    { screen: 'upload', path: '/home/fileUpload', title: 'Upload new file' },
    {
      screen: 'upload under way',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await page.route('**/api/FileSubmission', (route) =>
          route.request().method() === 'POST' ? undefined : route.continue(),
        )
        await chooseUpload(page, 'Medical claims', { name: 'slow.csv', bytes: asCsv(goodClaims) })
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByText('Uploading file slow.csv...').waitFor()
      },
    },
    {
      screen: 'errors of rows',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
        await page.getByText('Expand all').click()
      },
    },
    {
      screen: 'all errors of a row',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseUpload(page, 'Medical claims', { name: 'faulty.csv', bytes: asCsv(badClaims) })
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByRole('link', { name: 'Go back to home' }).click()
        await rowWith(page, 'faulty.csv').getByText('View errors').click()
        await page.getByText('Expand all').click()
        await page.getByRole('button', { name: 'View all' }).first().click()
        await page.getByRole('dialog').getByText('faulty.csv').waitFor()
      },
    },
    {
      screen: 'errors of columns',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-old-layout.csv').getByText('View errors').click()
        await page.getByText('Order of the column is correct.').waitFor()
      },
    },
    { screen: 'about', path: '/about-us', title: 'About Veridict' },
    { screen: 'not found', path: '/no/such/page', title: 'Nothing to see here' },
  ],
  'admin@example.com': [
    { screen: 'dashboard', path: '/home', title: 'Home' },
    { screen: 'companies', path: '/home/companies', title: 'Companies' },
    { screen: 'new company', path: '/home/company/create', title: 'Create a new Company' },
    {
      screen: 'company',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Edit').click()
        await rowWith(page, 'clerk@example.com').waitFor()
        await rowWith(page, 'Medical claims').waitFor()
      },
    },
    {
      screen: 'new user',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Add user').click()
        await dialog(page, 'Add user').getByLabel('Name', { exact: true }).waitFor()
      },
    },
    {
      screen: 'question before deleting',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Delete').click()
        await dialog(page, 'Delete item').waitFor()
      },
    },
    { screen: 'administrators', path: '/home/settings', title: 'Manage administrators' },
    { screen: 'dictionaries', path: '/home/dictionaries', title: 'Data dictionaries' },
    { screen: 'new dictionary', path: '/home/dictionary/create', title: 'Create dictionary' },
    {
      screen: 'new dictionary from a sample',
      path: '/home/dictionary/create',
      title: 'Create dictionary',
      reach: async (page) => {
        await page.getByRole('radio', { name: 'Start from a file' }).click()
        await page
          .getByLabel('Sample file', { exact: true })
          .setInputFiles({ name: 'claims.csv', mimeType: 'text/csv', buffer: Buffer.from(asCsv(goodClaims)) })
        await page
          .getByRole('button', { name: /^Options/ })
          .first()
          .click()
        await page.getByRole('checkbox', { name: 'Include column B' }).click()
      },
    },
    { screen: 'import', path: '/home/dictionary/importdictionaries', title: 'Upload new data dictionary' },
    { screen: 'dictionary', path: '/home/dictionaries', title: 'Data dictionaries', reach: openMembers },
    {
      screen: 'history of a dictionary',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('button', { name: 'History' }).click()
        await dialog(page, 'History').getByRole('button', { name: 'Created' }).click()
        await page.getByRole('list', { name: 'Fields of version 1' }).waitFor()
      },
    },
    {
      screen: 'export as Table Schema',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('button', { name: 'More downloads' }).click()
        await page.getByRole('menuitem', { name: 'Export as Table Schema' }).click()
        await dialog(page, 'Export as Table Schema').getByRole('list', { name: 'Differences' }).waitFor()
      },
    },
    {
      screen: 'order of fields',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('button', { name: 'Change order' }).click()
        await dialog(page, 'Change order').getByRole('button', { name: 'Move Member ID' }).waitFor()
      },
    },
    {
      screen: 'new field',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('link', { name: 'Add new field' }).click()
        await choose(page, 'Type', 'Number')
        await page.getByLabel('Within a range').check()
        await page.getByLabel('Sample value').fill('12,50')
        await page.getByText('Refused.').waitFor()
      },
    },
  ],
}

async function openMembers(page: Page): Promise<void> {
  await actionOf(page, 'Members', 'Edit').click()
  await page.getByRole('list', { name: 'Fields' }).getByText('Member ID', { exact: true }).waitFor()
}

describe.for(Object.entries(visits))('To %s', ([who, screens]) => {
  let page: Page

  beforeAll(async () => {
    page = await openTab(browser, portal)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    if (who !== 'visitor') await logIn(page, who)
  })
  afterAll(() => page?.context().close())

  it.for(screens)('the screen "$screen" keeps nobody out', async ({ path, title, reach }) => {
    await page.unrouteAll()
    await page.goto(path)
    await heading(page, title).waitFor()
    await reach?.(page)
    expect(await seriousViolations(page)).toEqual([])
  })
})

/**
 * What axe finds serious or critical, once nothing moves any more: text that fades in has too little contrast
 * for a moment.
 */
async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
