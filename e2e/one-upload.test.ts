import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages } from '@veridict/contract/messages/report'
import { structureSentences } from '@veridict/contract/messages/structure'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Rule } from '@veridict/contract/model/rule'
import type { Locator, Page, Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { paths } from '../apps/web/src/app/paths.ts'
import { fieldOf } from '../packages/engine/test/fields-of-all-types.ts'
import { isLong } from '../packages/engine/test/runs.ts'
import { adminClient, type AdminClient } from './admin-client.ts'
import { apiClient, type ApiClient } from './api-client.ts'
import { beginJourneys } from './journeys.ts'
import {
  button,
  chooseNextUpload,
  endRoutes,
  heading,
  openedDialog,
  openNextInPage,
  openTab,
  uploadedPanel,
} from './visit.ts'

/**
 * Files with questions that only the clerk can answer. Faults of structure without a question are all
 * corrected by the same clicks; `corrected-structure.test.ts` proves their copies.
 */

const dictionary = 'One upload'
const field = (name: string, rule: Rule, required = true) => fieldOf(name, rule, required)
const fields = [
  field('Member ID', { type: 'pattern', pattern: 'M[0-9]{7}' }),
  field('Name', { type: 'text' }),
  field('Birth date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('State', { type: 'list', options: ['Open', 'Paid', 'Closed'] }),
  field('Amount', { type: 'number', scale: 2 }),
  field('Postcode', { type: 'pattern', pattern: '[0-9]{5}' }),
  field('Note', { type: 'text' }, false),
]
const HEADING = fields.map(({ name }) => name)
const [MEMBER, NAME, BIRTH, STATE, AMOUNT, POSTCODE, NOTE] = fields.keys()
const RECORDS = Array.from({ length: 12 }, (_, row) => [
  `M${1_000_000 + row * 7919}`,
  `Person ${String.fromCharCode(65 + row)}`,
  `0${1 + (row % 9)}/0${1 + ((row * 5) % 9)}/19${60 + row}`,
  ['Open', 'Paid', 'Closed'][row % 3],
  `${100 + row * 3}.50`,
  `${70_000 + row * 1_234}`,
  row % 2 === 0 ? 'seen' : '',
])
const TABLE = [HEADING, ...RECORDS]

const csv = (rows: readonly (readonly string[])[], delimiter = ',') =>
  rows.map((row) => `${row.join(delimiter)}\n`).join('')
/** The table with a column changed. */
const changed = (column: number, change: (value: string, row: number) => string) => [
  HEADING,
  ...RECORDS.map((row, index) => row.with(column, change(row[column], index))),
]
const named = (column: number, name: string) => [HEADING.with(column, name), ...RECORDS]
const dashed = changed(BIRTH, (value) => value.replaceAll('/', '-'))
const TITLE = ['Claims of May']

/** `answers`: by the kind of the question; of several values each with its item. */
type Answers = Record<string, string | Record<string, string>>
type Story = { mistake: string; file: string | Buffer; answers?: Answers }

/** Questions that no other journey of this file answers. */
const stories: Story[] = [
  {
    mistake: 'notes below the table',
    file: csv([...TABLE, ['Preliminary figures'], ['Printed by Eve']]),
    answers: { nearlyEmpty: 'Leave them out' },
  },
  {
    mistake: 'a prefix that is missing',
    file: csv(changed(MEMBER, (value, row) => (row % 3 === 0 ? value.slice(1) : value))),
    answers: { prefix: 'Put it back' },
  },
]

/** Questions that other journeys answer as well, each on its own. */
const moreStories: Story[] = [
  { mistake: 'title rows above the heading row', file: csv([TITLE, ['Printed on 3 May'], ...TABLE]) },
  {
    mistake: 'a column with a name that says nothing',
    file: csv(named(BIRTH, 'Column 3')),
    answers: { columnsRenamed: { 'Column 3': 'Birth date' } },
  },
  {
    mistake: 'a column too many',
    file: csv(TABLE.map((row, index) => [...row, index === 0 ? 'Checked by' : 'KM'])),
    answers: { columnsExtra: 'Leave these columns out' },
  },
  {
    mistake: 'letters of an older code page',
    file: Buffer.from(csv(changed(NAME, (name) => `${name} Müller`)), 'latin1'),
    answers: { encoding: 'windows-1252' },
  },
  {
    mistake: 'dates that could be either way round',
    file: csv(dashed),
    answers: { dateOrder: 'Month first' },
  },
  {
    mistake: 'words that the list does not have',
    file: csv(changed(STATE, (value) => ({ Open: 'Offen', Paid: 'Erledigt' })[value] ?? value)),
    answers: { notInList: { Offen: 'Open', Erledigt: 'Paid' } },
  },
  {
    mistake: 'zeros that are missing',
    file: csv(changed(POSTCODE, (value, row) => (row === 4 ? '4321' : value))),
    answers: { pad: 'Put the zeros back' },
  },
]

const manyMistakes: Story[] = [
  {
    mistake: 'a title, a column without its name, dates of either way round, and amounts with a currency',
    file: csv([
      TITLE,
      ...dashed.map((row, index) =>
        index === 0 ? row.with(BIRTH, 'Column 3') : row.with(AMOUNT, `$${row[AMOUNT]}`),
      ),
    ]),
    answers: { columnsRenamed: { 'Column 3': 'Birth date' }, dateOrder: 'Day first' },
  },
]

const moreMistakes: Story[] = [
  {
    mistake: 'a title, another order, amounts with a currency, and dates that could be either way round',
    file: csv([
      TITLE,
      ...dashed
        .map((row, index) => (index === 0 ? row : row.with(AMOUNT, `$${row[AMOUNT]}`)))
        .map((row) => row.toReversed()),
    ]),
    answers: { dateOrder: 'Day first' },
  },
]

let page: Page
let admin: AdminClient
let clerk: ApiClient
let dictionaryId = 0
/** The folder of the uploaded files. */
let sources = ''
const uploads: string[] = []
/** How often the file of a report was read. */
let reads = 0

beginJourneys(async (portal, browser) => {
  admin = await adminClient(portal.url)
  clerk = await apiClient(portal.url, 'clerk@example.com')
  sources = join(portal.dataDir, 'storage', '.sources')
  const items = fields.map(fieldToBody)
  dictionaryId = (await admin.createDictionary(dictionary, items, 'Northwind Health')).id
  page = await openTab(browser, portal, 'clerk@example.com')
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/FileSubmission'))
      uploads.push(request.url())
    if (request.url().endsWith('/Source')) reads++
  })
})

