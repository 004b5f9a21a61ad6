import { readFileSync } from 'node:fs'
import { importDictionary } from '@veridict/contract/api/dictionaries'
import { dictionaryLimits } from '@veridict/contract/limits'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  associate,
  button,
  choose,
  chooseNextUpload,
  columnsOf,
  descriptionsOf,
  dialog,
  field,
  heading,
  notice,
  openedDialog,
  openNextInPage,
  openTab,
  rowWith,
  waitForFocus,
  waitForMessage,
  XLSX,
  closeTab,
} from './visit.ts'

let portal: Portal
let browser: Browser
let page: Page

beginJourneys(async (...opened) => {
  ;[portal, browser] = opened
  page = await openTab(browser, portal, 'admin@example.com')
})

const fieldRows = () => page.getByRole('list', { name: 'Fields' }).getByRole('listitem')
const pathOf = () => new URL(page.url()).pathname

/** The text input with a label; the list of a drop-down has the same label. */
const input = (label: string) => page.locator('input, textarea').and(field(page, label))

/** Fills in the open form of a field, saves it, and expects each input's error. */
async function refused(values: Record<string, string>, errors: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await input(label).fill(value)
  await button(page, 'Save').click()
  for (const [label, message] of Object.entries(errors)) await waitForMessage(input(label), message)
}

async function openNewField(name: string, type: string): Promise<void> {
  await page.getByRole('link', { name: 'Add new field' }).click()
  await heading(page, 'Add a new field').waitFor()
  await field(page, 'Field name').fill(name)
  await choose(page, 'Type', type)
}

/**
 * Saves the open field and expects it as the dictionary's last one, with this letter and summary of its
 * rule.
 */
async function save(letter: string, name: string, rule: string): Promise<void> {
  await button(page, 'Save').click()
  await heading(page, 'Deliveries').waitFor()
  const row = fieldRows().filter({ has: page.getByText(name, { exact: true }) })
  await row.getByText(letter, { exact: true }).waitFor()
  await row.getByText(rule, { exact: true }).waitFor()
}

const namesInOrder = () =>
  fieldRows().evaluateAll((rows) => rows.map((row) => row.querySelectorAll('span')[1]!.textContent))

