// `npm run chaos -- --kills 1000 --seed 1`: two servers are killed without warning in every stage of their
// work, with the files on a local disk and in an object store. Nothing may be lost, stored twice or left
// incomplete.
// `--group local:3` runs one group of the schedule again, as a reported violation names it.
import { parseArgs } from 'node:util'
import { bootstrap } from './bootstrap.mjs'
import { runTests } from './run-tests.mjs'

const patterns = { kills: /^\d{1,9}$/, seed: /^\d{1,9}$/, group: /^(?:local|s3):\d{1,6}$/ }
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    group: { type: 'string' },
  },
})
for (const [name, value] of Object.entries(values)) {
  if (patterns[name].test(value)) process.env[`CHAOS_${name.toUpperCase()}`] = value
  else {
    console.error(
      `--${name} must be ${name === 'group' ? 'local or s3, a colon and' : ''} a number, not ${value}.`,
    )
    process.exit(2)
  }
}
process.env.TEST_LONG = '1'
await bootstrap()
const { failed } = await runTests(['--project=server', 'apps/server/src/test/chaos.long.test.ts'])
process.exit(failed === 0 ? 0 : 1)