const check = () => page.locator('[data-check]')
const checked = (kinds: string[]) => page.locator(kinds.map((kind) => `[data-check=${kind}]`).join(','))

/** Ticks all that can be ticked, and answers all questions that are asked, also of what appears below. */
async function choose(dialog: Locator, answers: Answers): Promise<void> {
  const isBox = page.locator(':not([data-question] *)')
  const boxes = dialog.getByRole('checkbox', { checked: false }).and(isBox)
  for (;;) {
    await dialog.getByText(correctedMessages.looking).waitFor({ state: 'detached' })
    if ((await boxes.count()) > 0) {
      await boxes.first().check()
      continue
    }
    const open = dialog.locator('[data-question]:not([data-answered])')
    const kinds = await open.evaluateAll((all) => all.map((one) => one.getAttribute('data-question')!))
    const kind = kinds.find((asked) => asked in answers)
    if (kind === undefined) return
    await answerQuestion(dialog.locator(`[data-question=${kind}]:not([data-answered])`), answers[kind]!)
  }
}

async function answerQuestion(open: Locator, answer: Answers[string]): Promise<void> {
  const id = await open.first().getByRole('group').first().getAttribute('aria-labelledby')
  const question = page.locator('[data-question]').filter({ has: page.locator(`[aria-labelledby="${id}"]`) })
  if (typeof answer === 'string') await question.getByRole('button', { name: answer }).first().click()
  else
    for (const [value, item] of Object.entries(answer))
      await button(question.getByRole('group', { name: new RegExp(`\\? ${value}`) }), item).click()
}

/** Corrects the chosen file in one dialog, after which its check finds nothing. */
async function correctChosen(answers: Answers): Promise<void> {
  await checked(['rowErrors', 'fileProblem']).waitFor()
  await button(check(), correctedMessages.copy).click()
  const dialog = await openedDialog(page, correctedMessages.title)
  await choose(dialog, answers)
  await button(dialog, fileCheckMessages.makeCopy).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(fileCheckMessages.copyChosen).waitFor()
  await checked(['passed']).waitFor()
}