describe('A dictionary', () => {
  it('is created if its name is unique', async () => {
    await openNextInPage(page, '/home/dictionaries')
    await rowWith(page, 'Providers').waitFor()
    await expect
      .poll(() => columnsOf(page.getByRole('table')))
      .toEqual(['Data dictionary', 'Fields', 'Last updated', 'Actions'])
    await page.getByRole('link', { name: 'Create data dictionary' }).click()
    await heading(page, 'Create dictionary').waitFor()
    await page.getByRole('heading', { name: 'Metadata' }).waitFor()
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    await refused({ 'Data dictionary name': '  ' }, { 'Data dictionary name': 'Name is required' })
    await input('Data dictionary name').fill('medical CLAIMS')
    await button(page, 'Save').click()
    await notice(page, 'Error', 'A data dictionary with this name already exists.').waitFor()
    await input('Data dictionary name').fill('Deliveries')
    await button(page, 'Save').click()
    await heading(page, 'Deliveries').waitFor()
    await expect.poll(pathOf).toMatch(/^\/home\/dictionary\/edit\/[0-9a-f-]{24}[0-9a-f]{8}$/)
    await page.getByText('No fields in this data dictionary yet.', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Change order').isDisabled()).toBe(true)
  })
})

describe('A new field', () => {
  it('needs a name and a type', async () => {
    await page.getByRole('link', { name: 'Add new field' }).click()
    await heading(page, 'Add a new field').waitFor()
    for (const section of ['Metadata', 'Format', 'Other'])
      await page.getByRole('heading', { name: section, exact: true }).waitFor()
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    await expect.poll(() => field(page, 'Can be empty').isChecked()).toBe(false)
    await refused({ 'Field category': 'Key' }, { 'Field name': 'Name is required', Type: 'Type is required' })
    await page.getByRole('link', { name: 'Cancel' }).click()
    const question = dialog(page, 'Unsaved changes')
    await question
      .getByText('You have unsaved changes. Are you sure you want to discard them?', { exact: true })
      .waitFor()
    await button(question, 'Discard').click()
    await heading(page, 'Deliveries').waitFor()
  })

  it('of type Text has a range of lengths', async () => {
    await openNewField('Parcel', 'Text')
    await expect.poll(() => field(page, 'Minimum length').count()).toBe(0)
    await field(page, 'Text length range').check()
    const [least, most] = ['Minimum length', 'Maximum length']
    const invalid = 'Maximum length must be greater than or equal to Minimum length, but cannot Exceed 500'
    await refused(
      { [least]: '-1', [most]: '-1' },
      { [least]: 'Negative values are not allowed', [most]: 'Negative values are not allowed' },
    )
    const decimals = 'Please enter a valid integer. Decimal values are not allowed'
    await refused({ [least]: '1.5', [most]: '2.5' }, { [least]: decimals, [most]: decimals })
    await refused(
      { [least]: '501', [most]: '501' },
      { [least]: 'Minimum range cannot exceed 500', [most]: invalid },
    )
    await refused(
      { [least]: '5', [most]: '4' },
      { [least]: 'Minimum length should be less than or equal to Maximum length', [most]: invalid },
    )
    await refused({ [least]: '5', [most]: '0' }, { [most]: 'Maximum length must be greater than 0' })
    await input(least).fill('2')
    await input(most).fill('5')
    await save('A', 'Parcel', 'Text, 2 to 5 characters')
    await page.getByText('No description available', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Change order').isDisabled()).toBe(true)
  })

  it('of type Number has decimals and a range', async () => {
    await openNewField('Weight', 'Number')
    await refused({ Scale: '-1' }, { Scale: 'Scale must be a whole number of at least 0' })
    await field(page, 'Within a range').check()
    await refused(
      { Scale: '2', Min: '2', Max: '1' },
      { Min: 'Min should be less than or equal to Max', Max: 'Max value should be greater or equal to Min' },
    )
    await input('Min').fill('0')
    await input('Max').fill('31.5')
    await save('B', 'Weight', 'Number, 0 to 31.5, 2 decimals')
  })

  it('of type Date has a preset or a custom format', async () => {
    await openNewField('Sent on', 'Date')
    await refused({}, { 'Date format': 'Date format is required' })
    await input('Date format').click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd', 'MM/dd/yyyy'])
    await page.keyboard.press('Escape')
    await button(page, 'Add custom format').click()
    for (const wrong of ['DD/MM/yyyy', 'dd/MM-yyyy', 'd.d.yy', 'yyy']) {
      await input('Custom date format').fill(wrong)
      await button(page, 'Add').click()
      await waitForMessage(input('Custom date format'), 'A valid date format is required.')
    }
    await input('Custom date format').fill('d.M.yy')
    await button(page, 'Add').click()
    await expect.poll(() => input('Date format').inputValue()).toBe('d.M.yy')
    await save('C', 'Sent on', 'Date, d.M.yy')
  })

  it('of type Regular expression has one that compiles', async () => {
    await openNewField('Route', 'Regular expression')
    await refused({}, { 'Regular expression': 'Regular expression is required' })
    await input('Regular expression').fill('[A-Z')
    await button(page, 'Save').click()
    await expect
      .poll(() => descriptionsOf(input('Regular expression')))
      .toContainEqual(expect.stringMatching(/^This regular expression cannot be used: /))
    await input('Regular expression').fill('[A-Z]{2}\\d')
    await save('D', 'Route', 'Regular expression')
  })

  it('of type Item from a list has values, one per line', async () => {
    await openNewField('Speed', 'Item from a list')
    await refused({ Values: ' \n ' }, { Values: 'Value is required' })
    await input('Values').fill(' slow \n\nfast\n')
    await field(page, 'Field description').fill('How soon it must arrive.')
    await field(page, 'Can be empty').check()
    await save('E', 'Speed', 'Item from a list, 2 values')
  })

  it('cannot have the name of another field', async () => {
    await openNewField('  WEIGHT ', 'Text')
    await button(page, 'Save').click()
    await notice(page, 'Error', 'A field with this name already exists in the data dictionary.').waitFor()
    await input('Field name').fill('Surplus')
    await save('F', 'Surplus', 'Text')
  })
})

describe('The fields of a dictionary', () => {
  it('are found by name or description, and the matches are marked', async () => {
    const search = page.getByPlaceholder('Search fields')
    await search.fill('SOON')
    await expect.poll(namesInOrder).toEqual(['Speed'])
    await expect.poll(() => fieldRows().locator('mark').allTextContents()).toEqual(['soon'])
    await expect.poll(() => fieldRows().getByText('E', { exact: true }).count()).toBe(1)
    await search.fill('s')
    await expect.poll(namesInOrder).toEqual(['Sent on', 'Speed', 'Surplus'])
    await expect.poll(() => fieldRows().first().locator('mark').allTextContents()).toEqual(['S'])
    await search.fill('')
    await expect.poll(namesInOrder).toHaveLength(6)
  })

  it('can be edited, and Save is enabled only while something differs', async () => {
    await actionOf(page, 'Route', 'Edit').click()
    await heading(page, 'Route').waitFor()
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?fieldId=\d+$/)
    await expect.poll(() => input('Regular expression').inputValue()).toBe('[A-Z]{2}\\d')
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    await field(page, 'Field description').fill('Two capitals and a digit.')
    await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true)
    await field(page, 'Field description').fill('')
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    await field(page, 'Field description').fill('Two capitals and a digit.')
    await save('D', 'Route', 'Regular expression')
    await page.getByText('Two capitals and a digit.', { exact: true }).waitFor()
  })

  it('are deleted after a confirmation', async () => {
    await actionOf(page, 'Surplus', 'Delete').click()
    const question = dialog(page, 'Delete item')
    await question.getByText('The selected item will be removed permanently:').waitFor()
    await question.getByText('Surplus', { exact: true }).waitFor()
    await button(question, 'Delete').click()
    await expect.poll(namesInOrder).toEqual(['Parcel', 'Weight', 'Sent on', 'Route', 'Speed'])
    // The pressed button was removed with its field: the next Tab goes into the list, not to the top.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.querySelector('ul[aria-label=Fields]') != null))
      .toBe(true)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('DIV')
  })

  it('are reordered with the keyboard alone', async () => {
    const open = async () => {
      await waitForFocus(button(page, 'Change order'))
      await page.keyboard.press('Enter')
      return openedDialog(page, 'Change order')
    }
    const answer = async (words: string) =>
      button(await openedDialog(page, 'Unsaved changes'), words).press('Enter')
    const moveRouteUp = async () => {
      await button(form, 'Move Route').focus()
      await page.keyboard.press('Space')
      await page.getByText('Route picked up from place 4 of 5.').waitFor()
      for (const place of [3, 2]) {
        await page.keyboard.press('ArrowUp')
        await page.getByText(`Route moved to place ${place} of 5.`).waitFor()
      }
      await page.keyboard.press('Space')
      await page.getByText('Route put down in place 2 of 5.').waitFor()
    }
    await button(page, 'Change order').focus()
    const form = await open()
    await expect.poll(() => button(form, 'Save').isDisabled()).toBe(true)

    await button(form, 'Move Route').press('Space')
    await page.keyboard.press('ArrowDown')
    await page.getByText('Route moved to place 5 of 5.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Route stays in place 4 of 5.').waitFor()
    await expect.poll(() => button(form, 'Save').isDisabled()).toBe(true)

    await moveRouteUp()
    await expect.poll(() => button(form, 'Save').isEnabled()).toBe(true)
    await button(form, 'Cancel').press('Enter')
    await answer('Keep editing')
    await dialog(page, 'Unsaved changes').waitFor({ state: 'detached' })
    await button(form, 'Cancel').press('Enter')
    await answer('Discard')
    await form.waitFor({ state: 'detached' })
    await expect.poll(namesInOrder).toEqual(['Parcel', 'Weight', 'Sent on', 'Route', 'Speed'])

    await open()
    await moveRouteUp()
    await button(form, 'Save').press('Enter')
    await form.waitFor({ state: 'detached' })
    await expect.poll(namesInOrder).toEqual(['Parcel', 'Route', 'Weight', 'Sent on', 'Speed'])
    await page.reload()
    await expect.poll(namesInOrder).toEqual(['Parcel', 'Route', 'Weight', 'Sent on', 'Speed'])
  })
})

