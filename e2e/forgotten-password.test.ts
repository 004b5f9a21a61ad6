import { describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import { linkMailedTo, mailsTo } from './mails.ts'
import type { Portal } from './portal.ts'
import { storedToken } from './stored-token.ts'
import {
  button,
  chooseInUserMenu,
  demoPassword,
  dialog,
  field,
  heading,
  notice,
  openInPage,
  sendLogin,
} from './visit.ts'

let portal: Portal

const inTab = beginJourneys((opened) => {
  portal = opened
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
    }, 'clerk@example.com'),
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
      await openInPage(page, link)
      await page.getByLabel('Password', { exact: true }).fill(newPassword)
      await page.getByLabel('Confirm Password', { exact: true }).fill(newPassword)
      await page.getByRole('button', { name: 'Set password' }).click()
      const spent = notice(page, 'Error', 'This link is no longer valid. Please ask for a new one.')
      await spent.waitFor()
      await button(spent, 'Close notice').click()
      await spent.waitFor({ state: 'detached' })
      const atForm = page.getByRole('main').getByRole('alert')
      await atForm.getByText('This link is no longer valid. Please ask for a new one.').waitFor()
      await atForm.getByRole('link', { name: 'Ask for a new link' }).click()
      await heading(page, 'Forgot your password?').waitFor()
    }),
  )
})
