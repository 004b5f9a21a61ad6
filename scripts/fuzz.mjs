// `npm run fuzz -- --calls 50000 --uploads 20000 --seed 1`: random calls made from the OpenAPI document, and
// random changes of the samples. None may end with 5xx. The same seed gives the same calls and files.
import { runTestWith } from './run-tests.mjs'

await runTestWith('apps/server/src/test/fuzz.test.ts', 'FUZZ', {
  calls: ['50000'],
  uploads: ['20000'],
  seed: ['1'],
})
