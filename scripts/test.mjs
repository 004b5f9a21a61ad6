// `npm test`: everything. Checks of the code, unit tests, the server on a real database, journeys in a real
// browser.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, bundleScript, pinnedNode, root } from './bootstrap.mjs'
import { buildPage } from './build-page.mjs'
import { runChecks } from './check.mjs'

await bootstrap()
run(bundleScript)
const checks = runChecks()
const code = runTests('unit', 'server')
await buildPage()
// Before the journeys, so that none of them pays for an installation.
const browser = run('e2e/find-browser.ts') === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
// After the others, because a portal and a browser on a busy machine are slower than people's patience, which
// they test.
const journeys = runTests('e2e')

const results = [checks, code, browser, journeys]
const sum = (count) => results.reduce((total, result) => total + result[count], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') === 0 ? 0 : 1)

/**
 * What vitest counted; a run that counts nothing, or fails without a failed test (an error outside of them),
 * is a failure.
 */
function runTests(...projects) {
  const report = join(root, '.cache/test-report.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const chosen = projects.map((project) => `--project=${project}`)
  const status = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...chosen,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  )
  const { passed, failed } = countsOf(report)
  return { passed, failed: failed === 0 && (status !== 0 || passed === 0) ? 1 : failed }
}

function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    // A test that did not run has not passed; none is skipped on purpose here.
    return { passed: numPassedTests, failed: numFailedTests + numPendingTests }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function run(...words) {
  return spawnSync(pinnedNode, words, { cwd: root, stdio: 'inherit' }).status
}
