// `npm test`: everything that a change can break. Checks of the code, unit tests, the server on a real
// database, journeys in a real browser.
import { bootstrap, bundleScript } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'
import { buildPage } from './build-page.mjs'
import { runChecks } from './check.mjs'
import { runTests } from './run-tests.mjs'

await bootstrap()
// Runs beside the tests: if no browser is installed, this downloads one.
const findingBrowser = runTool(['e2e/find-browser.ts'])
const [checks] = await Promise.all([
  runChecks({ guards: false }), // They are among the unit tests.
  runTool([bundleScript], { stdio: 'inherit' }),
  // Before the tests of the server, which may serve the page.
  buildPage(),
])
const tests = await runTests(['--project=unit', '--project=server'])
const { code: browserCode, output } = await findingBrowser
process.stdout.write(output)
const browser =
  browserCode === 0
    ? { passed: 1, failed: 0, failures: [] }
    : { passed: 0, failed: 1, failures: ['e2e/find-browser.ts'] }
// After the others, because they also use all processors.
const journeys = await runTests(['--project=e2e'])

const results = [checks, tests, browser, journeys]
const sum = (count) => results.reduce((total, result) => total + result[count], 0)
// Again at the end: a long run is often read by its last lines only.
for (const failure of results.flatMap(({ failures }) => failures)) console.log(`\n✗ ${failure}`)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') === 0 ? 0 : 1)
