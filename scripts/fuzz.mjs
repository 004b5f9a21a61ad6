// `npm run fuzz -- --calls 50000 --uploads 20000 --seed 1`: random calls made from the OpenAPI document, and
// random changes of the samples. None may end with 5xx. The same seed gives the same calls and files.
import { parseArgs } from 'node:util'
import { bootstrap } from './bootstrap.mjs'
import { runTests } from './run-tests.mjs'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '50000' },
    uploads: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
})
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) process.env[`FUZZ_${name.toUpperCase()}`] = value
  else {
    console.error(`--${name} must be a whole number, not ${value}.`)
    process.exit(2)
  }
}
await bootstrap()
const { failed } = await runTests(['--project=server', 'apps/server/src/test/fuzz.test.ts'])
process.exit(failed === 0 ? 0 : 1)
