import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Binaries, program } from '#db/embedded/binaries.ts'
import { DatabaseStartError, isDiskFull } from '#db/embedded/database-start-error.ts'
import { clusterFolder } from '#db/embedded/database-folder.ts'
import { isAlive } from '#db/embedded/processes.ts'
import { accountOf, changeOwner, type ServerAccount } from '#db/embedded/server-account.ts'

/** The database's superuser and the portal's database carry one name. */
export const DATABASE_USER = 'veridict'

/**
 * A cluster on disk: PostgreSQL's data folder, the password of its only user, and who must run its server.
 */
export type Cluster = {
  readonly dataFolder: string
  readonly password: string
  readonly account: ServerAccount
}

const UNFINISHED = 'cluster-unfinished-'

/**
 * The cluster of a place, made when there is none. It is made under another name and renamed when complete,
 * so that a start that dies half-way leaves nothing that looks like a database. Of two that make one at once,
 * the first rename wins.
 */
export function openCluster(
  place: string,
  binaries: Binaries,
  account: ServerAccount,
  isFast: boolean,
): Cluster {
  removeLeftovers(place)
  if (!existsSync(clusterFolder(place))) makeCluster(place, binaries, account, isFast)
  const folder = clusterFolder(place)
  const dataFolder = join(folder, 'data')
  return {
    account: accountOf(dataFolder),
    dataFolder,
    password: readFileSync(join(folder, 'password'), 'utf8').trim(),
  }
}

function makeCluster(place: string, binaries: Binaries, account: ServerAccount, isFast: boolean): void {
  const unfinished = join(place, `${UNFINISHED}${process.pid}`)
  mkdirSync(unfinished, { mode: 0o755 })
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
    if (!existsSync(clusterFolder(place))) renameSync(unfinished, clusterFolder(place))
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function runInitdb(binaries: Binaries, account: ServerAccount, options: string[]): void {
  const fixed = [
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider needs no locale of the machine and still lower-cases every letter of Unicode, not
    // just a–z.
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
    throw new DatabaseStartError('The disk is full: there is no room for a new database.')
  throw new DatabaseStartError(`The database could not be made:\n${output}`)
}

function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(UNFINISHED)) continue
    const maker = Number(name.slice(UNFINISHED.length))
    // In a container a process often gets the number of its predecessor.
    if (maker === process.pid || !isAlive(maker)) rmSync(join(place, name), { recursive: true, force: true })
  }
}
