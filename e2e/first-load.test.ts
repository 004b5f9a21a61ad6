import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import { demoPassword, heading, logIn, openNewProfile, sendLogin, userMenu } from './visit.ts'

let portal: Portal
let browser: Browser

beginJourneys((...opened) => {
  ;[portal, browser] = opened
})

/** The chunks of the administrators' screens, and of their sentences. */
const forAdministrators = new RegExp(
  '/screen-(?:admin-home|companies|company-|settings|dictionaries|dictionary-|field-edit|audit-trail|mails)' +
    '|/assets/(?:audit-trail|mails)-',
)

describe('The first load', () => {
  let context: BrowserContext
  let page: Page
  let scripts: string[]

  beforeEach(async () => {
    page = await openNewProfile(browser, portal)
    context = page.context()
    // The headless shell reports a mouse in the corner after each load, as if a visitor had moved it there.
    await page.addInitScript(() =>
      addEventListener(
        'pointermove',
        (event) => event.clientX + event.clientY === 0 && event.stopImmediatePropagation(),
        true,
      ),
    )
    scripts = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    })
  })
  afterEach(() => context.close())

  it.for(['/login', '/', '/home'])('of %s is two scripts, until the visitor begins', async (path) => {
    await page.goto(path)
    await heading(page, 'Welcome back').waitFor()
    await page.waitForURL('**/login')
    await page.waitForLoadState('networkidle')
    expect(scripts.map((script) => script.replace(/-[\w-]{8}\.js$/, '')).sort()).toEqual([
      '/assets/before-paint',
      '/assets/index',
    ])
  })

  it('fetches the home screen while the visitor types', async () => {
    await page.goto('/login')
    const loaded = page.waitForResponse(/\/screen-user-home-.*\.js$/)
    await page.getByLabel('Email').pressSequentially('clerk')
    await loaded
    await page.getByLabel('Email').fill('clerk@example.com')
    await page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Login' }).click()
    await heading(page, 'Uploaded files history').waitFor()
  })

  /** Holds back a script until the returned function is called. */
  const hold = async (script: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(script, async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  it('shows the screen before it, and the loading bar, until the code of a screen is there', async () => {
    await logIn(page, 'clerk@example.com')
    const release = await hold('**/screen-file-upload-*.js')
    const bar = page.getByRole('banner').locator('[data-busy]')
    await page.getByRole('link', { name: 'Upload new file' }).click()
    await bar.waitFor({ state: 'attached' })
    await page.waitForURL('**/home/fileUpload')
    await expect.poll(() => heading(page, 'Uploaded files history').isVisible()).toBe(true)
    release()
    await heading(page, 'Upload new file').waitFor()
    await bar.waitFor({ state: 'detached' })
  })

  it('shows the login page until the code of the home screen is there', async () => {
    await page.goto('/login')
    const release = await hold('**/screen-admin-home-*.js')
    const asked = page.waitForRequest('**/screen-admin-home-*.js')
    await sendLogin(page, 'admin@example.com', demoPassword)
    await asked
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('admin@example.com')
    release()
    await heading(page, 'Home').waitFor()
  })

  it('paints the login page before the scripts are there, inert', async () => {
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.goto('/login')
    await page.getByText('Welcome back').waitFor()
    const email = page.locator('input[type=email]')
    await expect.poll(() => email.isVisible()).toBe(true)
    await email.evaluate((input) => input.focus())
    await expect.poll(() => email.evaluate((input) => input === document.activeElement)).toBe(false)
  })

  it.for(['/login', '/set-password?email=clerk%40example.com&token=any'])(
    'of %s writes nothing to the console',
    async (path) => {
      const messages: string[] = []
      page.on('console', (message) => messages.push(message.text()))
      await page.goto(path)
      await page.getByLabel('Password', { exact: true }).fill('anything')
      await page.waitForLoadState('networkidle')
      expect(messages).toEqual([])
    },
  )

  it('paints no login page at other addresses', async () => {
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.goto('/forgotPassword')
    await expect.poll(() => page.getByText('Welcome back').isVisible()).toBe(false)
  })

  it('offers to load the page again when the code of a login cannot be loaded', async () => {
    await page.goto('/login')
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.getByLabel('Email').fill('clerk@example.com')
    await page.getByRole('button', { name: 'Login' }).click()
    await heading(page, 'This page could not be shown').waitFor()
  })

  it('gives a clerk no code of administrators, at their addresses neither', async () => {
    await logIn(page, 'clerk@example.com')
    for (const path of [
      '/home',
      '/home/fileUpload',
      '/home/companies',
      '/home/dictionary/create',
      '/home/settings',
    ]) {
      await page.goto(path)
      await userMenu(page).waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    expect(scripts.filter((script) => script.includes('screen-user-home'))).not.toEqual([])
    expect(scripts.filter((script) => forAdministrators.test(script))).toEqual([])
  })

  it('recognizes the code of administrators', async () => {
    await logIn(page, 'admin@example.com')
    await page.goto('/home/companies')
    await heading(page, 'Companies').waitFor()
    expect(scripts.filter((script) => forAdministrators.test(script))).not.toEqual([])
  })
})