describe('The name of a dictionary', () => {
  const taken = 'A data dictionary with this name already exists.'

  it('can be changed, but not to the name of another one', async () => {
    const metadata = page.getByRole('region', { name: 'Metadata' })
    await button(metadata, 'Edit').click()
    const form = await openedDialog(page, 'Rename data dictionary')
    await expect.poll(() => button(form, 'Save').isDisabled()).toBe(true)
    await refused({ Name: '' }, { Name: 'Name is required.' })
    await refused({ Name: 'members' }, { Name: taken })
    await input('Name').fill('Parcel deliveries')
    await button(form, 'Save').click()
    await heading(page, 'Parcel deliveries').waitFor()
    await metadata.getByText('Parcel deliveries', { exact: true }).waitFor()
  })

  it('is requested for a duplicate', async () => {
    await openNextInPage(page, '/home/dictionaries')
    await actionOf(page, 'Parcel deliveries', 'Duplicate').click()
    const form = await openedDialog(page, 'Duplicate data dictionary')
    await refused({ Name: ' ' }, { Name: 'Dictionary is required.' })
    await refused({ Name: 'PROVIDERS' }, { Name: taken })
    await input('Name').fill('Deliveries copy')
    await button(form, 'Save').click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => rowWith(page, 'Deliveries copy').getByRole('cell').nth(1).textContent()).toBe('5')
    await actionOf(page, 'Deliveries copy', 'Delete').click()
    const question = dialog(page, 'Delete item')
    await question.getByText('Deliveries copy', { exact: true }).waitFor()
    await button(question, 'Delete').click()
    await rowWith(page, 'Deliveries copy').waitFor({ state: 'detached' })
  })
})

