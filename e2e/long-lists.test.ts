import { listCompanyUsers } from '@veridict/contract/api/companies'
import type { Field } from '@veridict/contract/model/field'
import { writeDictionary } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isLong } from '../packages/engine/test/runs.ts'
import { beginJourneys } from './journeys.ts'
import { asWorkbook } from './claims.ts'
import {
  actionOf,
  button,
  dialog,
  endRoutes,
  field,
  openedDialog,
  openNextInPage,
  openTab,
  waitForFocus,
  XLSX,
} from './visit.ts'

let page: Page

beginJourneys(async (portal, browser) => {
  page = await openTab(browser, portal, 'admin@example.com')
})

describe('The users of a company', () => {
  const users = () => page.getByRole('region', { name: 'Users', exact: true })
  const rows = () =>
    users()
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
  const pager = () => users().getByRole('navigation', { name: 'Pages' })

  it('are on one page up to five, then on several', async () => {
    await openNextInPage(page, '/home/companies')
    await actionOf(page, 'Contoso Insurance', 'Edit').click()
    await rows().first().waitFor()
    const before = await rows().count()
    expect(before).toBeLessThan(6)
    await expect.poll(() => pager().count()).toBe(0)
    for (let number = before; number < 6; number++) {
      await button(users(), 'Add user').click()
      const form = await openedDialog(page, 'Add user')
      await field(form, 'Name').fill(`Zoe Number ${number}`)
      await field(form, 'Email').fill(`zoe${number}@example.com`)
      await button(form, 'Save').click()
      await form.waitFor({ state: 'detached' })
    }
    await pager().getByText('1–5 of 6').waitFor()
    await expect.poll(() => rows().count()).toBe(5)
    await button(pager(), 'Page 2').click()
    await pager().getByText('6–6 of 6').waitFor()
    await page.getByRole('status').getByText('Showing 6–6 of 6', { exact: true }).waitFor()
    await rows().nth(1).waitFor({ state: 'detached' })
    await rows().getByText('Zoe Number 5').waitFor()
  })

  it('show the previous page after the last one of a page is deleted', async () => {
    await actionOf(page, 'Zoe Number 5', 'Delete').click()
    await button(dialog(page, 'Delete item'), 'Delete').click()
    await pager().waitFor({ state: 'detached' })
    await expect.poll(() => rows().count()).toBe(5)
  })
})

describe('A user with a long e-mail', () => {
  it('fits into the question that names it', async () => {
    const email = `${'someone'.repeat(9)}@${'department'.repeat(6)}.example.com`
    await page.route(`**${listCompanyUsers.path.replace(':id', '*')}?*`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll('clerk@example.com', email)
      await route.fulfill({ response, body })
    })
    await openNextInPage(page, '/home/company/edit/1')
    await actionOf(page, 'Nora Lindqvist', 'Reset password').click()
    const question = dialog(page, 'Reset password')
    await question.getByText(email).waitFor()
    await expect
      .poll(() => question.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0)
    await button(question, 'Cancel').click()
    await endRoutes(page)
  })
})

describe('A workbook with 45 bad cells', () => {
  it('is refused with their number, and a notice that fits the screen, and listed on request', async () => {
    const bad = Array.from({ length: 45 }, (_, index) => [`Field ${index + 1}`, 'Txt'])
    await openNextInPage(page, '/home/dictionary/importdictionaries')
    await field(page, 'File').setInputFiles({
      name: 'bad.xlsx',
      mimeType: XLSX,
      buffer: Buffer.from(asWorkbook([['Field name', 'Type'], ...bad])),
    })
    await page.locator('input').and(field(page, 'Name')).fill('Bad')
    await button(page, 'Upload').click()
    const alerts = page.getByRole('alert')
    const panel = alerts.filter({ hasText: 'The data dictionary was not imported: 45 problems' })
    await panel.waitFor()
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(0)
    const shown = alerts.filter({ hasText: 'Validation Error' })
    const title = shown.getByText('Validation Error', { exact: true })
    await title.waitFor()
    await expect.poll(async () => (await title.boundingBox())!.y).toBeGreaterThan(0)
    await button(shown, 'Close notice').click()
    await title.waitFor({ state: 'detached' })
    await button(panel, 'List them here').click()
    await panel.getByRole('listitem').filter({ hasText: 'Row 46, Type' }).waitFor()
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(45)
  })
})

/** The page keeps its time and memory with a thousand; what it shows and does is the same with 200. */
const COUNT = isLong ? 1000 : 200
const counted = COUNT.toLocaleString('en')

