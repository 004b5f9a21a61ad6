import './apps/cli/src/require-node.mjs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SECOND = 1000

/**
 * unit: nothing but code. server: real PostgreSQL, one throw-away cluster for the run, a database per test
 * file. e2e: the built page in a real browser against a started portal. Times are ceilings for a busy
 * two-core machine.
 */
export default defineConfig({
  test: {
    // By default vitest leaves one processor to itself, which would be half of a two-core machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/{web,cli}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          testTimeout: 30 * SECOND,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          globalSetup: 'apps/server/src/test/test-cluster.ts',
          testTimeout: 60 * SECOND,
          hookTimeout: 60 * SECOND,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 180 * SECOND,
          hookTimeout: 180 * SECOND,
          // As long as the browser waits for what it looks at; one second, which is the standard, is none on
          // a busy machine.
          expect: { poll: { timeout: 30 * SECOND } },
          // One browser and one portal at a time: the machine is shared by both and the tests.
          fileParallelism: false,
        },
      },
    ],
  },
})