describe('A dictionary as a workbook', () => {
  let workbook: Buffer

  it('is downloaded under its name', async () => {
    await actionOf(page, 'Parcel deliveries', 'Edit').click()
    const started = page.waitForEvent('download')
    await button(page, 'Export to Excel').click()
    const file = await started
    expect(file.suggestedFilename()).toBe('Parcel deliveries.xlsx')
    workbook = readFileSync(await file.path())
  })

  it('is imported under another name', async () => {
    await openNextInPage(page, '/home/dictionaries')
    await page.getByRole('link', { name: 'Import' }).click()
    await heading(page, 'Upload new data dictionary').waitFor()
    await expect.poll(pathOf).toBe('/home/dictionary/importdictionaries')
    const pick = (name: string, buffer: Buffer) =>
      field(page, 'File').setInputFiles({ name, mimeType: XLSX, buffer })
    const upload = button(page, 'Upload')
    await pick('fields.csv', workbook)
    await page.getByText('Invalid file type. Only .xlsx file is allowed.', { exact: true }).waitFor()
    await input('Name').fill('Deliveries again')
    await expect.poll(() => upload.isDisabled()).toBe(true)
    await pick('large.xlsx', Buffer.alloc(dictionaryLimits.maxImportBytes + 1))
    await page.getByText('Maximum file size allowed is 1 MB.', { exact: true }).waitFor()
    await expect.poll(() => upload.isDisabled()).toBe(true)
    await pick('deliveries.xlsx', workbook)
    for (const [name, message] of [
      ['', 'Name is required'],
      ['x'.repeat(151), 'Data dictionary name cannot exceed 150 characters.'],
    ] as const) {
      await input('Name').fill(name)
      await waitForMessage(input('Name'), message)
      await expect.poll(() => upload.isDisabled()).toBe(true)
    }

    await input('Name').fill('members')
    await upload.click()
    await notice(page, 'Error', 'A data dictionary with this name already exists.').waitFor()

    let goOn = () => {}
    const seen = new Promise<void>((resolve) => (goOn = resolve))
    await page.route(`**${importDictionary.path}`, (route) => seen.then(() => route.continue()))
    await pick('deliveries.xlsx', workbook)
    await input('Name').fill('Deliveries again')
    await upload.click()
    await page.getByText('Uploading file deliveries.xlsx...', { exact: true }).waitFor()
    // At 0 % the bar has no width, which counts as hidden.
    await page.getByRole('progressbar').waitFor({ state: 'attached' })
    goOn()
    await page
      .getByRole('strong')
      .getByText('Data dictionary has been imported successfully.', { exact: true })
      .waitFor()
    await expect.poll(() => input('Name').inputValue()).toBe('')
    await expect.poll(() => page.getByText('deliveries.xlsx').count()).toBe(0)
    await page.getByRole('link', { name: 'Go back to home' }).click()
    await page.waitForURL('**/home/dictionaries')
    await actionOf(page, 'Deliveries again', 'Edit').click()
    await expect.poll(namesInOrder).toEqual(['Parcel', 'Route', 'Weight', 'Sent on', 'Speed'])
  })

  it('gives a file the same verdict as the dictionary it was exported from', async () => {
    const names = ['Parcel deliveries', 'Deliveries again']
    for (const name of names) await associate(page, name)
    const bytes = asCsv([
      ['Parcel', 'Route', 'Weight', 'Sent on', 'Speed'],
      ['AB', 'XY1', '31.50', '1.2.26', ''],
      ['A', 'xy1', '31.501', '30.2.26', 'Slow'],
      ['ABCDEF', '', '-1', '2026-02-01', 'fast'],
    ])
    const tab = await openTab(browser, portal, 'clerk@example.com')
    const clerk = await apiClient(portal.url, 'clerk@example.com')
    const reports = []
    for (const name of names) {
      const fileName = `${name}.csv`
      await chooseNextUpload(tab, name, { name: fileName, bytes })
      await button(tab, 'Upload').click()
      await tab.getByText('You will receive an email once the file has been processed.').waitFor()
      await tab.getByRole('link', { name: 'Go back to home' }).click()
      await rowWith(tab, fileName).getByText('View errors').click()
      await heading(tab, fileName).waitFor()
      await tab.getByText('Row 3', { exact: true }).waitFor()
      const { errorRowCount, rows } = await clerk.errors(
        Number(new URL(tab.url()).pathname.split('/').at(-1)),
      )
      reports.push({ errorRowCount, rows })
    }
    await closeTab(tab)
    expect(reports[1]).toEqual(reports[0])
    const places = reports[0]!.rows.data.map((row) => [
      row.rowNumber,
      row.columnValidationErrors.map((error) => error.columnPosition).join(''),
    ])
    expect(places).toEqual([
      [3, 'ABCDE'],
      [4, 'ABCD'],
    ])
  })
})

