import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { pingDatabase, pingQueue } from '#repositories/readiness.ts'

const ANSWER_MILLISECONDS = 4_000

export type Part = 'database' | 'storage' | 'queue'

/** The parts that do not answer in time, none when the portal is ready. */
export async function checkReadiness({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<Part[]> {
  const checks: Record<Part, () => Promise<void>> = {
    database: () => pingDatabase(db),
    storage: () => storage.check(),
    queue: () => pingQueue(db),
  }
  const failing = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => ((await inTime(check)) ? [] : [part as Part])),
  )
  return failing.flat()
}

async function inTime(check: () => Promise<void>): Promise<boolean> {
  const stop = new AbortController()
  const late = sleep(ANSWER_MILLISECONDS, false, { signal: stop.signal }).catch(() => false)
  const answered = check().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => stop.abort())
}
