import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { beginRecurrence, claimRecurrence, findRecurrences } from '#platform/database/marks.ts'

/**
 * Adds each recurring job that is due, once for all processes. What became due several times while no process
 * ran is added once. A new installation counts from its first start.
 */
export async function addRecurringJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  const lastTimes = await findRecurrences(
    db,
    jobs.recurring.map(({ name }) => name),
  )
  for (const { name, dueAfter } of jobs.recurring) {
    const { lastTime, now, wasSetBack } = lastTimes[name]
    if (lastTime === null) {
      await beginRecurrence(db, name)
      continue
    }
    const due = wasSetBack ? null : dueAfter(lastTime)
    if (due !== null && due > now) continue
    await inTransaction(db, async (trx) => {
      if (await claimRecurrence(trx, name, due)) await jobs.add(name, {}, trx)
    })
  }
}
