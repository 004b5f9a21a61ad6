import { mailMessages } from '@veridict/contract/messages/mails'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { repliesByWord, startSmtpSink, type SmtpSink } from '../apps/server/src/test/smtp-sink.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { button, chooseInUserMenu, heading, logIn, notice, openTab, rowWith } from './visit.ts'

const subject = 'Set a new password for Veridict'
const refusedRecipient = repliesByWord({ RCPT: '550 no such user' })

let mailServer: SmtpSink
let portal: Portal
let browser: Browser
let admin: Page

// Registered first, so it runs after the portal has ended.
afterAll(() => mailServer?.close())
beginJourneys(
  async (...opened) => {
    ;[portal, browser] = opened
    admin = await openTab(browser, portal)
  },
  async () => {
    mailServer = await startSmtpSink(refusedRecipient)
    return { SMTP_URL: mailServer.url }
  },
)

describe('E-mails that the mail server refuses', () => {
  it('are shown to administrators with its reply, and leave the list when they are sent again', async () => {
    const visitor = await openTab(browser, portal)
    await visitor.goto('/forgotPassword')
    await visitor.getByLabel('Email').fill('other@example.com')
    await button(visitor, 'Send email').click()
    await notice(visitor, 'Success', sessionMessages.resetMailSent).waitFor()

    await logIn(admin, 'admin@example.com')
    await chooseInUserMenu(admin, mailMessages.title)
    await heading(admin, mailMessages.title).waitFor()
    // The demo also writes, to this address and to the clerk, once its unfinished files are accepted.
    const row = rowWith(admin, 'other@example.com').filter({ hasText: subject })
    const ofDemo = rowWith(admin, 'clerk@example.com').first()
    const isShown = async () => {
      await admin.reload()
      await heading(admin, mailMessages.title).waitFor()
      return Promise.all([row, ofDemo].map((one) => one.waitFor({ timeout: 2_000 }))).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(isShown, { timeout: 60_000, interval: 500 }).toBe(true)
    await row.getByText('550 no such user').waitFor()

    mailServer.replies = (line) => (line.includes('clerk@example.com') ? refusedRecipient(line) : null)
    await button(row, `${mailMessages.sendAgain} other@example.com`).click()
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => mailServer.received).toContain(`Subject: ${subject}`)
    const recipients = () => mailServer.acceptedMails.map(({ recipient }) => recipient)
    await expect.poll(() => new Set(recipients())).toEqual(new Set(['other@example.com']))
  })

  it('are counted on the home of administrators, which leads to them', async () => {
    await admin.goto('/home')
    await admin.getByText(/e-mails? could not be delivered$/).click()
    await heading(admin, mailMessages.title).waitFor()
  })
})
