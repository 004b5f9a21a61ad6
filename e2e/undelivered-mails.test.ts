import { mailMessages } from '@veridict/contract/messages/mails'
import { sessionMessages } from '@veridict/contract/messages/session'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startPortal, type Portal } from './portal.ts'
import { actionOf, button, chooseInUserMenu, heading, logIn, notice, openTab, rowWith } from './visit.ts'

/** A mail server that takes e-mails for the recipients it knows. */
const mailServer = { known: [] as string[], takenFor: [] as string[] }
let listener: Server
let portal: Portal
let browser: Browser
let admin: Page

beforeAll(async () => {
  listener = createServer((socket) => {
    let isText = false
    let recipient = ''
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n')) {
        if (isText && line !== '.') continue
        if (isText) mailServer.takenFor.push(recipient)
        isText = line === 'DATA'
        recipient = /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? recipient
        if (isText) socket.write('354 go on\r\n')
        else if (line.startsWith('RCPT') && !mailServer.known.includes(recipient))
          socket.write('550 no such user\r\n')
        else if (line !== '') socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  portal = await startPortal(inject('demoData'), { SMTP_URL: `smtp://127.0.0.1:${port}` })
  browser = await openBrowser()
  admin = await openTab(browser, portal)
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
  listener?.close()
})

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
    const row = rowWith(admin, 'other@example.com')
    const isShown = async () => {
      await admin.reload()
      await heading(admin, mailMessages.title).waitFor()
      return row.isVisible()
    }
    await expect.poll(isShown, { timeout: 60_000, interval: 500 }).toBe(true)
    await row.getByText('550 no such user').waitFor()

    mailServer.known.push('other@example.com')
    await actionOf(admin, 'other@example.com', mailMessages.sendAgain).click()
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => mailServer.takenFor).toEqual(['other@example.com'])
  })

  it('are counted on the home of administrators, which leads to them', async () => {
    await admin.goto('/home')
    await admin.getByText(/e-mails? could not be delivered$/).click()
    await heading(admin, mailMessages.title).waitFor()
  })
})
