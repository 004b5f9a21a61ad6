// `npm run corpus -- <folder>`: runs every case of a corpus (`manifest.jsonl`, one case a line) and prints
// the cases with another result than expected, then `N passed, N failed`. With `--in-browser`, the expected
// result is that of the command line, and a portal's page checks the file, as before an upload.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkCase } from './check-case.ts'
import type { CorpusCase } from './corpus-case.ts'

const [folder, ...rest] = process.argv.slice(2)
const isInBrowser = rest[0] === '--in-browser'
const manifest = folder === undefined ? '' : join(folder, 'manifest.jsonl')
if (rest.length > (isInBrowser ? 1 : 0) || !existsSync(manifest)) {
  console.error('npm run corpus -- <folder> [--in-browser]: one folder with a manifest.jsonl is needed.')
  process.exit(2)
}
const cases = readFileSync(manifest, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as CorpusCase)
const browser = isInBrowser ? await (await import('./in-browser.ts')).openBrowserChecker(folder) : null
let failed = 0
for (const corpusCase of cases) {
  const failure = await (browser === null ? checkCase(corpusCase, folder) : browser.compare(corpusCase))
  if (failure === null) continue
  failed++
  console.log(`${corpusCase.id} (${corpusCase.kind}, ${corpusCase.expect}): ${failure}`)
}
await browser?.close()
console.log(`${cases.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
