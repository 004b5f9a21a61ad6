import { readFileSync } from 'node:fs'
import { auditMessages } from '@veridict/contract/messages/audit-trail'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  button,
  choose,
  chooseInUserMenu,
  field,
  heading,
  openInPage,
  openNextInPage,
  openTab,
  openedDialog,
  rowWith,
  userMenu,
} from './visit.ts'

let portal: Portal
let browser: Browser
let admin: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  admin = await openTab(browser, portal, 'admin@example.com')
})

async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return readFileSync(await file.path(), 'utf8')
}

const list = () => admin.getByRole('table', { name: auditMessages.title })
const actions = () => {
  const name = auditMessages.action
  return admin
    .getByRole('combobox', { name, exact: true })
    .or(admin.getByRole('textbox', { name, exact: true }))
}
const address = () => new URL(admin.url()).search

describe('The audit trail', () => {
  it('shows administrators a change with before and after', async () => {
    await openInPage(admin, '/home/companies')
    await admin.getByRole('link', { name: 'Contoso Insurance', exact: true }).click()
    await heading(admin, 'Contoso Insurance').waitFor()
    await button(admin, 'Edit').first().click()
    const form = await openedDialog(admin, 'Edit company')
    await field(form, 'Address').fill('401 Market Street, Denver')
    await button(form, 'Save').click()
    await chooseInUserMenu(admin, auditMessages.title)
    await heading(admin, auditMessages.title).waitFor()
    const row = rowWith(admin, 'Company changed').first()
    for (const text of ['400 Market Street, Denver', '401 Market Street, Denver', 'admin@example.com'])
      await expect.poll(() => row.textContent()).toContain(text)
  })

  it('searches while one types, and keeps the filters in the address', async () => {
    await field(admin, auditMessages.search).fill('contoso')
    await expect.poll(address).toBe('?search=contoso')
    await rowWith(admin, 'Login').first().waitFor({ state: 'detached' })
    await choose(admin, auditMessages.action, 'Company changed')
    await expect.poll(address).toBe('?search=contoso&action=company.updated')
    await expect.poll(() => list().getByRole('row').count()).toBe(2)
    await button(rowWith(admin, 'Company changed'), 'admin@example.com').click()
    await expect.poll(address).toBe('?search=admin%40example.com&action=company.updated')
    await field(admin, auditMessages.to).fill('1 Jan 2020')
    await admin.getByText(auditMessages.noneMatch).waitFor()
    await button(admin, auditMessages.clearFilters).click()
    await expect.poll(address).toBe('')
  })

  it('shows all actions again once the keyboard chooses the chosen one again', async () => {
    await openNextInPage(admin, '/home/auditTrail?action=company.updated')
    await list().waitFor()
    await actions().focus()
    await admin.getByRole('option', { name: 'Company changed', selected: true }).waitFor()
    await admin.keyboard.press('Enter')
    await expect.poll(address).toBe('')
  })

  it('is downloaded with its filters', async () => {
    await openNextInPage(admin, '/home/auditTrail?search=contoso&action=company.updated')
    await list().waitFor()
    const lines = (await downloaded(admin, auditMessages.export)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Company changed,Contoso Insurance')
  })

  it('does not exist for clerks, who can download their history', async () => {
    const clerk = await openTab(browser, portal, 'clerk@example.com')
    await heading(clerk, submissionMessages.historyTitle).waitFor()
    const history = await downloaded(clerk, submissionMessages.exportHistory)
    expect(history).toContain('claims-with-errors.csv,Medical claims')
    await userMenu(clerk).click()
    await clerk.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await expect.poll(() => clerk.getByRole('menuitem', { name: auditMessages.title }).count()).toBe(0)
    await openInPage(clerk, '/home/auditTrail')
    await clerk.getByText('Nothing to see here').waitFor()
  })
})
