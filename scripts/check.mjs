// `npm run check`: checks of the code that need no portal and no database.
import { fileURLToPath } from 'node:url'
import { bootstrap } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

const SLOW = 'scripts/guards/dev-server.test.ts'

const lint = ['oxlint/bin/oxlint', '--type-aware']
const advice = 'npm run fix repairs some of it'
const checks = [
  { name: 'format', args: ['oxfmt/bin/oxfmt', '--check', '.'], advice: 'npm run fix' },
  // With what tsc reports, in two thirds of the time of both. The packages of peers are not installed.
  { name: 'lint and types', args: [...lint, '--type-check', '--ignore-pattern=bench/peers/**'], advice },
  { name: 'lint of peers', args: [...lint, 'bench/peers'], advice },
  { name: 'unused', args: ['knip/bin/knip.js'] },
  {
    name: 'guards',
    // But for the one that starts servers, each takes less than a second.
    args: ['vitest/vitest.mjs', 'run', '--project=unit', 'scripts/guards/', `--exclude=${SLOW}`],
  },
]

/** Runs the checks and prints what is wrong. Returns how many passed, and the names of those that failed. */
export async function runChecks({ guards = true } = {}) {
  const chosen = checks.filter(({ name }) => guards || name !== 'guards')
  const failures = []
  // One after the other: the linter uses all processors.
  for (const check of chosen) if (!(await runCheck(check))) failures.push(`check: ${check.name}`)
  return { passed: chosen.length - failures.length, failed: failures.length, failures }
}

/** Runs a check and prints its result. Returns whether it passed. */
async function runCheck({ name, args: [path, ...options], advice }) {
  const begun = Date.now()
  const { code, output } = await runTool([`node_modules/${path}`, ...options])
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(`${output}${advice ? `→ ${advice}\n` : ''}`)
  return code === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap()
  process.exit((await runChecks()).failed === 0 ? 0 : 1)
}
