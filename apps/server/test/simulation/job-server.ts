import type { JobName, JobPayloads, RecurringJob, SubmissionJob } from '#platform/jobs/job-queue.ts'
import type { Job as BackgroundJob } from '#platform/jobs/job.ts'
import type { JobWorkers } from '#platform/jobs/job-workers.ts'
import { startMaintenance } from '#periodic-work.ts'
import { startSharedWork } from '#platform/jobs/shared-work.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { ingestSubmission } from '#submissions/ingest-submission.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { validateSubmission } from '#submissions/validate-submission.ts'
import { SMALL_BYTES } from '#simulation/files.ts'
import type { Process, SimulationContext } from '#simulation/process.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** How many jobs a worker runs at once. */
const MAX_JOBS = 4
/** The same times as in `platform/jobs/pg-boss-queue.ts`. */
const HEARTBEAT = 30 * SECOND
const POLL = 5 * SECOND
const RETRIES = 5

type Job = {
  name: JobName
  payload: JobPayloads[JobName]
  /** At most one waiting job has this key; null: any number. */
  key: string | null
  owner: Process | null
  notBefore: number
  retries: number
}

const sendMailsIn = (worker: Process): BackgroundJob => ({
  concurrency: 1,
  heartbeatSeconds: 60,
  async run(_payload, deps) {
    worker.runningJobs++
    await sendPendingMails(deps).finally(() => worker.runningJobs--)
  },
})

/** A queue that sometimes loses or duplicates jobs, and the workers that run its jobs. */
export class JobServer {
  readonly #simulation: SimulationContext
  readonly #jobs = new Set<Job>()
  /** The shared work of each worker that sends e-mails. */
  readonly #mailWorkers = new WeakMap<Process, JobWorkers>()

  constructor(simulation: SimulationContext) {
    this.#simulation = simulation
  }

  /** The sweep runs each minute, not each hour, so that it runs while there are faults. */
  readonly recurring: readonly RecurringJob[] = [
    {
      name: 'sweepStorage',
      dueAfter: (time) => new Date((Math.floor(time.getTime() / MINUTE) + 1) * MINUTE),
    },
  ]

  add(name: JobName, payload: JobPayloads[JobName]): void {
    // The simulation sends no webhooks; it only checks that their messages are queued.
    if (name === 'deliverWebhooks') return
    const { random, faultPlan, hasFaults } = this.#simulation
    if (hasFaults && random.isLikely(faultPlan.lostJob)) {
      this.#simulation.count('job lost')
      return this.#simulation.trace(`the queue loses the job ${name}`)
    }
    const wake = name === 'sendMails' ? this.#sendMails : this.#takeJobs
    const wakeAll = () => {
      for (const { kind, process } of this.#simulation.places)
        if (kind === 'worker' && process !== null)
          this.#simulation.schedule.add(1 + random.below(20), process, () => wake.call(this, process))
    }
    // The queue of e-mails is their table, so there is no job to add.
    if (name === 'sendMails') return wakeAll()
    const key = 'submissionId' in payload ? `${name} ${payload.submissionId}` : null
    const isWaiting = key !== null && [...this.#jobs].some((job) => job.owner === null && job.key === key)
    if (!isWaiting) this.#jobs.add({ name, payload, key, owner: null, notBefore: 0, retries: 0 })
    if (hasFaults && random.isLikely(faultPlan.duplicateJob)) {
      this.#simulation.count('job twice')
      this.#jobs.add({ name, payload, key, owner: null, notBefore: 0, retries: 0 })
    }
    wakeAll()
  }

  startWorker(process: Process): void {
    const takeJobs = () => this.#takeJobs(process)
    setInterval(takeJobs, POLL)
    startMaintenance(process.deps)
    this.#mailWorkers.set(
      process,
      startSharedWork('sendMails', sendMailsIn(process), process.deps, MINUTE / 1000),
    )
    takeJobs()
  }

  /** From now on the worker begins no more work. */
  stopWorker(process: Process): void {
    void this.#mailWorkers.get(process)?.stop()
  }

  #sendMails(worker: Process): void {
    this.#mailWorkers.get(worker)?.wake()
  }

  #takeJobs(worker: Process): void {
    if (worker.isStopping || worker.frozenUntil > this.#simulation.now) return
    for (const job of this.#jobs) {
      if (worker.runningJobs >= MAX_JOBS) return
      if (job.owner === null && job.notBefore <= this.#simulation.now) this.#run(worker, job)
    }
  }

  #run(worker: Process, job: Job): void {
    job.owner = worker
    worker.runningJobs++
    this.#simulation.current = worker
    if (this.#simulation.isTraced)
      this.#simulation.trace(`${worker.name} takes ${job.name} ${JSON.stringify(job.payload)}`)
    this.#watch(worker, job)
    const end = (work: () => void) =>
      this.#simulation.call(worker, `end of ${job.name}`, work, { faults: 'queue' }).catch(() => {})
    const done = this.#work(worker, job).then(
      () => end(() => this.#jobs.delete(job)),
      (error: unknown) => {
        this.#simulation.reportIfBug(error)
        if (this.#simulation.isTraced)
          this.#simulation.trace(`${worker.name} ${job.name} fails: ${String(error)}`)
        return end(() => this.#requeue(job, this.#simulation.random.between(1, 30) * SECOND))
      },
    )
    void done.then(() => {
      worker.runningJobs--
      this.#takeJobs(worker)
    })
  }

  async #work({ deps, shutdown }: Process, { name, payload }: Job): Promise<void> {
    const { submissionId } = payload as SubmissionJob
    if (name === 'validateSubmission')
      return validateSubmission(submissionId, deps, shutdown.signal, { maxIngestedBytes: SMALL_BYTES })
    if (name === 'ingestSubmission') return ingestSubmission(submissionId, deps, shutdown.signal)
    if (name === 'sweepStorage') return sweepStorage(deps)
    throw new TypeError(`The simulation has no job ${name}`)
  }

  /** Gives a job to another worker when its worker no longer sends heartbeats. */
  #watch(worker: Process, job: Job): void {
    const { schedule, random } = this.#simulation
    schedule.add(HEARTBEAT + random.below(60 * SECOND), null, () => {
      if (!this.#jobs.has(job) || job.owner !== worker) return
      if (worker.isAlive && worker.frozenUntil <= this.#simulation.now && worker.runningJobs > 0)
        return this.#watch(worker, job)
      this.#requeue(job, 0)
    })
  }

  #requeue(job: Job, delay: number): void {
    if (!this.#jobs.has(job)) return
    job.owner = null
    job.notBefore = this.#simulation.now + delay
    if (++job.retries > RETRIES) this.#jobs.delete(job)
  }
}
