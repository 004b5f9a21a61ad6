import type { Deps } from '#deps.ts'
import { storageKeyOf } from '#platform/storage/storage.ts'
import { hasClockJumped, isNewlyRestored, recordRun } from '#platform/database/marks.ts'
import { findSourcesInUse, findUnneededSources } from '#submissions/submission-sources.ts'
import { deleteUnneeded, SWEEP_AGE_MILLISECONDS } from '#submissions/delete-unneeded.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'env' | 'log'>

/**
 * Deletes uploads never kept, unneeded sources, and orphaned ones: their process died before it added the
 * row, or a run restored them after another had finished. Each is checked again right before. Nothing after a
 * clock jump; no orphans soon after a restore, because the database does not know newer uploads.
 */
export async function sweepStorage(deps: Needs, maxAtOnce = 1000): Promise<void> {
  if (await hasClockJumped(deps.db)) {
    return deps.log.error(
      'The clock jumped by more than a day; storage is not swept until it has run without a jump for a day',
    )
  }
  // In another database's storage all files would look orphaned.
  await deps.storage.check()
  // The clock of this machine, because the times of the files come from it, too.
  const before = new Date(Date.now() - SWEEP_AGE_MILLISECONDS)
  const staged = await deps.storage.sweepStaged(before)
  const orphans = (await isNewlyRestored(deps.db)) ? 0 : await sweepOrphans(before, deps)
  const unneeded = await deleteUnneededSources(deps, maxAtOnce)
  await recordRun(deps.db, 'sweep')
  if (staged + orphans + unneeded > 0) deps.log.info({ staged, orphans, unneeded }, 'storage was swept')
}

async function sweepOrphans(before: Date, { db, storage }: Needs): Promise<number> {
  let swept = 0
  for await (const path of storage.list('sources', before)) {
    if ((await findSourcesInUse(db, [storageKeyOf(path)])).length > 0) continue
    await storage.delete(path)
    swept++
  }
  return swept
}

/** Deletes sources of submissions in status 4 and 6, and in status 2 after RETENTION_DAYS. */
async function deleteUnneededSources(deps: Needs, maxAtOnce: number): Promise<number> {
  let deleted = 0
  const failed = new Map<number, Error>()
  for (let after = 0; ;) {
    const unneeded = await findUnneededSources(deps.db, deps.env.retentionDays, after, maxAtOnce)
    for (const submission of unneeded) {
      const error = await deleteUnneeded(submission, deps)
      if (error === null) deleted++
      else failed.set(submission.companyId, error)
    }
    if (unneeded.length < maxAtOnce) break
    after = unneeded.at(-1)?.id ?? after
  }
  for (const [companyId, err] of failed)
    deps.log.warn({ err, companyId }, 'files of failed runs could not be deleted in a company folder')
  return deleted
}
