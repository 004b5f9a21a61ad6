// `npm run corpus -- <folder>`: runs every case of a corpus (`manifest.jsonl`, one case a line) and prints
// the cases with another result than expected, then `N passed, N failed`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkCase } from './check-case.ts'
import type { CorpusCase } from './corpus-case.ts'

const [folder, ...rest] = process.argv.slice(2)
const manifest = folder === undefined ? '' : join(folder, 'manifest.jsonl')
if (rest.length > 0 || !existsSync(manifest)) {
  console.error('npm run corpus -- <folder>: one folder with a manifest.jsonl is needed.')
  process.exit(2)
}
const cases = readFileSync(manifest, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as CorpusCase)
let failed = 0
for (const corpusCase of cases) {
  const failure = await checkCase(corpusCase, folder)
  if (failure === null) continue
  failed++
  console.log(`${corpusCase.id} (${corpusCase.kind}, ${corpusCase.expect}): ${failure}`)
}
console.log(`${cases.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
