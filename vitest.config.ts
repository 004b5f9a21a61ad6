import './apps/cli/src/require-node.mjs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const SECOND = 1000
// With the compile cache of `npm start`, the many processes that tests start use an eighth less time.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`
const isLong = process.env.TEST_LONG === '1'
const shared = {
  exclude: isLong ? configDefaults.exclude : [...configDefaults.exclude, '**/*.long.test.ts'],
  // Files of one worker share their modules: evaluating them again took half of the time.
  isolate: false,
  // A larger young generation of the heap is collected less often: 6 % less processor time.
  execArgv: ['--max-semi-space-size=64'],
  // For a machine on which much else runs: a test waits as long as it must, and passes as soon as it can.
  testTimeout: 180 * SECOND,
  hookTimeout: 180 * SECOND,
  expect: { poll: { timeout: 60 * SECOND } },
}

/** Files that take long although they are small: without an earlier run, vitest begins with large ones. */
const LONG_FILES = new RegExp(
  '/(?:accessibility|clerk-stories|crash|embedded-postgres|faults(?:-\\w+)?|filter-range|first-load' +
    '|one-upload|object-storage-journey|order-by-touch|queue|simulate|single-sign-on|storage-identity' +
    '|tracing|way-back|[-\\w]+\\.long)\\.test\\.ts$',
)

/** Begins with the files that take longest, so that no processor waits for one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) => Number(LONG_FILES.test(b.moduleId)) - Number(LONG_FILES.test(a.moduleId)),
    )
  }
}

/**
 * unit: code only. server: PostgreSQL, one temporary cluster, a database for each test file. e2e: the built
 * page in a browser, against a started portal. Timeouts are for a busy two-core machine.
 */
export default defineConfig({
  test: {
    // More than processors, because tests of the server wait for the database, for processes and for time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/{web,cli}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          globalSetup: 'apps/server/src/test/test-cluster.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/demo-data.ts',
          // After all others. One more than processors: a journey waits for a fifth of its time.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