describe('A dictionary of many fields', () => {
  const fields = (): Field[] =>
    Array.from({ length: COUNT }, (_, index) => ({
      name: `Quantity ${index + 1}`,
      description: `What station ${index + 1} has measured`,
      category: '',
      required: true,
      rule: { type: 'number', scale: 2 },
    }))
  const listed = () => page.getByRole('list', { name: 'Fields' }).getByRole('listitem')
  const shows = async (count: number) => {
    await expect.poll(() => listed().count()).toBe(count)
  }
  const order = () => dialog(page, 'Change order').getByRole('listitem')
  /** Presses the mouse on the grip of a field, which `hover` waits for until it stands still. */
  const pickUp = async (name: string): Promise<{ x: number }> => {
    const grip = button(dialog(page, 'Change order'), `Move ${name}`)
    await grip.hover()
    await page.mouse.down()
    const { x, width } = (await grip.boundingBox())!
    return { x: x + width / 2 }
  }

  it('shows all of them', async () => {
    const chunks = await Array.fromAsync(
      writeDictionary({ name: 'Stations', fields: fields() }, nodePlatform()),
    )
    await openNextInPage(page, '/home/dictionary/importdictionaries')
    await field(page, 'File').setInputFiles({
      name: 'stations.xlsx',
      mimeType: XLSX,
      buffer: Buffer.concat(chunks),
    })
    await page.locator('input').and(field(page, 'Name')).fill('Stations')
    await button(page, 'Upload').click()
    await page.getByRole('link', { name: 'Go back to home' }).click()
    await actionOf(page, 'Stations', 'Edit').click()
    await shows(COUNT)
    await listed().last().getByText(`Quantity ${COUNT}`, { exact: true }).waitFor()
    await listed()
      .last()
      .getByText(isLong ? 'ALL' : 'GR', { exact: true })
      .waitFor()
  })

  it('finds fields by a word and marks it, and names the actions of each', async () => {
    // Station 17, and those from 170 to 179.
    const found = 11
    await field(page, 'Search fields').fill('STATION 17')
    await shows(found)
    await expect.poll(() => listed().first().locator('mark').allTextContents()).toEqual(['station 17'])
    await actionOf(page, 'Quantity 170', 'Edit').hover()
    await page
      .getByRole('tooltip', { name: 'Edit' })
      .or(page.getByText('Edit', { exact: true }).last())
      .waitFor()
    await page.getByRole('status').getByText(`${found} of ${counted} fields`, { exact: true }).waitFor()
    await button(page, 'Clear search').press('Enter')
    await shows(COUNT)
    await waitForFocus(field(page, 'Search fields'))
  })

  it('scrolls while a field is dragged', async () => {
    await button(page, 'Change order').click()
    await order()
      .nth(COUNT - 1)
      .waitFor()
    const { x } = await pickUp('Quantity 2')
    await page.getByText(`Quantity 2 picked up from place 2 of ${counted}.`).waitFor()
    const foot = (await button(dialog(page, 'Change order'), 'Save').boundingBox())!
    await page.mouse.move(x, foot.y)
    await page
      .getByText(new RegExp(`^Quantity 2 moved to place ([3-9]\\d|\\d{3}) of ${counted}\\.$`))
      .waitFor()
    await page.mouse.up()
    await page.getByText(new RegExp(`^Quantity 2 put down in place \\d\\d+ of ${counted}\\.$`)).waitFor()
    const names = order().locator('span:nth-child(2)')
    await expect
      .poll(async () => (await names.allTextContents()).slice(0, 2))
      .toEqual(['Quantity 1', 'Quantity 3'])
    await button(dialog(page, 'Change order'), 'Save').click()
    await listed().nth(1).getByText('Quantity 3', { exact: true }).waitFor()
  })

  it('cancels dragging on Escape', async () => {
    await button(page, 'Change order').click()
    const { x } = await pickUp('Quantity 1')
    await page.getByText(`Quantity 1 picked up from place 1 of ${counted}.`).waitFor()
    const third = (await order().nth(2).boundingBox())!
    await page.mouse.move(x, third.y + third.height - 4)
    await page.getByText(`Quantity 1 moved to place 3 of ${counted}.`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(`Quantity 1 stays in place 1 of ${counted}.`).waitFor()
    await page.mouse.up()
    await expect.poll(() => button(dialog(page, 'Change order'), 'Save').isDisabled()).toBe(true)
  })
})
