import { parseArgs } from 'node:util'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bootstrap, root } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

/** A run without any test, or one that does not end by itself, counts as one failure. */
export async function runTests(args) {
  const report = join(root, '.cache/test-report.json')
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runTool(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], {
    stdio: 'inherit',
  })
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const failures = files.flatMap(failuresOf)
  const tests = files.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0)
  const passed = tests - files.flatMap(testsNotPassed).length
  // Also for errors outside of tests, such as in code that still ran after its test.
  if (failures.length === 0 && (code !== 0 || passed === 0))
    failures.push(`vitest ${args.join(' ')} ended with ${code}`)
  return { passed, failed: failures.length, failures }
}

/** No test is skipped on purpose, so a test that did not run counts as failed. */
const testsNotPassed = ({ assertionResults }) => assertionResults.filter(({ status }) => status !== 'passed')

/** A text for each test that did not pass, and for an error of the file itself. */
function failuresOf(file) {
  const name = relative(root, file.name)
  const ofTests = testsNotPassed(file).map(({ fullName, failureMessages }) =>
    [`${name}: ${fullName}`, ...failureMessages].join('\n'),
  )
  return file.message ? [...ofTests, `${name}\n${file.message}`] : ofTests
}

/**
 * Runs one test file, which finds the options of the command line in `PREFIX_NAME`, and ends with its result.
 * `options`: by name the default, and the form of a value with the words for it.
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
