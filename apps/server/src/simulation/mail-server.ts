import type { OutgoingMail } from '#drivers/mail/mailer.ts'
import type { Process, SimulationContext } from '#simulation/process.ts'

/** Takes e-mails, and knows which of them may be delivered twice. */
export class MailServer {
  readonly delivered: { messageId: string; recipient: string; subject: string }[] = []
  /** E-mails it took although their process did not get the reply, or could not record it; how often. */
  readonly #ambiguous = new Map<string, number>()
  /** Taken from a process, and not recorded as sent yet. */
  readonly #unrecorded = new Map<Process, Set<string>>()
  readonly #simulation: SimulationContext

  constructor(simulation: SimulationContext) {
    this.#simulation = simulation
  }

  /** Returns the refusal of the server; null if it took the e-mail. */
  take(owner: Process, { messageId, recipient, subject }: OutgoingMail): string | null {
    const { random, faultPlan, hasFaults } = this.#simulation
    if (hasFaults && random.isLikely(faultPlan.mailRefused)) return '550 no such user'
    if (hasFaults && random.isLikely(faultPlan.mailLater)) return '451 try again later'
    this.delivered.push({ messageId, recipient, subject })
    const taken = this.#unrecorded.get(owner) ?? new Set()
    this.#unrecorded.set(owner, taken.add(messageId))
    return null
  }

  recorded(messageId: string): void {
    for (const taken of this.#unrecorded.values()) taken.delete(messageId)
  }

  /** The process may not be able to record the e-mails that were taken from it. */
  forget(owner: Process): void {
    for (const messageId of this.#unrecorded.get(owner) ?? [])
      this.#ambiguous.set(messageId, (this.#ambiguous.get(messageId) ?? 0) + 1)
    this.#unrecorded.delete(owner)
  }

  /** How often an e-mail may be delivered. */
  mostOf(messageId: string): number {
    return 1 + (this.#ambiguous.get(messageId) ?? 0)
  }
}
