// `npm test`: everything. Checks of the code, unit tests, the server on a real database, journeys in a real browser.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, pinnedNode, root } from './bootstrap.mjs'
import { buildPage } from './build-page.mjs'
import { runChecks } from './check.mjs'

await bootstrap()
const checks = runChecks()
await buildPage()
// Before the tests, so that none of them pays for an installation.
const browser = run('e2e/find-browser.ts') === 0
const tests = runTests()

const passed = checks.passed + tests.passed
const failed = checks.failed + tests.failed + (browser ? 0 : 1)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** What vitest counted; a run that counts nothing, or fails without a failed test (an error outside of them), is a failure. */
function runTests() {
  const report = join(root, '.cache/test-report.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const status = run('node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`)
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
