import { readFileSync } from 'node:fs'
import { tableSchemaNotes } from '@veridict/contract/messages/table-schema'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from './api-client.ts'
import { asCsv, badClaims, goodClaims } from './claims.ts'
import { beginJourneys } from './journeys.ts'
import type { Portal } from './portal.ts'
import {
  actionOf,
  associate,
  button,
  field,
  heading,
  openedDialog,
  openNextInPage,
  openTab,
} from './visit.ts'

/** Has fields of all five types. */
const ORIGINAL = 'Medical claims'
const AGAIN = 'Claims by schema'

let portal: Portal
let page: Page
let schema: Buffer

beginJourneys(async (opened: Portal, browser: Browser) => {
  portal = opened
  page = await openTab(browser, portal, 'admin@example.com')
})

const items = (list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const fieldsShown = () => items('Fields').allTextContents()

async function openDictionary(name: string): Promise<void> {
  await openNextInPage(page, '/home/dictionaries')
  await actionOf(page, name, 'Edit').click()
  await heading(page, name).waitFor()
  await items('Fields').first().waitFor()
}

async function createFrom(file: { name: string; buffer: Buffer }): Promise<void> {
  await openNextInPage(page, '/home/dictionary/create')
  await heading(page, 'Create dictionary').waitFor()
  await page.getByRole('radio', { name: 'Start from a file' }).click()
  await field(page, 'Sample file').setInputFiles({ ...file, mimeType: 'application/json' })
}

describe('A dictionary as a Table Schema', () => {
  it('is exported after a list of what other programs do differently', async () => {
    await openDictionary(ORIGINAL)
    await button(page, 'More downloads').click()
    await page.getByRole('menuitem', { name: 'Export as Table Schema' }).click()
    const form = await openedDialog(page, 'Export as Table Schema')
    await items('Differences').first().waitFor()
    const differences = await items('Differences').allTextContents()
    const [file] = await Promise.all([page.waitForEvent('download'), button(form, 'Download').click()])
    await form.waitFor({ state: 'detached' })
    expect(file.suggestedFilename()).toBe('Medical claims.schema.json')
    schema = readFileSync(await file.path())
    expect(JSON.parse(schema.toString())[tableSchemaNotes]).toEqual(differences)
    expect(differences).toContain(
      "'Billed amount', 'Allowed amount': other programs accept any number of decimals, Veridict at most 2.",
    )
  })

  it('makes an equal dictionary under another name', async () => {
    await expect.poll(fieldsShown).toHaveLength(16)
    const original = await fieldsShown()
    await createFrom({ name: 'anything.json', buffer: schema })
    await page.getByText('16 fields proposed from anything.json').waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Notes' }).count()).toBe(0)
    await expect.poll(() => field(page, 'Data dictionary name').inputValue()).toBe(ORIGINAL)
    await field(page, 'Data dictionary name').fill(AGAIN)
    await button(page, 'Save').click()
    await heading(page, AGAIN).waitFor()
    await items('Fields').first().waitFor()
    await expect.poll(fieldsShown).toEqual(original)
  })

  it('gives every file the same verdict as the dictionary it was exported from', async () => {
    await associate(page, AGAIN)

    const clerk = await apiClient(portal.url, 'clerk@example.com')
    const verdictOn = async (dictionary: string, bytes: Uint8Array) => {
      const { body } = await clerk.upload({ name: 'claims.csv', bytes }, await clerk.dictionary(dictionary))
      const { status, recordsCount } = await clerk.settled(body.value!.id)
      const { errorMessage, rows, causes, fileProblem } = await clerk.errors(body.value!.id)
      return { status, recordsCount, report: { errorMessage, rows, causes, fileProblem } }
    }
    const [bad, header] = [asCsv(badClaims), asCsv(goodClaims.map((row) => row.slice(1)))]
    const verdict = await verdictOn(ORIGINAL, bad)
    expect(verdict.report.rows.data.map(({ rowNumber, totalCount }) => [rowNumber, totalCount])).toEqual([
      [3, 2],
      [7, 7],
      [13, 1],
    ])
    await expect(verdictOn(AGAIN, bad)).resolves.toEqual(verdict)
    await expect(verdictOn(AGAIN, header)).resolves.toEqual(await verdictOn(ORIGINAL, header))
  })
})

describe('A Table Schema of another program', () => {
  it('is proposed with a list of what is lost', async () => {
    const fields = [
      { name: 'id', type: 'integer', constraints: { required: true, unique: true } },
      { name: 'seen', type: 'datetime' },
    ]
    await createFrom({ name: 'visits.json', buffer: Buffer.from(JSON.stringify({ name: 'visits', fields })) })
    await page.getByText('2 fields proposed from visits.json').waitFor()
    await expect
      .poll(() => items('Notes').allTextContents())
      .toEqual(["'seen': Veridict has no type datetime; any text is accepted."])
    await expect.poll(() => field(page, 'Data dictionary name').inputValue()).toBe('visits')
  })

  it('is refused with all of its errors', async () => {
    await createFrom({
      name: 'wrong.json',
      buffer: Buffer.from('{"fields":[{"name":"a","type":"strin"},{}]}'),
    })
    const differences = page.getByRole('alert').getByRole('listitem')
    await differences.first().waitFor()
    await expect
      .poll(() => differences.allTextContents())
      .toEqual([
        "Field 1 'a', type: 'strin' is not a type of Table Schema; did you mean 'string'?",
        'Field 2, name: Name is required',
      ])
  })
})
