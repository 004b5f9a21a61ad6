import type { Deps } from '#deps.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import { findSpentSources, isKnownSource, markSourceDeleted } from '#repositories/submissions.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'env' | 'log'>

/** Nothing that still happens is older: uploads are cut and transactions end long before. */
const SWEEP_AGE_MILLISECONDS = 60 * 60 * 1000
const MAX_AT_ONCE = 1000

/**
 * Brings storage and rows together again: deletes what was received and never kept, sources that no submission knows (an upload
 * that died before its row), and sources that are no longer needed. Each is looked at again right before it is deleted. Rows are never touched but
 * to note the deletion (reliability, I2).
 */
export async function sweepStorage(deps: Needs): Promise<void> {
  // The age of files is told by the clock of this machine, which also dated them.
  const before = new Date(Date.now() - SWEEP_AGE_MILLISECONDS)
  const staged = await deps.storage.sweepStaged(before)
  const orphans = await sweepOrphans(before, deps)
  const spent = await deleteSpentSources(deps)
  if (staged + orphans + spent > 0) deps.log.info({ staged, orphans, spent }, 'storage was swept')
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

/** Sources of ingested (4) and purged (6) submissions, and of failed validations (2) older than RETENTION_DAYS. */
async function deleteSpentSources({ db, storage, env }: Needs): Promise<number> {
  const spent = await findSpentSources(db, env.retentionDays, MAX_AT_ONCE)
  for (const { id, storageKey } of spent) {
    await storage.delete(sourcePath(storageKey))
    await markSourceDeleted(db, id)
  }
  return spent.length
}
