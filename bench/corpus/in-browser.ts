import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Field } from '@veridict/contract/model/field'
import { proposeFile } from '@veridict/engine-node'
import { openBrowser } from '../../e2e/browser.ts'
import { compareChecks, type CheckComparison } from '../../e2e/browser-check.ts'
import { startPortal } from '../../e2e/portal.ts'
import { type CorpusCase, fieldsOf, fileNameOf } from './corpus-case.ts'

export type BrowserChecker = {
  /** How the check on the page differs from the command line, in words; null if it does not. */
  compare(corpusCase: CorpusCase): Promise<string | null>
  close(): Promise<void>
}

/** Checks the cases of a corpus on the page of a portal of its own, and with the command line. */
export async function openBrowserChecker(folder: string): Promise<BrowserChecker> {
  const portal = await startPortal()
  const browser = await openBrowser()
  const checks = await compareChecks(portal, browser)
  return {
    compare: (corpusCase) =>
      compare(corpusCase, folder, checks).catch((error: unknown) => `threw ${String(error)}`),
    async close() {
      await checks.close()
      await browser.close()
      await portal.close()
    },
  }
}

async function compare(
  corpusCase: CorpusCase,
  folder: string,
  checks: CheckComparison,
): Promise<string | null> {
  const path = join(folder, corpusCase.file)
  const name = fileNameOf(corpusCase)
  const fields = (await fieldsOf(corpusCase, folder)) ?? (await proposed(path, name))
  const checkCase = { content: readFileSync(path), name, fields }
  const onPage = await checks.inPage(checkCase)
  const expected = await checks.onCommandLine(checkCase)
  // The page accepts no other endings; to the command line such a file is unreadable.
  if (onPage.kind === 'refused')
    return expected.verdict === 'fileProblem' ? null : `the page refuses it: ${onPage.reason}`
  if (isDeepStrictEqual(onPage.figures, expected)) return null
  return `is ${JSON.stringify(onPage.figures)} on the page, ${JSON.stringify(expected)} on the command line`
}

/** For a case without a dictionary: the fields that its values suggest, so that every cell is checked. */
async function proposed(path: string, name: string): Promise<readonly Field[]> {
  const result = await proposeFile(path, name)
  return result.kind === 'proposal' && result.proposal.fields.length > 0
    ? result.proposal.fields
    : [{ name: 'Id', description: '', category: '', required: true, rule: { type: 'text' } }]
}
