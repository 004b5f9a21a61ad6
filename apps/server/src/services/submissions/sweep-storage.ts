import type { Deps } from '#deps.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import { hasClockJumped, hasMark, setMarkOnce } from '#repositories/marks.ts'
import { findSpentSources, isKnownSource, markSourceDeleted } from '#repositories/submissions.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'ids' | 'env' | 'log'>

/** Nothing that still happens is older: uploads are cut and transactions end long before. */
const SWEEP_AGE_MILLISECONDS = 60 * 60 * 1000
const MAX_AT_ONCE = 1000

/**
 * Brings storage and rows together again: deletes what was received and never kept, sources that no
 * submission knows (an upload that died before its row), and sources that are no longer needed. Each is
 * looked at again right before it is deleted. Rows are never touched but to note the deletion (reliability,
 * I2). Deletes nothing while the clock is in doubt, or in the storage of another database (F28).
 */
export async function sweepStorage(deps: Needs): Promise<void> {
  if (await hasClockJumped(deps.db)) {
    return deps.log.error(
      'The clock has jumped by more than a day; storage is not swept before it has run evenly for a day',
    )
  }
  if (!(await isOurs(deps))) {
    return deps.log.error(
      'The storage belongs to another database and is not swept; should it be ours, delete the file .name in it',
    )
  }
  // The age of files is told by the clock of this machine, which also dated them.
  const before = new Date(Date.now() - SWEEP_AGE_MILLISECONDS)
  const staged = await deps.storage.sweepStaged(before)
  const orphans = await sweepOrphans(before, deps)
  const spent = await deleteSpentSources(deps)
  if (staged + orphans + spent > 0) deps.log.info({ staged, orphans, spent }, 'storage was swept')
}

/**
 * Whether the storage is this database's own; one without a name becomes so. To a database that was connected
 * to the storage of another one by mistake, all files in it are orphans. Noted here first: a name that nobody
 * knows would end all sweeping.
 */
async function isOurs({ db, storage, ids }: Needs): Promise<boolean> {
  const markOf = (name: string) => `storage:${name}`
  const name = await storage.name()
  if (name !== null) return hasMark(db, markOf(name))
  const given = ids.uuid()
  await setMarkOnce(db, markOf(given))
  await storage.setName(given)
  return true
}

async function sweepOrphans(before: Date, { db, storage }: Needs): Promise<number> {
  let swept = 0
  for await (const storageKey of storage.listSources(before)) {
    if (await isKnownSource(db, storageKey)) continue
    await storage.delete(sourcePath(storageKey))
    swept++
  }
  return swept
}

/**
 * Sources of ingested (4) and purged (6) submissions, and of failed validations (2) older than
 * RETENTION_DAYS.
 */
async function deleteSpentSources({ db, storage, env }: Needs): Promise<number> {
  const spent = await findSpentSources(db, env.retentionDays, MAX_AT_ONCE)
  for (const { id, storageKey } of spent) {
    await storage.delete(sourcePath(storageKey))
    await markSourceDeleted(db, id)
  }
  return spent.length
}
