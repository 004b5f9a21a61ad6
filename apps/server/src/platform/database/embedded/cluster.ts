import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
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
} from 'node:fs'
import { join } from 'node:path'
import { type Binaries, program } from '#platform/database/embedded/binaries.ts'
import { DatabaseStartError, isDiskFull } from '#platform/database/embedded/database-start-error.ts'
import { clusterFolder } from '#platform/database/embedded/database-folder.ts'
import { isAlive } from '#platform/database/embedded/processes.ts'
import {
  accountOf,
  changeOwner,
  serverAccount,
  type ServerAccount,
} from '#platform/database/embedded/server-account.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'

/** Name of the superuser and of the portal's database. */
export const DATABASE_USER = 'veridict'

/**
 * A cluster on disk: PostgreSQL's data folder, the password of its only user, and the account of its server.
 */
export type Cluster = {
  readonly dataFolder: string
  readonly password: string
  readonly account: ServerAccount
}

const UNFINISHED = 'cluster-unfinished-'

/**
 * The cluster in `databaseFolder`, created if there is none: under another name, and renamed when complete,
 * so that an interrupted start leaves nothing that looks like a database. If two starts create one at once,
 * the first rename wins.
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

/** The cluster that `databaseFolder` has already. */
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

/**
 * Makes root the only reader of the password. initdb had to read it as "nobody", the account of the server,
 * but other programs run as that account, too.
 */
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
