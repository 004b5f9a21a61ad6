import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldToBody, fieldToWire } from '@veridict/contract/api/wire-field'
import type { Field } from '@veridict/contract/model/field'
import type { Browser, Page } from 'playwright-core'
import { adminClient } from './admin-client.ts'
import type { Portal } from './portal.ts'
import { choose, openTab, closeTab } from './visit.ts'

/** A file, the name that it is uploaded under, and the dictionary to check it by. */
export type CheckCase = { content: Uint8Array; name: string; fields: readonly Field[] }

/** A verdict in figures, by the names of the command line; null where it has none. */
export type VerdictFigures = {
  verdict: string
  recordsCount: number | null
  errorRowCount: number | null
  cellErrorCount: number | null
  errorType: number | null
}

/** `refused`: the page does not accept such a file, and says why. Times in milliseconds. */
export type PageCheck =
  | { kind: 'checked'; figures: VerdictFigures; milliseconds: number; longestTask: number | null }
  | { kind: 'refused'; reason: string }

export type CheckComparison = {
  inPage(checkCase: CheckCase): Promise<PageCheck>
  onCommandLine(checkCase: CheckCase): Promise<VerdictFigures>
  page: Page
  close(): Promise<void>
}

/** Checks files on the page of a portal, before an upload, and with the command line. */
export async function compareChecks(portal: Portal, browser: Browser): Promise<CheckComparison> {
  const folder = mkdtempSync(join(tmpdir(), 'veridict-checks-'))
  const admin = await adminClient(portal.url)
  const page = await openTab(browser, portal, 'clerk@example.com')
  let dictionaries = 0
  const fileOf = ({ content, name }: CheckCase) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  return {
    page,
    async inPage(checkCase) {
      const dictionary = await admin.createDictionary(
        `Check ${++dictionaries}`,
        checkCase.fields.map(fieldToBody),
        'Northwind Health',
      )
      try {
        await page.goto('/home/fileUpload')
        await choose(page, 'Data dictionary', dictionary.name)
        await page.locator('input[type=file]').setInputFiles(fileOf(checkCase))
        return await resultOf(page)
      } finally {
        await admin.deleteDictionary(dictionary.id)
      }
    },
    async onCommandLine(checkCase) {
      const dictionary = join(folder, 'dictionary.json')
      const fields = checkCase.fields.map(fieldToWire)
      writeFileSync(dictionary, JSON.stringify({ name: 'Check', fields }))
      return runCommandLine(['validate', fileOf(checkCase), '--dictionary', dictionary, '--json'])
    },
    async close() {
      await closeTab(page)
      rmSync(folder, { recursive: true })
    },
  }
}

async function resultOf(page: Page): Promise<PageCheck> {
  const done = page.locator('[data-check]:not([data-check=running])')
  const refusal = page.locator('#main [role=alert], form [role=alert]')
  await done.or(refusal).first().waitFor()
  if ((await done.count()) === 0) return { kind: 'refused', reason: (await refusal.textContent()) ?? '' }
  const attribute = (name: string) => done.getAttribute(`data-${name}`)
  const number = async (name: string) => {
    const text = await attribute(name)
    return text === null ? null : Number(text)
  }
  return {
    kind: 'checked',
    figures: {
      verdict: (await attribute('check')) ?? '',
      recordsCount: await number('records'),
      errorRowCount: await number('error-rows'),
      cellErrorCount: await number('cell-errors'),
      errorType: await number('error-type'),
    },
    milliseconds: (await number('milliseconds')) ?? NaN,
    longestTask: await number('longest-task'),
  }
}

const PROGRAM = join(import.meta.dirname, '../apps/cli/src/main.mjs')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** The exit code of a file with errors is 1; any other failure has no JSON on its output. */
const runCommandLine = (args: string[]): Promise<VerdictFigures> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [PROGRAM, ...args],
      { maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        if (stdout === '') return reject(new Error(stderr, { cause: error }))
        const { verdict, recordsCount, errorRowCount, cellErrorCount, errorType } = JSON.parse(stdout)
        resolve({ verdict, recordsCount, errorRowCount, cellErrorCount, errorType })
      },
    )
  })
