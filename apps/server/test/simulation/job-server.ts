import type { JobBus, WakeableWork } from '#platform/jobs/job-bus.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { startMaintenance } from '#periodic-work.ts'
import { type Jobs, startJobs } from '#start-jobs.ts'
import { ingestClaimed } from '#submissions/ingest-submission.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { validateClaimed } from '#submissions/validate-submission.ts'
import { SMALL_BYTES } from '#simulation/files.ts'
import type { Process, SimulationContext } from '#simulation/process.ts'

/** The real jobs, but for webhooks: of them the simulation only checks that their messages are queued. */
function jobsOf(worker: Process): Jobs {
  const counted =
    <Given extends unknown[]>(run: (...given: Given) => Promise<unknown>) =>
    async (...given: Given): Promise<void> => {
      worker.runningJobs++
      await run(...given).finally(() => worker.runningJobs--)
    }
  return {
    submissions: [
      {
        name: 'validateSubmission',
        concurrency: 4,
        perCompany: 3,
        run: counted((submission, deps, shutdown) =>
          validateClaimed(submission, deps, shutdown, { maxIngestedBytes: SMALL_BYTES }),
        ),
      },
      { name: 'ingestSubmission', concurrency: 3, perCompany: 2, run: counted(ingestClaimed) },
    ],
    shared: [{ name: 'sendMails', everySeconds: 60, run: counted((deps) => sendPendingMails(deps)) }],
    // Each minute, not each hour, so that it runs while there are faults.
    timed: [
      {
        name: 'sweepStorage',
        everySeconds: 60,
        atSeconds: 0,
        needsStorage: true,
        run: counted((deps) => sweepStorage(deps)),
      },
    ],
  }
}

/** The jobs of the workers, and what wakes them, which is sometimes lost. */
export class JobServer {
  readonly #simulation: SimulationContext
  readonly #listeners = new Map<Process, Parameters<JobBus['onWake']>[0]>()
  readonly #stops = new WeakMap<Process, () => Promise<void>>()

  constructor(simulation: SimulationContext) {
    this.#simulation = simulation
  }

  wake(work: WakeableWork, companyId?: number): void {
    const { random, faultPlan, hasFaults, schedule } = this.#simulation
    for (const [worker, listener] of this.#listeners) {
      if (!worker.isAlive) this.#listeners.delete(worker)
      else if (hasFaults && random.isLikely(faultPlan.lostWakeUp)) this.#simulation.count('wake-up lost')
      else schedule.add(1 + random.below(20), worker, () => listener(work, companyId))
    }
  }

  listen(worker: Process, listener: Parameters<JobBus['onWake']>[0]): () => void {
    this.#listeners.set(worker, listener)
    return () => this.#listeners.delete(worker)
  }

  startWorker(process: Process): void {
    startMaintenance(process.deps)
    this.#stops.set(process, startJobs(jobsOf(process), process.deps))
  }

  /** The worker begins no more work; what runs has some seconds to end, and is then interrupted. */
  stopWorker(process: Process): void {
    void this.#stops.get(process)?.()
  }
}
