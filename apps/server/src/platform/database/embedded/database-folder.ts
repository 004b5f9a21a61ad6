import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makePrivateFolder } from '#platform/private-folder.ts'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import {
  canStoreDataIn,
  changeOwner,
  type ServerAccount,
} from '#platform/database/embedded/server-account.ts'

/**
 * File in DATA_DIR/postgres with the path of a database that is stored elsewhere. Later starts read it and so
 * never create a second, empty database.
 */
const POINTER = 'elsewhere.txt'

export const clusterFolder = (folder: string) => join(folder, 'cluster')

/**
 * The folder for the database of `dataDir`: `dataDir`/postgres if the account of the server can use it, else
 * a folder below /var (or the home folder), whose path is stored in a pointer file.
 * @throws DatabaseStartError if no folder is usable, or the stored one no longer holds the database.
 */
export function chooseDatabaseFolder(dataDir: string, account: ServerAccount): string {
  const usual = join(dataDir, 'postgres')
  makePrivateFolder(usual, account !== null)
  const pointer = join(usual, POINTER)
  if (existsSync(pointer)) return readPointer(pointer)
  if (existsSync(clusterFolder(usual)) || isUsable(usual, account)) return usual
  for (const folder of otherFolders(dataDir, account)) {
    if (isUsable(folder, account)) return folder
  }
  throw new DatabaseStartError(
    `The database can be stored neither in ${usual} nor below /var: ` +
      'the account that runs PostgreSQL cannot write there. ' +
      'Set DATA_DIR to a folder on a local disk that all accounts can enter, or set DATABASE_URL.',
  )
}

/** The folder that holds the database of `dataDir` already; null if there is none. */
export function findDatabaseFolder(dataDir: string): string | null {
  const usual = join(dataDir, 'postgres')
  const pointer = join(usual, POINTER)
  if (existsSync(pointer)) return readPointer(pointer)
  return existsSync(clusterFolder(usual)) ? usual : null
}

/** Call it when the folder holds the database: a pointer to an empty folder would block later starts. */
export function rememberDatabaseFolder(dataDir: string, folder: string): void {
  const usual = join(dataDir, 'postgres')
  if (folder !== usual) writeFileSync(join(usual, POINTER), `${folder}\n`)
}

function readPointer(pointer: string): string {
  const folder = readFileSync(pointer, 'utf8').trim()
  if (existsSync(clusterFolder(folder))) return folder
  throw new DatabaseStartError(
    `The database is missing: according to ${pointer}, it was stored in ${folder}. ` +
      `Restore it, or delete ${pointer} to start with an empty database.`,
  )
}

/** The hash gives each DATA_DIR of this machine its own folder. */
function otherFolders(dataDir: string, account: ServerAccount): string[] {
  const name = `veridict-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)}`
  return account
    ? [join('/var/lib', name), join('/var/tmp', name)]
    : [join(homedir(), '.local/share', name), join('/var/tmp', name)]
}

/**
 * Whether the account of the server can store data in a folder, tried with a folder in it. Other accounts can
 * pass the folder itself, but not list it.
 */
function isUsable(folder: string, account: ServerAccount): boolean {
  try {
    makePrivateFolder(folder, account !== null)
    // In a shared folder, another account could replace a folder that it created.
    const status = lstatSync(folder)
    if (!status.isDirectory() || status.uid !== process.getuid?.()) return false
    const trial = mkdtempSync(join(folder, 'trial-'))
    changeOwner(account, trial)
    const canStore = canStoreDataIn(trial, account)
    rmdirSync(trial)
    return canStore
  } catch {
    return false
  }
}
