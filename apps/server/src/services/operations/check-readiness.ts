import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { pingDatabase, pingQueue } from '#repositories/readiness.ts'

const TIMEOUT_MILLISECONDS = 4_000

export type Part = 'database' | 'storage' | 'queue'

/** Returns the parts that fail or do not answer in time; none if the portal is ready. */
export async function checkReadiness({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<Part[]> {
  const checks: Record<Part, () => Promise<void>> = {
    database: () => pingDatabase(db),
    storage: () => storage.check(),
    queue: () => pingQueue(db),
  }
  const failing = await Promise.all(
    Object.entries(checks).map(async ([part, check]) =>
      (await succeedsInTime(check)) ? [] : [part as Part],
    ),
  )
  return failing.flat()
}

async function succeedsInTime(check: () => Promise<void>): Promise<boolean> {
  const stop = new AbortController()
  const timeout = sleep(TIMEOUT_MILLISECONDS, false, { signal: stop.signal }).catch(() => false)
  const succeeded = check().then(
    () => true,
    () => false,
  )
  return Promise.race([succeeded, timeout]).finally(() => stop.abort())
}