/** Chooses the file of a story and corrects it. */
async function walk({ mistake, file, answers = {} }: Story): Promise<void> {
  const name = `${mistake.slice(0, 40)}.csv`
  await chooseNextUpload(page, dictionary, { name, bytes: Buffer.from(file) })
  await correctChosen(answers)
}

describe('A clerk answers what only she knows', () => {
  it.for(isLong ? [...stories, ...moreStories] : stories)(
    'and a copy without errors is chosen: $mistake',
    (story) => walk(story),
  )

  it.for(isLong ? [...manyMistakes, ...moreMistakes] : manyMistakes)(
    'and her file is accepted with one upload: $mistake',
    async (story) => {
      uploads.length = 0
      await walk(story)
      await button(page, 'Upload').click()
      await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
      expect(uploads).toHaveLength(1)
    },
  )
})

describe('Values that nobody but the clerk knows', () => {
  it('are not proposed, also below a structure that is corrected', async () => {
    const unknown = changed(MEMBER, (value, row) => (row === 2 ? 'ask Ann' : value))
    await chooseNextUpload(page, dictionary, { name: 'unknown.csv', bytes: Buffer.from(csv(unknown)) })
    await checked(['rowErrors']).waitFor()
    await expect.poll(() => button(check(), correctedMessages.copy).count()).toBe(0)
    await chooseNextUpload(page, dictionary, {
      name: 'titled.csv',
      bytes: Buffer.from(csv([TITLE, ...unknown])),
    })
    await checked(['fileProblem']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    await dialog
      .getByRole('region', { name: correctedMessages.notPossible })
      .getByText('Member ID', { exact: true })
      .waitFor()
    await dialog.getByText(correctedMessages.outcome(0, 1, true), { exact: true }).waitFor()
  })
})

describe('The dialog of the corrected copy', () => {
  it('shows values of a column without a known name', async () => {
    const file = Buffer.from(csv(named(BIRTH, 'Column 3')))
    await chooseNextUpload(page, dictionary, { name: 'unnamed.csv', bytes: file })
    await checked(['fileProblem']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    const question = dialog.locator('[data-question=columnsRenamed]')
    await question
      .getByText(
        RECORDS.map((row) => row[BIRTH])
          .slice(0, 3)
          .join(' · '),
      )
      .waitFor()
  })

  it('shows the row that it leaves out', async () => {
    const total = ['Total', '', '', '', '1398.00', '', '']
    await chooseNextUpload(page, dictionary, {
      name: 'total.csv',
      bytes: Buffer.from(csv([...TABLE, total])),
    })
    await checked(['rowErrors']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    await dialog.getByText(correctedMessages.done['totalsRow']!, { exact: true }).waitFor()
    await dialog.getByText('Total', { exact: true }).waitFor()
    await expect.poll(() => dialog.getByText(correctedMessages.cells(0), { exact: true }).count()).toBe(0)
  })

  it('asks about the columns that are left once one has its name', async () => {
    const other = HEADING.with(MEMBER, 'Nr').with(BIRTH, 'Born').with(NOTE, 'Text')
    const file = Buffer.from(csv([other, ...RECORDS]))
    await chooseNextUpload(page, dictionary, { name: 'named.csv', bytes: file })
    await checked(['fileProblem']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    await button(dialog.getByRole('group', { name: /\? Nr$/ }), 'Member ID').click()
    const left = { names: ['"Born"', '"Text"'], firstRow: 1, rows: 0 }
    const extra = dialog.locator('[data-question=columnsExtra]')
    await extra.getByText(structureSentences.columnsExtra.question(left), { exact: true }).waitFor()
    await dialog.getByText(correctedMessages.outcome(0, null), { exact: true }).waitFor()
    await button(extra, 'Leave these columns out').click()
    await extra.and(page.locator('[data-answered]')).waitFor()
    await dialog.getByText(correctedMessages.outcome(0, null), { exact: true }).waitFor()
    await extra.getByText(structureSentences.columnsExtra.question(left), { exact: true }).waitFor()
  })
})

describe('An answer below a structure that is changed', () => {
  it('is no longer given where the question is about another column', async () => {
    const table = changed(NAME, (name) => `${name} Müller`)
    const file = Buffer.from(csv([HEADING.with(NAME, 'Persön'), ...table.slice(1)]), 'latin1')
    await chooseNextUpload(page, dictionary, { name: 'pages.csv', bytes: file })
    await checked(['fileProblem']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    const renamed = dialog.locator('[data-question=columnsRenamed]')
    await dialog.getByRole('button', { name: 'windows-1252' }).click()
    await button(renamed, 'Name').click()
    await dialog.getByText(correctedMessages.outcome(0, 0, true), { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'windows-1251' }).click()
    await renamed.getByText('Persцn', { exact: true }).waitFor()
    await dialog.getByText(correctedMessages.outcome(0, null), { exact: true }).waitFor()
    await expect.poll(() => renamed.and(page.locator('[data-answered]')).count()).toBe(0)
  })
})

const german = csv(changed(STATE, (value) => ({ Open: 'Offen', Paid: 'Erledigt' })[value] ?? value))

/** "Do the same next time" below the question about unknown values. */
const box = (dialog: Locator) =>
  dialog.locator('[data-question=notInList]').getByRole('checkbox', { name: correctedMessages.remember })

/** The box shows at once what is being saved. */
const afterSaving = (change: () => Promise<void>) => {
  const isSaved = (response: Response) =>
    response.url().includes('/Answers') && response.request().method() !== 'GET'
  return Promise.all([page.waitForResponse(isSaved), change()])
}

describe('An answer that shall be given again', () => {
  const openDialog = async (name: string) => {
    await chooseNextUpload(page, dictionary, { name, bytes: Buffer.from(german) })
    await checked(['rowErrors']).waitFor()
    await button(check(), correctedMessages.copy).click()
    return openedDialog(page, correctedMessages.title)
  }
  it('is chosen at first next time, and not after it was forgotten', async () => {
    const answers = { notInList: { Offen: 'Open', Erledigt: 'Paid' } }
    const first = await openDialog('remember.csv')
    await first.locator('[data-question=notInList]').waitFor()
    await expect.poll(() => box(first).count()).toBe(0)
    await choose(first, answers)
    await afterSaving(() => box(first).check())
    await expect.poll(() => box(first).isChecked()).toBe(true)
    await page.reload()

    const second = await openDialog('again.csv')
    await second.locator('[data-question=notInList][data-answered]').waitFor()
    await expect
      .poll(() => second.getByRole('button', { pressed: true }).allInnerTexts())
      .toEqual(['Open', 'Paid'])
    await expect.poll(() => box(second).isChecked()).toBe(true)
    await afterSaving(() => box(second).uncheck())
    await expect.poll(() => box(second).isChecked()).toBe(false)
    await second.locator('[data-question=notInList][data-answered]').waitFor()
    await page.reload()

    const third = await openDialog('forgotten.csv')
    await third.locator('[data-question=notInList]:not([data-answered])').waitFor()
    await choose(third, answers)
    await afterSaving(() => box(third).check())
    await page.keyboard.press('Escape')
    await third.waitFor({ state: 'detached' })
    await page.getByText(correctedMessages.remembered(1)).click()
    await button(page, correctedMessages.forget).click()
    await page.getByText(correctedMessages.remembered(1)).waitFor({ state: 'detached' })
  })
})

describe('A file that is chosen before its dictionary', () => {
  it('says which one it is for, and its button chooses that one', async () => {
    await page.goto('/home/fileUpload')
    const file = { name: 'first.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(TABLE)) }
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await page.getByText(uploadMessages.chooseDictionary, { exact: true }).waitFor()
    await page.getByText(fileCheckMessages.fits([{ name: dictionary }])).waitFor()
    await button(page, fileCheckMessages.choose(dictionary)).click()
    await checked(['passed']).waitFor()
  })

  it('is offered the right one where the chosen one has other columns', async () => {
    await chooseNextUpload(page, 'Members', { name: 'other.csv', bytes: Buffer.from(csv(TABLE)) })
    await checked(['fileProblem']).waitFor()
    const variant = (name: string) => button(page, name).getAttribute('data-variant')
    await expect.poll(() => variant(fileCheckMessages.choose(dictionary))).toBe('filled')
    for (const name of [correctedMessages.copy, 'Upload'])
      await expect.poll(() => variant(name)).toBe('default')
    await button(page, fileCheckMessages.choose(dictionary)).click()
    await checked(['passed']).waitFor()
  })
})

/** Uploads a file that is refused, and opens its report, as the clerk does. */
async function openReportByClicks(name: string, file: string): Promise<void> {
  await chooseNextUpload(page, dictionary, { name, bytes: Buffer.from(file) })
  await checked(['rowErrors', 'fileProblem']).waitFor()
  await button(page, 'Upload').click()
  await uploadedPanel(page).getByText(uploadMessages.notAccepted, { exact: true }).waitFor()
  await uploadedPanel(page).getByRole('link', { name: submissionMessages.viewErrors }).click()
  await heading(page, name).waitFor()
  uploads.length = 0
}

/** Opens the report of a file that was uploaded by a program. */
async function openReport(name: string, file: string): Promise<void> {
  const { body } = await clerk.upload({ name, bytes: Buffer.from(file) }, dictionaryId)
  const { id } = await clerk.settled(body.value!.id)
  await openNextInPage(page, paths.fileError(id))
  await heading(page, name).waitFor()
  uploads.length = 0
  reads = 0
}

/** Whether the bodies of files that the page reads break off, as with a server that ends meanwhile. */
const breakOff = (isBroken: boolean) =>
  page.evaluate((broken) => {
    Response.prototype.blob = async function (this: globalThis.Response) {
      if (broken) throw new TypeError('network error')
      return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' })
    }
  }, isBroken)

/** Opens the dialog of the corrected copy. */
async function openDialog(): Promise<Locator> {
  await button(page, correctedMessages.copy).click()
  return openedDialog(page, correctedMessages.title)
}

async function openDialogOfReport(name: string, file: string): Promise<Locator> {
  await openReport(name, file)
  return openDialog()
}

describe('From the report of a refused file', () => {
  const titled = csv([TITLE, ...TABLE])
  const dollars = csv(changed(AMOUNT, (value) => `$${value}`))

  it('"Correct and upload" makes the copy, checks it and uploads it', async () => {
    await openReportByClicks('refused.csv', titled)
    const dialog = await openDialog()
    await button(dialog, correctedMessages.upload).click()
    await heading(page, 'Upload new file').waitFor()
    await uploadedPanel(page).getByText('refused_corrected.csv').waitFor()
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    expect(uploads).toHaveLength(1)
  })

  it('a copy in which errors remain is chosen, but not uploaded', async () => {
    const dialog = await openDialogOfReport('half.csv', csv([TITLE, ...dashed]))
    await button(dialog, correctedMessages.upload).click()
    await page.getByText('half_corrected.csv', { exact: true }).waitFor()
    await checked(['rowErrors']).waitFor()
    await button(page, correctedMessages.save).waitFor()
    expect(uploads).toEqual([])
  })

  it('a copy stays chosen after an error of the network, and can be sent again', async () => {
    const dialog = await openDialogOfReport('again.csv', titled)
    await page.route(`**${uploadSubmission.path}`, (route) => route.abort(), { times: 1 })
    await button(dialog, correctedMessages.upload).click()
    await page.getByText(uploadMessages.interrupted, { exact: true }).first().waitFor()
    await button(page, 'Upload').click()
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    expect(uploads).toHaveLength(2)
  })

  it('the same dialog asks for all below the structure, and one further upload is accepted', async () => {
    const [, ...rows] = dashed
    const table = rows.map((row, index) => {
      const state = { Open: 'Offen', Paid: 'Erledigt' }[row[STATE]!] ?? row[STATE]!
      return row.with(STATE, state).with(POSTCODE, index === 4 ? '4321' : row[POSTCODE]!)
    })
    const file = csv([TITLE, ['Printed on 3 May'], HEADING.with(BIRTH, 'Column 3'), ...table])
    const dialog = await openDialogOfReport('five mistakes.csv', file)
    await choose(dialog, {
      columnsRenamed: { 'Column 3': 'Birth date' },
      dateOrder: 'Day first',
      notInList: { Offen: 'Open', Erledigt: 'Paid' },
      pad: 'Put the zeros back',
    })
    await dialog.getByText(/None of these errors remains\.$/).waitFor()
    await button(dialog, correctedMessages.upload).click()
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    expect(uploads).toHaveLength(1)
  })

  it('its own version of the dictionary corrects it, and the present one checks the copy', async () => {
    await openReport('version.csv', dollars)
    const then = [{ column: 'Note', is: 'filled' as const }]
    await admin.saveRules(dictionaryId, [{ name: 'Note', severity: 'error', then }])
    const dialog = await openDialog()
    await choose(dialog, {})
    await dialog.getByText(correctedMessages.outcome(RECORDS.length, 0), { exact: true }).waitFor()
    await button(dialog, correctedMessages.upload).click()
    await checked(['rowErrors']).waitFor()
    expect(uploads).toEqual([])
    await admin.saveRules(dictionaryId, [])
  })

  it('says so at once if the file is no longer kept', async () => {
    await openReport('purged.csv', dollars)
    for (const name of readdirSync(sources)) rmSync(join(sources, name))
    const dialog = await openDialog()
    await dialog.getByRole('alert').getByText(submissionMessages.sourceGone).waitFor()
    await button(dialog, 'Cancel').click()
  })

  const losses = [
    { loss: 'there is no connection', lose: (isLost: boolean) => page.context().setOffline(isLost) },
    { loss: 'the file breaks off on its way', lose: breakOff },
  ]
  it.for(losses)('says so if $loss, and makes the copy once it is back', async ({ lose }) => {
    await openReport('lost.csv', dollars)
    await lose(true)
    const dialog = await openDialog()
    await choose(dialog, {})
    await button(dialog, correctedMessages.upload).click()
    await dialog.getByRole('alert').getByText(noticeMessages.unavailable).waitFor()
    await lose(false)
    await button(dialog, correctedMessages.upload).click()
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    expect(uploads).toHaveLength(1)
  })

  it('its file is read once, also when answers are remembered meanwhile', async () => {
    const dialog = await openDialogOfReport('read once.csv', german)
    await choose(dialog, { notInList: { Offen: 'Open', Erledigt: 'Paid' } })
    await expect.poll(() => reads).toBe(1)
    await afterSaving(() => box(dialog).check())
    await button(dialog, correctedMessages.upload).click()
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    expect(reads).toBe(1)
  })

  it('has its copy made by the portal where this computer cannot', async () => {
    await openReport('too much.csv', dollars)
    await page.route('**/correct-worker*.js', (route) => route.abort())
    const dialog = await openDialog()
    await choose(dialog, {})
    const made = page.waitForRequest('**/api/ErrorFile/*/Corrected*')
    await button(dialog, correctedMessages.upload).click()
    await made
    await uploadedPanel(page).getByText(uploadMessages.accepted, { exact: true }).waitFor()
    await endRoutes(page)
  })

  it('a copy is no longer made, nor uploaded, when the clerk has left the report', async () => {
    await openReport('left.csv', dollars)
    const source = '**/api/ErrorFile/*/Source'
    await page.route(source, () => undefined)
    const dialog = await openDialog()
    await choose(dialog, {})
    await button(dialog, correctedMessages.upload).click()
    const ends = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/Source'))
    await page.goBack()
    await ends
    await endRoutes(page)
    expect(uploads).toEqual([])
  })
})

describe('The box of all causes', () => {
  it('says what is ticked, whatever questions are answered', async () => {
    const file = dashed.map((row, index) =>
      index === 0 ? row : row.with(AMOUNT, `$${row[AMOUNT]}`).with(STATE, row[STATE]!.toUpperCase()),
    )
    await chooseNextUpload(page, dictionary, { name: 'boxes.csv', bytes: Buffer.from(csv(file)) })
    await checked(['rowErrors']).waitFor()
    await button(check(), correctedMessages.copy).click()
    const dialog = await openedDialog(page, correctedMessages.title)
    const all = dialog.getByRole('checkbox', { name: correctedMessages.tickAll })
    await all.check()
    await dialog.locator('[data-question=dateOrder]').getByRole('button').first().click()
    await dialog.locator('[data-question=dateOrder][data-answered]').waitFor()
    await expect.poll(() => all.isChecked()).toBe(true)
    await all.uncheck()
    await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(0)
  })
})
