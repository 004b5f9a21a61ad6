import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseStartError } from '#db/embedded/database-start-error.ts'
import { canKeepDataIn, changeOwner, type ServerAccount } from '#db/embedded/server-account.ts'

/**
 * In DATA_DIR/postgres: the path of a place elsewhere. A later start reads it, so that it never makes a
 * second, empty database.
 */
const POINTER = 'elsewhere.txt'

/** The folder below a place that holds the cluster, once it is complete. */
export const clusterFolder = (place: string) => join(place, 'cluster')

/**
 * The folder that holds the database of `dataDir`: `dataDir`/postgres whenever the account of the server can
 * work there, else a folder of its own below /var (or the home folder), remembered by a pointer file.
 *
 * @throws DatabaseStartError when no folder is fit, or when the remembered one has lost the database.
 */
export function chooseDatabaseFolder(dataDir: string, account: ServerAccount): string {
  const usual = join(dataDir, 'postgres')
  mkdirSync(usual, { recursive: true })
  const pointer = join(usual, POINTER)
  if (existsSync(pointer)) return rememberedPlace(pointer)
  if (existsSync(clusterFolder(usual)) || isFit(usual, account)) return usual
  for (const place of placesElsewhere(dataDir, account)) {
    if (isFit(place, account)) return place
  }
  throw new DatabaseStartError(
    `The database can be kept neither in ${usual} nor in a folder of its own below /var: the account that runs PostgreSQL cannot write there. ` +
      'Point DATA_DIR to a folder on a local disk that everybody may enter, or set DATABASE_URL.',
  )
}

/**
 * To be called once the place holds the database: a pointer to a place that was never filled would only block
 * later starts.
 */
export function rememberDatabaseFolder(dataDir: string, place: string): void {
  const usual = join(dataDir, 'postgres')
  if (place !== usual) writeFileSync(join(usual, POINTER), `${place}\n`)
}

function rememberedPlace(pointer: string): string {
  const place = readFileSync(pointer, 'utf8').trim()
  if (existsSync(clusterFolder(place))) return place
  throw new DatabaseStartError(
    `The database of this folder was kept in ${place} (says ${pointer}), and is no longer there. ` +
      `Put it back, or remove ${pointer} to begin with an empty database.`,
  )
}

/** The hash keeps the databases of several clones apart and leads each back to its own. */
function placesElsewhere(dataDir: string, account: ServerAccount): string[] {
  const name = `veridict-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)}`
  return account
    ? [join('/var/lib', name), join('/var/tmp', name)]
    : [join(homedir(), '.local/share', name), join('/var/tmp', name)]
}

/**
 * Tries the real thing in a folder of its own: make, hand over, narrow, enter. Leaves the place itself open
 * to pass through.
 */
function isFit(place: string, account: ServerAccount): boolean {
  try {
    mkdirSync(place, { recursive: true })
    // A folder that somebody else made in a shared place could be exchanged under our feet.
    const status = lstatSync(place)
    if (!status.isDirectory() || status.uid !== process.getuid?.()) return false
    chmodSync(place, 0o755)
    const trial = mkdtempSync(join(place, 'trial-'))
    changeOwner(account, trial)
    const isUsable = canKeepDataIn(trial, account)
    rmdirSync(trial)
    return isUsable
  } catch {
    return false
  }
}
