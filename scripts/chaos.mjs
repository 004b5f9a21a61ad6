// `npm run chaos -- --kills 1000 --seed 1`: two servers are killed without warning in every stage of their
// work, with the files on a local disk and in an object store. Nothing may be lost, stored twice or left
// incomplete.
// `--group local:3` runs one group of the schedule again, as a reported violation names it.
import { runTestWith } from './run-tests.mjs'

process.env.TEST_LONG = '1'
await runTestWith('apps/server/src/test/chaos.long.test.ts', 'CHAOS', {
  kills: ['1000'],
  seed: ['1'],
  group: [undefined, /^(?:local|s3):\d{1,6}$/, 'local or s3, a colon and a number'],
})
