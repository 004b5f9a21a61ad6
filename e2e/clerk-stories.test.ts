import { readFileSync } from 'node:fs'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { correctedMessages, reportMessages } from '@veridict/contract/messages/report'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fieldsOfStories, stories, type Story } from '../packages/engine/test/clerk-stories.ts'
import { isLong } from '../packages/engine/test/runs.ts'
import { adminClient } from './admin-client.ts'
import { beginJourneys } from './journeys.ts'
import { button, chooseNextUpload, heading, openedDialog, openTab, uploadedPanel } from './visit.ts'

/** The stories of the engine that look different on the page, walked as the clerk walks them. */

const dictionary = 'Stories'
let page: Page

beginJourneys(async (portal, browser) => {
  const admin = await adminClient(portal.url)
  await admin.createDictionary(dictionary, fieldsOfStories.map(fieldToBody), 'Northwind Health')
  page = await openTab(browser, portal, 'clerk@example.com')
})

type File = { name: string; bytes: Uint8Array }

const storyOf = (mistake: string): Story => {
  const story = stories.find((one) => one.mistake === mistake)
  if (story === undefined) throw new Error(`The engine has no story of ${mistake}.`)
  return story
}
const textFile = (name: string, text: string): File => ({ name, bytes: Buffer.from(text) })

const verdict = () => page.getByRole('region', { name: reportMessages.notAccepted })
const causes = () => verdict().locator('[data-cause]')
const uploaded = () => uploadedPanel(page)

/** Sends the file that is chosen, and waits for its status on the page. */
async function send(status: string): Promise<void> {
  await button(page, 'Upload').click()
  await uploaded().getByText(status, { exact: true }).waitFor()
}

/** Uploads a file with errors, and opens its report. */
async function uploadWithErrors(file: File): Promise<void> {
  await chooseNextUpload(page, dictionary, file)
  await sendWithErrors(file.name)
}

async function sendWithErrors(name: string): Promise<void> {
  await send(submissionMessages.validationError)
  await uploaded().getByRole('link', { name: submissionMessages.viewErrors }).click()
  await heading(page, name).waitFor()
}

/** Follows the link that the page offers, and chooses the next file; the dictionary is chosen already. */
async function chooseNext(link: Locator, { name, bytes }: File): Promise<void> {
  await link.click()
  await heading(page, 'Upload new file').waitFor()
  await expect
    .poll(() => page.getByLabel('Data dictionary', { exact: true }).first().inputValue())
    .toBe(dictionary)
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) })
}

/** The message and the advice of each cause that the page shows. */
const sentences = () =>
  causes().evaluateAll((lines) =>
    lines.map((line) => {
      const texts = [...line.querySelectorAll('p')].map((paragraph) => paragraph.textContent)
      return `${texts[0]} ${texts.at(-1)}`
    }),
  )
const kinds = () => causes().evaluateAll((lines) => lines.map((line) => (line as HTMLElement).dataset.cause))

/** Ticks the first cause that has suggestions, and downloads the copy, of which the dialog says this. */
async function downloadCopy(says: string | RegExp): Promise<File> {
  await button(causes().first(), reportMessages.correct).click()
  const dialog = await openedDialog(page, correctedMessages.title)
  await dialog.getByText(says, { exact: true }).waitFor()
  const started = page.waitForEvent('download')
  await button(dialog, correctedMessages.download).click()
  const download = await started
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

const note = () => page.getByRole('status').filter({ hasText: correctedMessages.doneTitle })

type Walk = { mistake: string; changes: number[] }

/** One cause, and two of which one is left after the first copy. */
const walks: Walk[] = [
  { mistake: 'a placeholder for what is not known', changes: [23] },
  { mistake: 'a list typed from memory', changes: [67, 67] },
]

/** The same clicks on other causes, whose sentences and copies the engine's tests of the stories prove. */
const moreWalks: Walk[] = [
  { mistake: 'dates as her database writes them', changes: [200] },
  { mistake: 'German numbers and semicolons', changes: [200] },
  { mistake: 'cities whose letters another program broke', changes: [150] },
  { mistake: 'case numbers and postcodes that went through a table of floats', changes: [200, 180, 20] },
]

describe('A clerk reads the causes, ticks one after the other, and her copy is accepted:', () => {
  it.for(isLong ? [...walks, ...moreWalks] : walks)('$mistake', async ({ mistake, changes }) => {
    const story = storyOf(mistake)
    let file = textFile(`${mistake}.csv`, story.file)
    await uploadWithErrors(file)
    await expect.poll(kinds).toEqual(story.kinds)
    await expect.poll(async () => (await sentences()).join(' ')).toMatch(story.says)
    for (const [round, changed] of changes.entries()) {
      const remaining = changes.slice(round + 1).reduce((sum, count) => sum + count, 0)
      file = await downloadCopy(correctedMessages.outcome(changed, remaining))
      await note().getByText(correctedMessages.changed(changed)).waitFor()
      await chooseNext(note().getByRole('link', { name: reportMessages.uploadCorrected }), file)
      if (remaining === 0) break
      await sendWithErrors(file.name)
      const texts = [
        reportMessages.fixed(changed),
        reportMessages.remaining(remaining),
        reportMessages.isNew(0),
      ]
      for (const text of texts) await verdict().getByText(text, { exact: true }).waitFor()
      await expect.poll(kinds).toEqual(story.kinds.slice(round + 1))
    }
    await send(submissionMessages.success)
    const allFixed = new RegExp(submissionMessages.allFixed(changes.at(-1)!, String.raw`\d\d:\d\d today`))
    await uploaded().getByText(allFixed).waitFor()
    await uploaded().getByRole('link', { name: receiptMessages.receipt }).click()
    await heading(page, receiptMessages.receipt).waitFor()
    await page.getByText(allFixed).waitFor()
  })

  it('day and month swapped, also where that gives another valid date', async () => {
    const story = storyOf('day and month swapped by American settings')
    await uploadWithErrors(textFile('swapped.csv', story.file))
    await expect.poll(async () => (await sentences()).join(' ')).toMatch(story.says)
    const file = await downloadCopy(/The copy swaps them back\.$/)
    expect(file.bytes.toString()).toBe(story.repaired)
    await chooseNext(note().getByRole('link', { name: reportMessages.uploadCorrected }), file)
    await send(submissionMessages.success)
  })
})

describe('A clerk follows the advice where no copy can help, and her file is accepted:', () => {
  it.for([{ mistake: 'case numbers that Excel shortened' }])('$mistake', async ({ mistake }) => {
    const story = storyOf(mistake)
    await uploadWithErrors(textFile(`${mistake}.csv`, story.file))
    await expect.poll(kinds).toEqual(story.kinds)
    await expect.poll(async () => (await sentences()).join(' ')).toMatch(story.says)
    await expect.poll(() => button(verdict(), reportMessages.correct).count()).toBe(0)
    const link = page.getByRole('link', { name: reportMessages.uploadCorrected })
    await chooseNext(link, textFile(`${mistake} 2.csv`, story.repaired!))
    await send(submissionMessages.success)
  })

  it.for([{ mistake: 'an export without the heading row' }, { mistake: 'a title above the heading row' }])(
    '$mistake',
    async ({ mistake }) => {
      const story = storyOf(mistake)
      await uploadWithErrors(textFile(`${mistake}.csv`, story.file))
      const said = async () => (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
      await expect.poll(said).toMatch(story.says)
      const link = page.getByRole('link', { name: 'Upload new file' })
      await chooseNext(link, textFile(`${mistake} 2.csv`, story.repaired!))
      await send(submissionMessages.success)
    },
  )
})
