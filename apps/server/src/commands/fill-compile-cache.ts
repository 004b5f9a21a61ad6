/**
 * Imports the modules while the image is built, so that Node writes their code into NODE_COMPILE_CACHE: a
 * container has a read-only disk, and each start would take half a second of processor time more. A module
 * that is missing here only starts slower.
 */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { validatorEnvironment } from '#platform/validator/process-slot.ts'

const withoutSideEffects = [
  'apps/cli/src/{fresh-bundle,run,commands/*}.ts',
  'apps/server/src/{banner,log,portal}.ts',
  'apps/server/src/commands/{print-line,run-command,seed}.ts',
  'apps/server/src/platform/database/stored-database.ts',
  'apps/server/src/platform/{telemetry/open-telemetry,identity/password-worker}.ts',
  'apps/server/src/platform/storage/*.ts',
]
const ofValidators = ['packages/*/src/**/*.ts']
const isForValidators = process.argv[2] === 'validators'
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const wanted = [...ofValidators, ...(isForValidators ? [] : withoutSideEffects)]
const modules = globSync(wanted, { cwd: root, exclude: ['**/*.test.ts'] })
for (const path of modules) await import(pathToFileURL(root + path).href)
// These have a cache of their own.
if (isForValidators) await import('#platform/validator/validator-process.ts')
else execFileSync(process.execPath, [import.meta.filename, 'validators'], { env: validatorEnvironment() })
process.exit()
