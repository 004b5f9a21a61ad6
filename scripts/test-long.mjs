// `npm run test:long`: what takes too long for `npm test`. Files named `*.long.test.ts` (chaos, rare starts
// of the database, full-size grids), and the long forms of others: kills at every call, twenty times as many
// runs of properties, random calls and files, and all cases of four journeys in a browser.
import { bootstrap, bundleScript } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'
import { buildPage } from './build-page.mjs'
import { runTests } from './run-tests.mjs'

process.env.TEST_LONG = '1'
const settings = { FAULT_ROUNDS: '3', CHAOS_KILLS: '60', FUZZ_CALLS: '5000', FUZZ_UPLOADS: '600' }
for (const [name, value] of Object.entries(settings)) process.env[name] ??= value

await bootstrap()
await Promise.all([runTool([bundleScript], { stdio: 'inherit' }), buildPage()])
const files = [
  '.long.test.ts',
  'packages/engine/',
  'apps/server/src/dictionaries/',
  'apps/server/src/submissions/',
  'apps/server/src/test/authority-matrix',
  'apps/server/src/test/faults',
  'apps/server/src/test/fuzz',
  ...['clerk-stories', 'file-check', 'long-lists', 'one-upload'].map((name) => `e2e/${name}.test`),
]
const { passed, failed } = await runTests(['--project=unit', '--project=server', '--project=e2e', ...files])
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
