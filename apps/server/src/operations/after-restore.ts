import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { checkFiles, type Finding } from '#operations/check-files.ts'
import { runAsOwner } from '#platform/database/copy-tables.ts'
import { RESTORED } from '#platform/database/marks.ts'
import { aDayAhead, type Storage, StorageUnavailableError } from '#platform/storage/storage.ts'
import { isSideFileOf } from '#submissions/side-file.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

/**
 * The database knows less than the portal did. Administrators decide about waiting e-mails, which may have
 * been sent. Workers of then are gone. For days nothing is swept or purged; new ids are above all files'.
 */
export const statementsAfterRestore = (highestId: number) => [
  {
    text: `update mails set parked_at = now(),
      last_error = 'It waited when the backup was made, and may have been sent since.'
      where sent_at is null and parked_at is null`,
  },
  {
    text: `update submissions set lease_id = null, lease_until = null, lease_holder = null
      where lease_id is not null`,
  },
  {
    text: `insert into marks (name, at) values ($1, now()) on conflict (name) do update set at = excluded.at`,
    values: [RESTORED],
  },
  {
    text: `select setval(pg_get_serial_sequence('submissions', 'id'), greatest($1::bigint,
      (select coalesce(max(id), 1) from submissions),
      pg_sequence_last_value('submissions_id_seq'))) as value`,
    values: [highestId],
  },
]

/** Sessions that ended since, and links that were used since, would be valid again. */
const endAccess = [
  { text: 'update password_links set used_at = now() where used_at is null' },
  { text: 'update sessions set ended_at = now() where ended_at is null' },
]

/** The id in the name of a side file. Companies may write files with such names, too. */
const SIDE_FILE = /\/\d{4}\/\d{2}\/(\d{1,9})_[^/]*\.(?:csv|xlsx)\.json$/i

/** Also of submissions that the database does not know. Returns `above` if that is higher. */
async function highestIdOf(
  storage: Pick<Storage, 'list' | 'read'>,
  of: Parameters<Storage['list']>[0] = 'companies',
  above = 1,
): Promise<number> {
  let highest = above
  for await (const path of storage.list(of, aDayAhead())) {
    const id = Number(SIDE_FILE.exec(path)?.[1] ?? 0)
    if (id > highest && (await isSideFileOf(id, path, storage))) highest = id
  }
  return highest
}

/** Accepted files have ids in their names. Each later submission left a source, or was being copied. */
export async function idAboveAll(storage: Storage): Promise<number> {
  let id = await highestIdOf(storage)
  for await (const _source of storage.list('sources', aDayAhead())) id++
  return id
}

type Needs = Pick<Deps, 'db' | 'storage'>

/** Goes into the log and the JSON of a command: `url` has a password. */
type SettledRestore = { sequences: Record<string, number>; endedSessions: number }

/** Settles a database that other tools than `restore` have set back. `url`: of its owner. */
async function settleRestore(url: string, highestId: number): Promise<SettledRestore> {
  const results = await runAsOwner(url, [...statementsAfterRestore(highestId), ...endAccess])
  const value = Number(results.at(-3)?.rows[0].value)
  return { sequences: { submissions_id_seq: value }, endedSessions: results.at(-1)?.rowCount ?? 0 }
}

/** Files that only one side has: those only in the storage belong to no submission. */
type OneSided = { onlyInStorage: string[]; onlyInDatabase: string[] }

/** Runs after a restore by other tools, while no portal runs. Lists what only one side has. */
export async function afterRestore(url: string, deps: Needs): Promise<SettledRestore & OneSided> {
  const { findings } = await checkFiles(deps, { repair: false, isQuick: true })
  const pathsOf = (kind: Finding['kind']) =>
    findings.flatMap((finding) => (finding.kind === kind ? (finding.path ?? []) : []))
  const [onlyInStorage, onlyInDatabase] = [pathsOf('orphan'), pathsOf('missing')]
  const settled = await settleRestore(url, await idAboveAll(deps.storage))
  return { ...settled, onlyInStorage, onlyInDatabase }
}

/** Runs at a start. Looks for ids not given yet, only in the months since the newest submission. */
export async function settleIfBehind(url: string, deps: Needs & Pick<Deps, 'log'>): Promise<void> {
  const found = await findIdAhead(deps)
  if (found === null) return
  // Companies that the database does not know have folders, too.
  const highestId = await idAboveAll(deps.storage).catch(() => found)
  const settled = await settleRestore(url, highestId)
  deps.log.warn(
    settled,
    'the database was set back to before files that its storage has: new submissions get ids above theirs, ' +
      'sessions ended, and nothing is swept for a week; `veridict after-restore` lists what one side lacks',
  )
}

/** The highest id of an accepted file, if the database has not given it yet. */
async function findIdAhead({ db, storage, log }: Needs & Pick<Deps, 'log'>): Promise<number | null> {
  const given = await lastGivenId(db)
  const rows = await rowsOf<{ folder: string }>(db)`
    select storage_folder || '/' || to_char(month, 'YYYY/MM') as folder
    from companies cross join generate_series(
      date_trunc('month', coalesce((select created_at from submissions order by id desc limit 1), now())
        at time zone 'UTC'),
      now() at time zone 'UTC', interval '1 month') as month`
  const ids = rows.map(({ folder }) =>
    highestIdOf(storage, { folder }, given).catch((err: unknown) => {
      // A storage that is not available reports this itself.
      if (!(err instanceof StorageUnavailableError)) log.warn({ err, folder }, 'a folder cannot be read')
      return given
    }),
  )
  const highest = (await Promise.all(ids)).reduce((one, other) => Math.max(one, other), given)
  // Again, and after the files: other servers accept uploads meanwhile.
  return highest > (await lastGivenId(db)) ? highest : null
}

async function lastGivenId(db: Needs['db']): Promise<number> {
  const value = sql`coalesce(pg_sequence_last_value('submissions_id_seq'), 1)`
  return (await rowOf<{ id: number }>(db)`select ${value} as id`).id
}
