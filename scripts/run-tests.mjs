import { parseArgs } from 'node:util'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bootstrap, root } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

/**
 * Runs vitest and returns how many tests passed and failed, and what failed, for the end of the output. A run
 * without any test, or with an error outside of the tests, counts as one failure.
 */
export async function runTests(args) {
  const report = join(root, '.cache/test-report.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runTool(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], {
    stdio: 'inherit',
    // With the compile cache of `npm start`, the many processes that tests start use an eighth less time.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env },
  })
  const { passed, failed, failures } = resultsOf(report)
  const failedOutside = failed === 0 && (code !== 0 || passed === 0)
  return failedOutside
    ? { passed, failed: 1, failures: [`vitest ${args.join(' ')}: an error outside of the tests, above`] }
    : { passed, failed, failures }
}

/**
 * Runs one test file of the server, which finds the options of the command line in `PREFIX_NAME`, and ends
 * with its result. `options`: by name the default, and the form of a value with the words for it.
 */
export async function runTestWith(file, prefix, options) {
  const known = Object.entries(options).map(([name, [fallback]]) => [
    name,
    { type: 'string', default: fallback },
  ])
  const { values } = parseArgs({ options: Object.fromEntries(known) })
  for (const [name, value] of Object.entries(values)) {
    const [, form = /^\d{1,9}$/, words = 'a whole number'] = options[name]
    if (!form.test(String(value))) {
      console.error(`--${name} must be ${words}, not ${String(value)}.`)
      process.exit(2)
    }
    process.env[`${prefix}_${name.toUpperCase()}`] = value
  }
  await bootstrap()
  const { failed } = await runTests(['--project=server', file])
  process.exit(failed === 0 ? 0 : 1)
}

function resultsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, failureMessages }) =>
          [`${relative(root, name)}: ${fullName}`, ...failureMessages].join('\n'),
        ),
    )
    // No test is skipped on purpose, so a test that did not run counts as failed.
    return { passed: numPassedTests, failed: numFailedTests + numPendingTests, failures }
  } catch {
    return { passed: 0, failed: 1, failures: ['No report of the tests was written'] }
  }
}
