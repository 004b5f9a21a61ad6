import type { OutgoingMail } from '#platform/mail/mailer.ts'
import type { Process, SimulationContext } from '#simulation/process.ts'

/** Receives e-mails, and records how often each of them may be delivered. */
export class MailServer {
  readonly delivered: { messageId: string; recipient: string; subject: string }[] = []
  /**
   * By Message-ID, how often its process did not get the reply or could not record it, and so sends again.
   */
  readonly #unknownSends = new Map<string, number>()
  /** The e-mails that were accepted from a process, and that the database does not have as sent yet. */
  readonly #unrecorded = new Map<Process, Set<string>>()
  readonly #simulation: SimulationContext

  constructor(simulation: SimulationContext) {
    this.#simulation = simulation
  }

  /** Returns null if it accepts the e-mail, else its reply. */
  receive(owner: Process, { messageId, recipient, subject }: OutgoingMail): string | null {
    const { random, faultPlan, hasFaults } = this.#simulation
    if (hasFaults && random.isLikely(faultPlan.mailRefused)) return '550 no such user'
    if (hasFaults && random.isLikely(faultPlan.mailLater)) return '451 try again later'
    this.delivered.push({ messageId, recipient, subject })
    const accepted = this.#unrecorded.get(owner) ?? new Set()
    this.#unrecorded.set(owner, accepted.add(messageId))
    return null
  }

  /** The database has the e-mail as sent. */
  recordSent(messageId: string): void {
    for (const accepted of this.#unrecorded.values()) accepted.delete(messageId)
  }

  /** Allows that the accepted e-mails of this process are sent again: it may be unable to record them. */
  allowResend(owner: Process): void {
    for (const messageId of this.#unrecorded.get(owner) ?? [])
      this.#unknownSends.set(messageId, (this.#unknownSends.get(messageId) ?? 0) + 1)
    this.#unrecorded.delete(owner)
  }

  maxDeliveries(messageId: string): number {
    return 1 + (this.#unknownSends.get(messageId) ?? 0)
  }
}