describe('Fields added one after another', () => {
  it('need one screen, and their names lead to their forms', async () => {
    await openNextInPage(page, '/home/dictionary/create')
    await field(page, 'Data dictionary name').fill('Returns')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Add the first field' }).click()
    const names = ['Case', 'Returned on', 'Reason']
    for (const [index, name] of names.entries()) {
      await waitForFocus(input('Field name'))
      await expect.poll(() => input('Field name').inputValue()).toBe('')
      await expect.poll(() => input('Field category').inputValue()).toBe(index === 0 ? '' : 'Parcel')
      await expect.poll(() => button(page, 'Save and add another').isDisabled()).toBe(true)
      await page.keyboard.type(name)
      if (index === 0) {
        await button(page, 'Save and add another').click()
        await waitForMessage(input('Type'), 'Type is required')
        await waitForFocus(input('Type'))
        await input('Field category').fill('Parcel')
      }
      await choose(page, 'Type', 'Text')
      await button(page, index < 2 ? 'Save and add another' : 'Save').click()
      if (index < 2) await page.getByRole('status').getByText(`'${name}' is saved.`).waitFor()
    }
    await heading(page, 'Returns').waitFor()
    await expect.poll(namesInOrder).toEqual(names)
    await page.getByRole('link', { name: 'Returned on', exact: true }).click()
    await heading(page, 'Returned on').waitFor()
    await expect.poll(() => button(page, 'Save and add another').count()).toBe(0)
  })
})
