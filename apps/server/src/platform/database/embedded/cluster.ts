import { spawnSync } from 'node:child_process'
import { randomBytes, createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  lstatSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
} from 'node:fs'
import { join } from 'node:path'
import { homedir } from 'node:os'
import { type Binaries, program } from '#platform/database/embedded/binaries.ts'
import { DatabaseStartError, isDiskFull } from '#platform/database/embedded/database-start-error.ts'
import { isAlive } from '#platform/database/embedded/processes.ts'
import {
  accountOf,
  changeOwner,
  serverAccount,
  type ServerAccount,
  canStoreDataIn,
} from '#platform/database/embedded/server-account.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'

/** Name of the superuser and of the portal's database. */
export const DATABASE_USER = 'veridict'

/** `password`: of its only user. `account`: of its server. */
export type Cluster = {
  readonly dataFolder: string
  readonly password: string
  readonly account: ServerAccount
}

const UNFINISHED = 'cluster-unfinished-'

/**
 * Created if there is none: under another name, and renamed when complete, so that an interrupted start
 * leaves nothing that looks like a database. Of two starts at once, the first rename wins.
 */
export function openCluster(
  databaseFolder: string,
  binaries: Binaries,
  account: ServerAccount,
  isFast: boolean,
): Cluster {
  deleteUnfinished(databaseFolder)
  if (!existsSync(clusterFolder(databaseFolder))) createCluster(databaseFolder, binaries, account, isFast)
  protectPassword(passwordFile(databaseFolder), accountOf(dataFolderIn(databaseFolder)))
  return readCluster(databaseFolder)
}

const dataFolderIn = (databaseFolder: string) => join(clusterFolder(databaseFolder), 'data')
const passwordFile = (databaseFolder: string) => join(clusterFolder(databaseFolder), 'password')

export function readCluster(databaseFolder: string): Cluster {
  const dataFolder = dataFolderIn(databaseFolder)
  const password = readFileSync(passwordFile(databaseFolder), 'utf8').trim()
  return { account: accountOf(dataFolder), dataFolder, password }
}

function createCluster(
  databaseFolder: string,
  binaries: Binaries,
  account: ServerAccount,
  isFast: boolean,
): void {
  const unfinished = join(databaseFolder, `${UNFINISHED}${process.pid}`)
  makePrivateFolder(unfinished, account !== null)
  try {
    const password = join(unfinished, 'password')
    writeFileSync(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
    changeOwner(account, password)
    const data = join(unfinished, 'data')
    mkdirSync(data, { mode: 0o700 })
    changeOwner(account, data)
    runInitdb(binaries, account, [
      `--pgdata=${data}`,
      `--pwfile=${password}`,
      ...(isFast ? ['--no-sync'] : []),
    ])
    if (!existsSync(clusterFolder(databaseFolder))) renameSync(unfinished, clusterFolder(databaseFolder))
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Lets only root read it: initdb had to read it as "nobody", an account that other programs have, too. */
function protectPassword(path: string, account: ServerAccount): void {
  const isNobody = account !== null && account.uid === serverAccount()?.uid
  if (isNobody && statSync(path).uid !== 0) chownSync(path, 0, 0)
}

function runInitdb(binaries: Binaries, account: ServerAccount, options: string[]): void {
  const fixed = [
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider needs no locale of the machine, and lower() covers all of Unicode, not only a–z.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]
  const result = spawnSync(program(binaries, 'initdb'), [...fixed, ...options], {
    ...account,
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
  })
  if (result.status === 0) return
  const output = `${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`.trim()
  if (isDiskFull(output))
    throw new DatabaseStartError('The disk is full; there is no space for a new database.')
  throw new DatabaseStartError(`The database could not be created:\n${output}`)
}

/** Deletes clusters that an interrupted start has not completed. */
function deleteUnfinished(databaseFolder: string): void {
  for (const name of readdirSync(databaseFolder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const creator = Number(name.slice(UNFINISHED.length))
    // In a container a process often has the same id as its predecessor.
    if (creator === process.pid || !isAlive(creator))
      rmSync(join(databaseFolder, name), { recursive: true, force: true })
  }
}

/** Has the path of a database stored elsewhere, so that later starts never create a second, empty one. */
const POINTER = 'elsewhere.txt'

export const clusterFolder = (folder: string) => join(folder, 'cluster')

/**
 * `dataDir`/postgres if the server's account can use it, else a folder below /var or home, with a pointer.
 * Throws DatabaseStartError if none is usable, or the stored one no longer holds the database.
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

/** null if there is none. */
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

/** Tries it with a folder inside: other accounts can pass the folder itself, but not list it. */
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
