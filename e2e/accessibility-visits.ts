import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { operationMessages } from '@veridict/contract/messages/operation'
import { impactMessages } from '@veridict/contract/messages/impacts'
import { correctedMessages } from '@veridict/contract/messages/report'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import type { Page } from 'playwright-core'
import type { patterns } from '../apps/web/src/app/paths.ts'
import { asCsv, badClaims, goodClaims } from './claims.ts'
import {
  actionOf,
  button,
  choose,
  chooseOnScreen,
  dialog,
  field,
  notice,
  openNorthwind,
  openNorthwindPrograms,
  openedDialog,
  rowWith,
  sendLogin,
  userMenu,
} from './visit.ts'

/**
 * What the accessibility test opens. `screen` is a key of `patterns`; the guard in `scripts/guards` fails
 * when a screen has no visit. `title` is the heading at `path`; `reach` then leads to the screen or to its
 * `state`.
 */
export type Visit = {
  state: string
  screen: keyof typeof patterns | 'notFound'
  path: string
  title: string
  reach?: (page: Page) => Promise<void>
}

export const accessibilityVisits: Record<'visitor' | 'clerk@example.com' | 'admin@example.com', Visit[]> = {
  visitor: [
    { state: 'login', screen: 'login', path: '/login', title: 'Welcome back' },
    {
      state: 'login with errors',
      screen: 'login',
      path: '/login',
      title: 'Welcome back',
      reach: async (page) => {
        await page.getByRole('button', { name: 'Login' }).click()
        await page.getByText('Password is required.').waitFor()
      },
    },
    {
      state: 'login refused',
      screen: 'login',
      path: '/login',
      title: 'Welcome back',
      reach: async (page) => {
        await sendLogin(page, 'clerk@example.com', 'Wrong#2026')
        await notice(page, 'Error', 'Invalid email or password.').waitFor()
      },
    },
    {
      state: 'single sign-on refused',
      screen: 'login',
      path: '/login?sso=refused',
      title: 'Welcome back',
      reach: (page) => page.getByText(signOnMessages.refused).waitFor(),
    },
    {
      state: 'forgot password',
      screen: 'forgotPassword',
      path: '/forgotPassword',
      title: 'Forgot your password?',
    },
    {
      state: 'link spent',
      screen: 'setPassword',
      path: '/set-password?email=clerk%40example.com&token=spent',
      title: 'Choose your password',
      reach: async (page) => {
        for (const label of ['Password', 'Confirm Password']) await field(page, label).fill('Seven!Otters27')
        await button(page, 'Set password').click()
        await page.getByRole('link', { name: 'Ask for a new link' }).waitFor()
      },
    },
    { state: 'set password', screen: 'setPassword', path: '/set-password', title: 'Choose your password' },
  ],
  'clerk@example.com': [
    {
      state: 'history',
      screen: 'home',
      path: '/home',
      title: 'Uploaded files history',
      reach: (page) => rowWith(page, 'claims-with-errors.csv').waitFor(),
    },
    {
      state: 'user menu',
      screen: 'home',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await userMenu(page).click()
        await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
      },
    },
    {
      state: 'drawer of a phone',
      screen: 'home',
      path: '/home',
      title: 'Uploaded files history',
      reach: openDrawer,
    },
    {
      state: 'history without matches',
      screen: 'home',
      path: '/home?search=nothing',
      title: 'Uploaded files history',
      reach: (page) => page.getByText('No data available').waitFor(),
    },
    { state: 'upload', screen: 'fileUpload', path: '/home/fileUpload', title: 'Upload new file' },
    {
      state: 'upload of a good file',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseOnScreen(page, 'Medical claims', { name: 'good.csv', bytes: asCsv(goodClaims) })
        await page.locator('[data-check=passed]').waitFor()
      },
    },
    {
      state: 'upload of a file with errors',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseOnScreen(page, 'Medical claims', { name: 'bad.csv', bytes: asCsv(badClaims) })
        await page.locator('[data-check=rowErrors]').waitFor()
        await page.getByText('Expand all').click()
      },
    },
    {
      state: 'corrected copy chosen for the upload',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseOnScreen(page, 'Medical claims', { name: 'bad.csv', bytes: asCsv(badClaims) })
        await button(page, correctedMessages.copy).click()
        await page.getByLabel(correctedMessages.tickAll).check()
        await button(dialog(page, correctedMessages.title), fileCheckMessages.makeCopy).click()
        await page.getByText(fileCheckMessages.copyChosen).waitFor()
        await page.locator('[data-check=rowErrors]').waitFor()
      },
    },
    {
      state: 'questions about the columns of a file',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        const columns = goodClaims.map((row, index) => (index === 0 ? row.with(4, 'Column 5') : row))
        await chooseOnScreen(page, 'Medical claims', { name: 'asks.csv', bytes: asCsv(columns) })
        await button(page, correctedMessages.copy).click()
        await dialog(page, correctedMessages.title).locator('[data-question]').first().waitFor()
      },
    },
    {
      state: 'upload of a file without a dictionary',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        const file = { name: 'first.csv', mimeType: 'text/csv', buffer: Buffer.from(asCsv(goodClaims)) }
        await page.getByLabel('File', { exact: true }).setInputFiles(file)
        await button(page, fileCheckMessages.choose('Medical claims')).waitFor()
      },
    },
    {
      state: 'upload of a file with other columns',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseOnScreen(page, 'Members', { name: 'other.csv', bytes: asCsv(goodClaims) })
        await page.locator('[data-check=fileProblem]').waitFor()
      },
    },
    {
      state: 'upload in progress',
      screen: 'fileUpload',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await page.route('**/api/FileSubmission', (route) =>
          route.request().method() === 'POST' ? undefined : route.continue(),
        )
        await chooseOnScreen(page, 'Medical claims', { name: 'slow.csv', bytes: asCsv(goodClaims) })
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByText('Uploading file slow.csv...').waitFor()
      },
    },
    {
      state: 'errors of rows',
      screen: 'fileError',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
        await page.getByText('Expand all').click()
      },
    },
    {
      state: 'menu of downloads',
      screen: 'fileError',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
        await button(page, 'Download').click()
        await page.getByRole('menuitem', { name: 'Errors', exact: true }).waitFor()
      },
    },
    {
      state: 'all errors of a row',
      screen: 'fileError',
      path: '/home/fileUpload',
      title: 'Upload new file',
      reach: async (page) => {
        await chooseOnScreen(page, 'Medical claims', { name: 'faulty.csv', bytes: asCsv(badClaims) })
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByRole('link', { name: 'Go back to home' }).click()
        await rowWith(page, 'faulty.csv').getByText('View errors').click()
        await page.getByText('Expand all').click()
        await page.getByRole('button', { name: 'View all' }).first().click()
        await page.getByRole('dialog').getByText('faulty.csv').waitFor()
      },
    },
    {
      state: 'rows of a cause',
      screen: 'fileError',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
        await page.getByRole('button', { name: 'Show rows' }).first().click()
        await page.getByRole('button', { name: 'Show all rows' }).waitFor()
      },
    },
    {
      state: 'receipt',
      screen: 'receipt',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-clean.csv').getByText('Receipt').click()
        await page.getByRole('article', { name: 'Receipt of claims-clean.csv' }).waitFor()
      },
    },
    {
      state: 'corrected copy',
      screen: 'fileError',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-with-errors.csv').getByText('View errors').click()
        await page.getByRole('button', { name: 'Correct…' }).first().click()
        await dialog(page, 'Corrected copy').getByRole('checkbox', { checked: true }).first().waitFor()
      },
    },
    {
      state: 'errors of columns',
      screen: 'fileError',
      path: '/home',
      title: 'Uploaded files history',
      reach: async (page) => {
        await rowWith(page, 'claims-old-layout.csv').getByText('View errors').click()
        await page.getByText('Order of the column is correct.').waitFor()
      },
    },
    { state: 'history at the root', screen: 'root', path: '/', title: 'Uploaded files history' },
    { state: 'about', screen: 'aboutUs', path: '/about-us', title: 'About Veridict' },
    { state: 'not found', screen: 'notFound', path: '/no/such/page', title: 'Nothing to see here' },
  ],
  'admin@example.com': [
    { state: 'dashboard', screen: 'home', path: '/home', title: 'Home' },
    {
      state: 'user menu',
      screen: 'home',
      path: '/home',
      title: 'Home',
      reach: async (page) => {
        await userMenu(page).click()
        await page.getByRole('menuitem', { name: 'Manage administrators' }).waitFor()
      },
    },
    { state: 'drawer of a phone', screen: 'home', path: '/home', title: 'Home', reach: openDrawer },
    { state: 'companies', screen: 'companies', path: '/home/companies', title: 'Companies' },
    {
      state: 'new company',
      screen: 'companyCreate',
      path: '/home/company/create',
      title: 'Create a new Company',
    },
    {
      state: 'company',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwind(page)
        await rowWith(page, 'clerk@example.com').waitFor()
        await rowWith(page, 'Medical claims').waitFor()
      },
    },
    {
      state: 'new user',
      screen: 'companies',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Add user').click()
        await dialog(page, 'Add user').getByLabel('Name', { exact: true }).waitFor()
      },
    },
    {
      state: 'question about unsaved changes',
      screen: 'companies',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Add user').click()
        await field(await openedDialog(page, 'Add user'), 'Name').fill('Ann')
        await button(dialog(page, 'Add user'), 'Cancel').click()
        await dialog(page, 'Unsaved changes').waitFor()
      },
    },
    {
      state: 'change of a company',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwind(page)
        await button(page.getByRole('region', { name: 'Company info' }), 'Edit').click()
        await dialog(page, 'Edit company').waitFor()
      },
    },
    {
      state: 'association of a dictionary',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwind(page)
        await button(page, 'Associate data dictionary').click()
        await dialog(page, 'Associate data dictionary').waitFor()
      },
    },
    {
      state: 'programs of a company',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: openNorthwindPrograms,
    },
    {
      state: 'token that is shown once',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwindPrograms(page)
        await button(page, 'Create token').click()
        const form = await openedDialog(page, 'Create token')
        await field(form, 'Name').fill('Export')
        await button(form, 'Create').click()
        await dialog(page, 'Copy the token now').waitFor()
      },
    },
    {
      state: 'address of a webhook',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwindPrograms(page)
        await button(page, 'Set up webhook').click()
        const form = await openedDialog(page, 'Set up webhook')
        await field(form, 'Address').fill('https://127.0.0.1/')
        await button(form, 'Save').click()
        await form.getByText('into a private network').waitFor()
      },
    },
    {
      state: 'question about a password',
      screen: 'companyEdit',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await openNorthwind(page)
        await actionOf(page, 'Nora Lindqvist', 'Reset password').click()
        await dialog(page, 'Reset password').waitFor()
      },
    },
    {
      state: 'deletion question',
      screen: 'companies',
      path: '/home/companies',
      title: 'Companies',
      reach: async (page) => {
        await actionOf(page, 'Northwind Health', 'Delete').click()
        await dialog(page, 'Delete item').waitFor()
      },
    },
    { state: 'own sessions', screen: 'sessions', path: '/home/sessions', title: 'Your sessions' },
    { state: 'administrators', screen: 'settings', path: '/home/settings', title: 'Manage administrators' },
    {
      state: 'a list that scrolls',
      screen: 'auditTrail',
      path: '/home/auditTrail',
      title: 'Audit trail',
      reach: async (page) => {
        await page
          .getByRole('combobox', { name: 'Action', exact: true })
          .or(page.getByRole('textbox', { name: 'Action', exact: true }))
          .click()
        await page.getByRole('option').nth(12).waitFor()
      },
    },
    { state: 'audit trail', screen: 'auditTrail', path: '/home/auditTrail', title: 'Audit trail' },
    { state: 'undelivered e-mails', screen: 'mails', path: '/home/mails', title: 'Undelivered e-mails' },
    {
      state: 'operation',
      screen: 'operation',
      path: '/home/operation',
      title: operationMessages.title,
      reach: (page) => page.getByRole('heading', { name: 'Programs' }).waitFor(),
    },
    {
      state: 'maintenance mode',
      screen: 'operation',
      path: '/home/operation',
      title: operationMessages.title,
      reach: async (page) => {
        await button(page, operationMessages.switchOn).click()
        await openedDialog(page, operationMessages.maintenance)
      },
    },
    { state: 'dictionaries', screen: 'dictionaries', path: '/home/dictionaries', title: 'Data dictionaries' },
    {
      state: 'duplicate without a name',
      screen: 'dictionaries',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await actionOf(page, 'Members', 'Duplicate').click()
        const name = field(await openedDialog(page, 'Duplicate data dictionary'), 'Name')
        for (const text of ['M', '']) await name.fill(text)
        await page.getByText('Dictionary is required.', { exact: true }).waitFor()
      },
    },
    {
      state: 'new dictionary',
      screen: 'dictionaryCreate',
      path: '/home/dictionary/create',
      title: 'Create dictionary',
    },
    {
      state: 'new dictionary from a sample',
      screen: 'dictionaryCreate',
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
    {
      state: 'import',
      screen: 'dictionaryImport',
      path: '/home/dictionary/importdictionaries',
      title: 'Upload new data dictionary',
    },
    {
      state: 'dictionary whose fields are searched',
      screen: 'dictionaryEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await field(page, 'Search fields').fill('member')
        await page.locator('mark').first().waitFor()
      },
    },
    {
      state: 'change of a name',
      screen: 'dictionaryEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await button(page, 'Edit').first().click()
        await dialog(page, 'Rename data dictionary').waitFor()
      },
    },
    {
      state: 'menu of downloads',
      screen: 'dictionaryEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('button', { name: 'More downloads' }).click()
        await page.getByRole('menuitem', { name: 'Download template', exact: true }).waitFor()
      },
    },
    {
      state: 'history of a dictionary',
      screen: 'dictionaryEdit',
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
      state: 'export as Table Schema',
      screen: 'dictionaryEdit',
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
      state: 'change of the order of fields',
      screen: 'dictionaryEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('button', { name: 'Change order' }).click()
        await dialog(page, 'Change order').getByRole('button', { name: 'Move Member ID' }).waitFor()
      },
    },
    {
      state: 'new field',
      screen: 'fieldEdit',
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
    {
      state: 'whom a new field would break',
      screen: 'fieldEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await page.getByRole('link', { name: 'Medical claims', exact: true }).click()
        await page.getByRole('link', { name: 'Add new field' }).click()
        await field(page, 'Field name').fill('Note')
        await choose(page, 'Type', 'Text')
        await button(page, impactMessages.question).click()
        await dialog(page, impactMessages.question).getByRole('table').waitFor()
      },
    },
    {
      state: 'new rule',
      screen: 'ruleEdit',
      path: '/home/dictionaries',
      title: 'Data dictionaries',
      reach: async (page) => {
        await openMembers(page)
        await page.getByRole('link', { name: 'Add new rule' }).click()
        await button(page, 'Add a condition').click()
        await page.keyboard.press('Escape')
        await field(page, 'Description').fill('Why')
        await button(page, 'Save').click()
        await page.getByText('A column is required.').first().waitFor()
      },
    },
  ],
}

async function openDrawer(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('navigation', { name: 'Menu' }).waitFor()
}

async function openMembers(page: Page): Promise<void> {
  await actionOf(page, 'Members', 'Edit').click()
  await page.getByRole('list', { name: 'Fields' }).getByText('Member ID', { exact: true }).waitFor()
}
