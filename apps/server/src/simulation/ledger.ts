import { isFinal, mayMove, type SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { JobName, JobPayloads } from '#drivers/job-queue.ts'
import type { StatusNews } from '#drivers/status-bus.ts'
import type { SubmissionRow } from '#db/tables.ts'
import type { Change } from '#simulation/database/model.ts'
import type { ModelTransaction, Row } from '#simulation/database/rows.ts'
import type { World } from '#simulation/world.ts'

const DAY = 86_400_000
const PURGE_DAYS = 90

/** A move that was committed. */
export type Move = { id: number; from: SubmissionStatus; to: SubmissionStatus }

/** Sees every commit, and refuses what must never be committed. */
export class Ledger {
  readonly moves: Move[] = []
  /** Bodies of the e-mails that were ever queued, by Message-ID; the database forgets them. */
  readonly mailTexts = new Map<string, string>()
  readonly news: StatusNews[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    world.database.onChange = (change) => this.#changed(change)
    world.database.onLost = (change) => this.#lost(change)
    world.database.onMessage = (...message) => this.#message(...message)
  }

  #message(name: string, given: readonly unknown[], transaction: ModelTransaction): void {
    const { jobs } = this.#world
    transaction.onCommit.push(() => {
      if (name === 'publish') this.news.push(given[0] as StatusNews)
      else if (name === 'add job') jobs.add(given[0] as JobName, given[1] as JobPayloads[JobName])
    })
  }

  #changed({ table, before, after }: Change): void {
    if (table === 'submissions') this.#moved(before as SubmissionRow | null, after as SubmissionRow | null)
    if (table !== 'mails' || after === null) return
    if (before === null) this.mailTexts.set(after.messageId as string, after.textBody as string)
    if ((before?.sentAt ?? null) === null && after.sentAt !== null)
      this.#world.mails.recorded((after as Row).messageId as string)
  }

  /** A move that a crash of the database took back. */
  #lost({ table, before, after }: Change): void {
    if (table !== 'submissions' || before?.status === after?.status) return
    const place = this.moves.findLastIndex(({ id, to }) => id === after?.id && to === after?.status)
    if (place >= 0) this.moves.splice(place, 1)
  }

  #moved(before: SubmissionRow | null, after: SubmissionRow | null): void {
    const world = this.#world
    if (after === null) return world.violate('I1: a submission was deleted')
    const { id, status } = after
    if (before === null) {
      if (status !== 0) world.violate(`I6: submission ${id} began in status ${status}`)
      return
    }
    if (before.status === status) {
      if (isFinal(status) && before.errorMessage !== after.errorMessage)
        world.violate(`I6: submission ${id} changed in its final status ${status}`)
      return
    }
    if (world.isTraced) world.trace(`submission ${id} is ${status} now, was ${before.status}`)
    if (!mayMove(before.status, status))
      world.violate(`I6: submission ${id} moved from ${before.status} to ${status}`)
    this.moves.push({ id, from: before.status, to: status })
    const age = world.now - after.createdAt.getTime()
    // The simulated disk loses no file, so only the purge may end here.
    if (status === 6 && age < PURGE_DAYS * DAY && world.weather.clockJumps.length === 0)
      world.violate(`I6: submission ${id} is 6 after ${age / DAY} days`)
  }
}
