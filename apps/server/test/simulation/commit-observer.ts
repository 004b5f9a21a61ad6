import { isFinal, mayMove, type SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { WakeableWork } from '#platform/jobs/job-bus.ts'
import { nextWork } from '#platform/live/pg-status-bus.ts'
import type { StatusEvent } from '#platform/live/status-bus.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Change } from '#simulation/postgres.ts'
import type { Simulation } from '#simulation/simulation.ts'

const DAY = 86_400_000
const PURGE_DAYS = 90

/** A move that was committed. */
export type Move = { id: number; from: SubmissionStatus; to: SubmissionStatus }

/** Records every commit, and reports those that break an invariant. */
export class CommitObserver {
  readonly moves: Move[] = []
  /** Bodies of all queued e-mails by Message-ID; the database deletes them once they are sent. */
  readonly mailTexts = new Map<string, string>()
  readonly events: StatusEvent[] = []
  readonly #simulation: Simulation

  /** Subscribes to the commits of the simulation's database. */
  constructor(simulation: Simulation) {
    this.#simulation = simulation
    simulation.database.onChange = (change) => this.#changed(change)
    simulation.database.onLost = (change) => this.#lost(change)
    simulation.database.onMessage = (...message) => this.#message(...message)
  }

  #message(name: string, [first, hasJob = true]: readonly unknown[]): void {
    const { jobs } = this.#simulation
    if (name === 'wake') return jobs.wake(first as WakeableWork)
    const event = first as StatusEvent
    this.events.push(event)
    const work = nextWork[event.FilesStatus]
    if (work !== undefined && hasJob) jobs.wake(work, event.companyId)
  }

  #changed({ table, before, after }: Change): void {
    if (table === 'submissions') this.#moved(before as SubmissionRow | null, after as SubmissionRow | null)
    if (table !== 'mails' || after === null) return
    if (before === null) this.mailTexts.set(after.messageId as string, after.textBody as string)
    if ((before?.sentAt ?? null) === null && after.sentAt !== null)
      this.#simulation.mails.recordSent(after.messageId as string)
  }

  /** Removes a move that a crash of the database undid. */
  #lost({ table, before, after }: Change): void {
    if (table !== 'submissions' || before?.status === after?.status) return
    const place = this.moves.findLastIndex(({ id, to }) => id === after?.id && to === after?.status)
    if (place >= 0) this.moves.splice(place, 1)
  }

  #moved(before: SubmissionRow | null, after: SubmissionRow | null): void {
    const simulation = this.#simulation
    if (after === null) return simulation.violate('I1: a submission was deleted')
    const { id, status } = after
    if (before === null) {
      if (status !== 0) simulation.violate(`I6: submission ${id} began in status ${status}`)
      return
    }
    if (before.status === status) {
      if (isFinal(status) && before.errorMessage !== after.errorMessage)
        simulation.violate(`I6: submission ${id} changed in its final status ${status}`)
      return
    }
    if (simulation.isTraced) simulation.trace(`submission ${id} is ${status} now, was ${before.status}`)
    if (!mayMove(before.status, status))
      simulation.violate(`I6: submission ${id} moved from ${before.status} to ${status}`)
    this.moves.push({ id, from: before.status, to: status })
    const age = simulation.now - Date.parse(String(after.createdAt))
    // The simulated disk loses no file, so only the purge sets status 6.
    if (status === 6 && age < PURGE_DAYS * DAY && simulation.faultPlan.clockJumps.length === 0)
      simulation.violate(`I6: submission ${id} is 6 after ${age / DAY} days`)
  }
}
