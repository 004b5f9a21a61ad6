import { companyMessages } from '@veridict/contract/messages/companies'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { operationMessages as texts, operationProblems } from '@veridict/contract/messages/operation'
import type { Browser, Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { asCsv, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  button,
  chooseInUserMenu,
  chooseNextUpload,
  field,
  heading,
  notice,
  openedDialog,
  openNextInPage,
  openNorthwind,
  openTab,
  uploadedPanel,
} from './visit.ts'

let portal: Portal
let browser: Browser
let admin: Page
let clerk: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  admin = await openTab(browser, portal, 'admin@example.com')
  clerk = await openTab(browser, portal, 'clerk@example.com')
})

const { title: notStored } = operationProblems.filesNotStored(1)
const upload = async (name: string) => {
  await chooseNextUpload(clerk, 'Medical claims', { name, bytes: asCsv(goodClaims) })
  await button(clerk, 'Upload').click()
}
const problem = (title: string) => admin.getByRole('heading', { name: title, exact: true, level: 3 })
/** What the frame of each screen says while uploads are stopped. */
const stopNote = (page: Page, sentence: string) =>
  page.getByRole('status').getByText(sentence, { exact: true })

describe('An operator', () => {
  it('sees a file that could not be stored, and lets all be tried again', async () => {
    await chooseInUserMenu(admin, texts.title)
    await heading(admin, texts.title).waitFor()
    await problem(notStored).waitFor()
    await button(admin, texts.retryAll).click()
    await notice(admin, noticeMessages.successTitle, texts.retried(1)).waitFor()
    // Within half a minute, and the screen reads the state again by itself.
    await problem(notStored).waitFor({ state: 'detached', timeout: 90_000 })
  })

  it('switches maintenance mode on, which clerks are told, and off again', async () => {
    const sentence = 'We move the storage — back at noon.'
    await openNextInPage(admin, '/home/operation')
    await button(admin, texts.switchOn).click()
    const form = await openedDialog(admin, texts.maintenance)
    await button(form, texts.switchOn).click()
    await form.getByText(texts.messageRequired).waitFor()
    await field(form, texts.messageLabel).fill(sentence)
    await button(form, texts.switchOn).click()
    await stopNote(admin, sentence).waitFor()

    await openNextInPage(clerk, '/home')
    await stopNote(clerk, sentence).waitFor()
    await upload('refused.csv')
    await notice(clerk, noticeMessages.errorTitle, sentence).waitFor()

    await button(admin, texts.switchOff).click()
    await stopNote(admin, sentence).waitFor({ state: 'detached' })
    await upload('accepted.csv')
    await uploadedPanel(clerk).waitFor()
    await stopNote(clerk, sentence).waitFor({ state: 'detached' })
  })

  it('pauses a company, whose clerks are told, and lets it go on', async () => {
    await openNextInPage(admin, '/home/companies')
    await openNorthwind(admin)
    await button(admin, texts.pause).click()
    await button(await openedDialog(admin, texts.pauseTitle('Northwind Health')), texts.pause).click()
    await button(admin, texts.resume).waitFor()
    await openNextInPage(clerk, '/home')
    await stopNote(clerk, companyMessages.uploadsPaused).waitFor()
    await openNextInPage(admin, '/home/operation')
    await admin.getByText(/^Paused since/).waitFor()
    await button(admin, `${texts.resume}: Northwind Health`).click()
    await admin.getByText(/^Paused since/).waitFor({ state: 'detached' })
    await openNextInPage(clerk, '/home')
    await heading(clerk, 'Uploaded files history').waitFor()
    await stopNote(clerk, companyMessages.uploadsPaused).waitFor({ state: 'detached' })
  })
})
