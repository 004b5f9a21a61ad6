import type { JobName, JobPayloads, RecurringJob, SubmissionJob } from '#drivers/job-queue.ts'
import { startMaintenance } from '#jobs/periodic-work.ts'
import { sendPendingMails } from '#services/mail/send-pending-mails.ts'
import { ingestSubmission } from '#services/submissions/ingest-submission.ts'
import { validateSubmission } from '#services/submissions/validate-submission.ts'
import { SMALL_BYTES } from '#simulation/files.ts'
import type { Process, Surrounding } from '#simulation/process.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Jobs that one worker runs at once. */
const PLACES = 4
/** As of the real queue; `jobs/pg-boss-queue.ts`. */
const HEARTBEAT = 30 * SECOND
const POLL = 5 * SECOND
const RETRIES = 5

type Job = {
  name: JobName
  payload: JobPayloads[JobName]
  /** Of waiting jobs with the same key there is one. */
  key: string | null
  owner: Process | null
  notBefore: number
  retries: number
}

/** A queue that sometimes loses jobs and sometimes gives them twice, and the workers that take them. */
export class JobServer {
  readonly #world: Surrounding
  readonly #jobs = new Set<Job>()

  constructor(world: Surrounding) {
    this.#world = world
  }

  get isEmpty(): boolean {
    return this.#jobs.size === 0
  }

  readonly recurring: readonly RecurringJob[] = [
    { name: 'sendMails', dueAfter: (time) => new Date((Math.floor(time.getTime() / MINUTE) + 1) * MINUTE) },
  ]

  add(name: JobName, payload: JobPayloads[JobName]): void {
    // Webhooks are not simulated; that their messages are queued is.
    if (name === 'deliverWebhooks') return
    const { random, weather, isStormy } = this.#world
    if (isStormy && random.chance(weather.lostJob)) {
      this.#world.count('job lost')
      return this.#world.trace(`the queue loses the job ${name}`)
    }
    const key = 'submissionId' in payload ? `${name} ${payload.submissionId}` : null
    const isWaiting = key !== null && [...this.#jobs].some((job) => job.owner === null && job.key === key)
    if (!isWaiting) this.#jobs.add({ name, payload, key, owner: null, notBefore: 0, retries: 0 })
    if (isStormy && random.chance(weather.duplicateJob)) {
      this.#world.count('job twice')
      this.#jobs.add({ name, payload, key, owner: null, notBefore: 0, retries: 0 })
    }
    for (const { kind, process } of this.#world.places)
      if (kind === 'worker' && process !== null)
        this.#world.schedule.add(1 + random.below(20), process, () => this.#look(process))
  }

  startWorker(process: Process): void {
    const look = () => this.#look(process)
    setInterval(look, POLL)
    startMaintenance(process.deps)
    look()
  }

  #look(worker: Process): void {
    if (worker.isStopping || worker.frozenUntil > this.#world.now) return
    for (const job of this.#jobs) {
      if (worker.running >= PLACES) return
      if (job.owner === null && job.notBefore <= this.#world.now) this.#run(worker, job)
    }
  }

  #run(worker: Process, job: Job): void {
    job.owner = worker
    worker.running++
    this.#world.current = worker
    if (this.#world.isTraced)
      this.#world.trace(`${worker.name} takes ${job.name} ${JSON.stringify(job.payload)}`)
    this.#watch(worker, job)
    const end = (work: () => void) =>
      this.#world.call(worker, `end of ${job.name}`, work, { faults: 'queue' }).catch(() => {})
    const done = this.#work(worker, job).then(
      () => end(() => this.#jobs.delete(job)),
      (error: unknown) => {
        this.#world.noticeBug(error)
        if (this.#world.isTraced) this.#world.trace(`${worker.name} ${job.name} fails: ${String(error)}`)
        return end(() => this.#again(job, this.#world.random.between(1, 30) * SECOND))
      },
    )
    void done.then(() => {
      worker.running--
      this.#look(worker)
    })
  }

  async #work({ deps, shutdown }: Process, { name, payload }: Job): Promise<void> {
    const { submissionId } = payload as SubmissionJob
    if (name === 'validateSubmission')
      return validateSubmission(submissionId, deps, shutdown.signal, { maxIngestedBytes: SMALL_BYTES })
    if (name === 'ingestSubmission') return ingestSubmission(submissionId, deps, shutdown.signal)
    await sendPendingMails(deps)
  }

  /** A job whose worker gives no sign of life is given to another one. */
  #watch(worker: Process, job: Job): void {
    const { schedule, random } = this.#world
    schedule.add(HEARTBEAT + random.below(60 * SECOND), null, () => {
      if (!this.#jobs.has(job) || job.owner !== worker) return
      if (worker.isAlive && worker.frozenUntil <= this.#world.now && worker.running > 0)
        return this.#watch(worker, job)
      this.#again(job, 0)
    })
  }

  #again(job: Job, delay: number): void {
    if (!this.#jobs.has(job)) return
    job.owner = null
    job.notBefore = this.#world.now + delay
    if (++job.retries > RETRIES) this.#jobs.delete(job)
  }
}
