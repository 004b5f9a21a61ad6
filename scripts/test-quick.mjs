// `npm run test:quick`: the checks, the guards, and the tests of what has changed since the branch left main,
// or, on main, since the last commit. At most 90 seconds on two cores: the slowest tests run only for changes
// in their own folder, journeys in the browser not at all.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bootstrap, bundleScript, root } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'
import { runChecks } from './check.mjs'
import { runTests } from './run-tests.mjs'

/** Tests that take six seconds or more, most of it waiting for timeouts: together half of the server's. */
const SLOW = [
  'apps/server/src/platform/database/embedded-postgres.test.ts',
  'apps/server/src/platform/validator/validator-pool.test.ts',
  'apps/server/src/submissions/open-error-file.test.ts',
  'apps/server/src/submissions/submission-life.test.ts',
  'apps/server/src/test/stop.test.ts',
  'apps/server/src/test/live.test.ts',
  'apps/server/src/test/queue.test.ts',
]

const missing = SLOW.filter((test) => !existsSync(join(root, test)))
if (missing.length > 0)
  throw new Error(`SLOW in test-quick.mjs names tests that do not exist: ${missing.join(', ')}`)

await bootstrap()
const base = baseOfChange()
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
const related = await testsRelatedTo(base)
const isSkipped = (test) => SLOW.includes(test) && !changed.some((file) => dirname(file) === dirname(test))
const skipped = related.filter(isSkipped)

const checks = await runChecks()
await runTool([bundleScript], { stdio: 'inherit' })
const tests = await runTests([
  '--project=unit',
  '--project=server',
  'scripts/',
  ...foldersTestedWhole(),
  ...related.filter((test) => !isSkipped(test)),
])

const failed = checks.failed + tests.failed
console.log(`\nChanged since ${base}: ${changed.length} files. Journeys in the browser did not run.`)
if (skipped.length > 0) console.log(`Too slow to run here: ${skipped.join(', ')}. Everything: npm test`)
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** The commit where this branch left main; on main the last commit, or its parent if nothing has changed. */
function baseOfChange() {
  const main = ['origin/main', 'main', 'HEAD'].find((name) => tryGit('rev-parse', '--verify', '-q', name))
  const [base] = git('merge-base', 'HEAD', main)
  const [head] = git('rev-parse', 'HEAD')
  const isClean = git('status', '--porcelain').length === 0
  return base === head && isClean && tryGit('rev-parse', '--verify', '-q', 'HEAD~1') ? 'HEAD~1' : base
}

/** Test files that import a changed file, directly or through others. */
async function testsRelatedTo(base) {
  // Into a file, because Node prints warnings into the output.
  const list = join(root, '.cache/related-tests.json')
  mkdirSync(dirname(list), { recursive: true })
  const projects = ['--project=unit', '--project=server']
  const args = ['list', '--filesOnly', `--json=${list}`, '--changed', base, ...projects]
  const { code, output } = await runTool(['node_modules/vitest/vitest.mjs', ...args])
  if (code !== 0) throw new Error(output)
  return JSON.parse(readFileSync(list, 'utf8')).map(({ file }) => relative(root, file))
}

/** Folders whose tests start a changed program or read a changed file, which their imports do not show. */
function foldersTestedWhole() {
  const folders = [
    { sources: /^(apps\/cli|packages\/engine-node)\//, folder: 'apps/cli/' },
    { sources: /^packages\/engine\/.*\.json$/, folder: 'packages/engine/' },
    { sources: /^packages\/engine\/README\.md$/, folder: 'packages/engine-node/' },
  ]
  return folders
    .filter(({ sources }) => changed.some((file) => sources.test(file)))
    .map(({ folder }) => folder)
}

function git(...args) {
  const output = execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: root, encoding: 'utf8' })
  return output.split('\n').filter(Boolean)
}

function tryGit(...args) {
  try {
    return git(...args).length > 0
  } catch {
    return false
  }
}
