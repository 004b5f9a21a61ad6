// `npm run check`: everything about the code that needs no portal and no database.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bootstrap, pinnedNode, root } from './bootstrap.mjs'

const tool = (path, ...words) => [pinnedNode, join(root, 'node_modules', path), ...words]

const checks = [
  { name: 'format', command: tool('oxfmt/bin/oxfmt', '--check', '.'), advice: 'npm run fix' },
  {
    name: 'lint',
    command: tool('oxlint/bin/oxlint', '--type-aware'),
    advice: 'npm run fix mends some of it',
  },
  { name: 'types', command: tool('typescript/bin/tsc') },
  { name: 'unused', command: tool('knip/bin/knip.js') },
]

/** Runs every check and prints what is wrong. Returns how many passed and failed. */
export function runChecks() {
  const failed = checks.filter((check) => !passes(check))
  return { passed: checks.length - failed.length, failed: failed.length }
}

function passes({ name, command: [program, ...words], advice }) {
  const begun = Date.now()
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status !== 0)
    console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}${advice ? `→ ${advice}\n` : ''}`)
  return status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap()
  process.exit(runChecks().failed === 0 ? 0 : 1)
}
