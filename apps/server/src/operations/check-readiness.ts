import { sql } from 'kysely'
import { shareRead } from '#platform/database/shared-reads.ts'
import type { Deps } from '#deps.ts'
import { findDegraded } from '#operations/find-degraded.ts'
import { countWorkers } from '#platform/live/programs.ts'
import { withinTime } from '#platform/within-time.ts'

const TIMEOUT_MILLISECONDS = 4_000

export type Part = 'database' | 'storage' | 'queue' | 'stopping'

/**
 * `failing`: parts that fail or do not respond in time. `workers`: processes that take jobs; without any the
 * portal is ready, and files wait. `degraded`: protections that do not hold, also in a ready one.
 */
export type Readiness = { failing: Part[]; workers: number; degraded: string[] }

type Needs = Pick<Deps, 'db' | 'storage' | 'stopping' | 'tokens'>

/** Concurrent calls share a check: it writes a file and waits for the disk, and needs no key. */
export async function checkReadiness(deps: Needs): Promise<Readiness> {
  if (deps.stopping.aborted) return { failing: ['stopping'], workers: 0, degraded: [] }
  return shareRead(deps.db, 'readiness', () => checkParts(deps))
}

async function checkParts({ db, storage, tokens }: Needs): Promise<Readiness> {
  let workers = 0
  let degraded: string[] = []
  const checks: Record<Exclude<Part, 'stopping'>, () => Promise<unknown>> = {
    database: async () => {
      ;[workers, degraded] = await Promise.all([countWorkers(db), findDegraded({ db, tokens })])
    },
    storage: () => storage.check(),
    queue: () => sql`select from submissions, timers limit 0`.execute(db),
  }
  const failing = await Promise.all(
    Object.entries(checks).map(async ([part, check]) =>
      (await succeedsInTime(check)) ? [] : [part as Part],
    ),
  )
  return { failing: failing.flat(), workers, degraded }
}

const succeedsInTime = (check: () => Promise<unknown>): Promise<boolean> =>
  withinTime(check(), TIMEOUT_MILLISECONDS, 'no response').then(
    () => true,
    () => false,
  )
