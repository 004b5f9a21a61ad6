/**
 * Imports what a container runs, while its image is built, so that Node writes what V8 compiled into
 * NODE_COMPILE_CACHE. A container has a read-only disk and an empty /tmp: each start would compile all of it
 * again, half a second of processor time. What is not imported here starts slower, and nothing else.
 */
import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Modules that do nothing when they are imported. */
const quiet = [
  'apps/cli/src/{run,commands/*}.ts',
  'apps/server/src/{banner,log,portal}.ts',
  'apps/server/src/commands/{run-command,seed,seed-submissions}.ts',
  'apps/server/src/db/migrations/*.ts',
  'apps/server/src/drivers/{open-telemetry,password-worker}.ts',
  'apps/server/src/drivers/storage/*.ts',
  'packages/*/src/**/*.ts',
]
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const modules = globSync(quiet, { cwd: root, exclude: ['**/*.test.ts'] })
// Last, because it lowers the priority of this process.
for (const path of [...modules, 'apps/server/src/drivers/validator/validator-process.ts'])
  await import(pathToFileURL(root + path).href)
process.exit()
