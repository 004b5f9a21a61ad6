import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExitCode } from '#exit-code.ts'
import { checkCase } from '#corpus/check-case.ts'
import type { CorpusCase } from '#corpus/corpus-case.ts'
import { opening } from '#open-file.ts'
import { print } from '#print/print.ts'

/**
 * `veridict corpus DIR`: runs every case of a corpus (`manifest.jsonl`, one case a line) and compares with
 * what the case expects. Prints the failures and a closing line `N passed, N failed`.
 */
export async function runCorpus(folder: string): Promise<ExitCode> {
  const manifest = await opening(folder, () => readFileSync(join(folder, 'manifest.jsonl'), 'utf8'))
  const cases = manifest
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CorpusCase)
  let failed = 0
  for (const corpusCase of cases) {
    const failure = await checkCase(corpusCase, folder)
    if (failure === null) continue
    failed++
    print(`${corpusCase.id} (${corpusCase.kind}, ${corpusCase.expect}): ${failure}\n`)
  }
  print(`${cases.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? ExitCode.Passed : ExitCode.NotPassed
}
