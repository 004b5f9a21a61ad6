/**
 * Imports the modules of the program while its image is built, so that Node writes their compiled code into
 * NODE_COMPILE_CACHE. A container has a read-only disk and an empty /tmp: without the cache, each start would
 * compile all modules, half a second of processor time. A module that is missing here only starts slower.
 */
import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Modules without side effects when they are imported. */
const withoutSideEffects = [
  'apps/cli/src/{run,commands/*}.ts',
  'apps/server/src/{banner,log,portal}.ts',
  'apps/server/src/commands/{run-command,seed,seed-submissions}.ts',
  'apps/server/src/db/migrations/*.ts',
  'apps/server/src/drivers/{open-telemetry,password-worker}.ts',
  'apps/server/src/drivers/storage/*.ts',
  'packages/*/src/**/*.ts',
]
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const modules = globSync(withoutSideEffects, { cwd: root, exclude: ['**/*.test.ts'] })
// Last, because it lowers the priority of this process.
for (const path of [...modules, 'apps/server/src/drivers/validator/validator-process.ts'])
  await import(pathToFileURL(root + path).href)
process.exit()
