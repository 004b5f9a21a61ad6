import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { DatabaseStartError } from '#db/embedded/database-start-error.ts'

/**
 * Who the database processes run as: ourselves, or, because PostgreSQL refuses to run as root, the overflow
 * id.
 */
export type ServerAccount = { readonly uid: number; readonly gid: number } | null

/** "nobody" on Linux. The id needs no entry in /etc/passwd, so nothing has to be created on the machine. */
const NOBODY = 65_534

/** The account for a new database; null = run as ourselves. */
export const serverAccount = (): ServerAccount =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null

/**
 * The account for a database that exists: root serves it as its owner, so that a start with sudo in between
 * does no harm.
 * @throws DatabaseStartError when it belongs to somebody else and we are not root.
 */
export function accountOf(dataFolder: string): ServerAccount {
  const { uid, gid } = statSync(dataFolder)
  if (process.getuid?.() === 0) return { uid, gid }
  if (uid === process.getuid?.()) return null
  throw new DatabaseStartError(
    `The database in ${dataFolder} belongs to another user of this machine (number ${uid}). ` +
      'Start as that user (or as root), or give this start a folder of its own with DATA_DIR.',
  )
}

/** Hands a file or folder to the account of the server; for an ordinary user it already belongs to it. */
export function changeOwner(account: ServerAccount, path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

/**
 * Whether the account can enter `folder` and write in it, and whether its mode can be narrowed to 0700 as
 * PostgreSQL demands of its data (mounts of foreign file systems often ignore chmod). Asked by doing: mode
 * bits alone would miss access lists, mount options and the folders above.
 */
export function canKeepDataIn(folder: string, account: ServerAccount): boolean {
  chmodSync(folder, 0o700)
  if ((statSync(folder).mode & 0o777) !== 0o700) return false
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$0" && test -w "$0"', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  })
  return probe.status === 0
}

/** Whether the account can run this program (and load its libraries): it is asked for its version. */
export function canRun(program: string, account: ServerAccount): boolean {
  const probe = spawnSync(program, ['--version'], { ...account, cwd: '/', stdio: 'ignore' })
  return probe.status === 0
}

/**
 * Whether this process may become the account at all; a root without the right to do so exists in some
 * containers.
 */
export function canSwitchTo(account: ServerAccount): boolean {
  return (
    account === null ||
    spawnSync('/bin/sh', ['-c', ':'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}
