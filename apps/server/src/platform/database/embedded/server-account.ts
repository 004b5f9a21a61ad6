import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'

/** The account of the database processes; null is our own. PostgreSQL refuses to run as root. */
export type ServerAccount = { readonly uid: number; readonly gid: number } | null

/** The user "nobody" of Linux; the id needs no entry in /etc/passwd. */
const NOBODY = 65_534

export const serverAccount = (): ServerAccount =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null

/** Its owner, also for root: one start with sudo does no harm. Throws DatabaseStartError for other users'. */
export function accountOf(dataFolder: string): ServerAccount {
  const { uid, gid } = statSync(dataFolder)
  if (process.getuid?.() === 0) return { uid, gid }
  if (uid === process.getuid?.()) return null
  throw new DatabaseStartError(
    `The database in ${dataFolder} belongs to another user of this machine (id ${uid}). ` +
      'Start as that user (or as root), or set DATA_DIR to another folder.',
  )
}

export function changeOwner(account: ServerAccount, path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

/**
 * Tried, with the mode 0700 that PostgreSQL demands: mode bits say nothing about access lists, mount options
 * (many mounts ignore chmod) and the folders above.
 */
export function canStoreDataIn(folder: string, account: ServerAccount): boolean {
  chmodSync(folder, 0o700)
  if ((statSync(folder).mode & 0o777) !== 0o700) return false
  return succeeds(account, '/bin/sh', '-c', 'test -x "$0" && test -w "$0"', folder)
}

/** Whether the account can run this program and load its libraries; tried with --version. */
export const canRun = (program: string, account: ServerAccount): boolean =>
  succeeds(account, program, '--version')

/** Root in some containers cannot. */
export const canSwitchTo = (account: ServerAccount): boolean =>
  account === null || succeeds(account, '/bin/sh', '-c', ':')

const succeeds = (account: ServerAccount, program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { ...account, cwd: '/', stdio: 'ignore' }).status === 0
