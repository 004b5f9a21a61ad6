import type { OutgoingMail } from '#drivers/mail/mailer.ts'
import type { Process, Surrounding } from '#simulation/process.ts'

/** Takes e-mails, and knows which of them may come twice. */
export class MailServer {
  readonly delivered: { messageId: string; recipient: string; subject: string }[] = []
  /** Of these a process did not hear, or could not record, that they were taken. */
  readonly #ambiguous = new Map<string, number>()
  /** Taken from a process, and not recorded as sent yet. */
  readonly #unrecorded = new Map<Process, Set<string>>()
  readonly #world: Surrounding

  constructor(world: Surrounding) {
    this.#world = world
  }

  /** Returns the refusal of the server; null if it took the e-mail. */
  take(owner: Process, { messageId, recipient, subject }: OutgoingMail): string | null {
    const { random, weather, isStormy } = this.#world
    if (isStormy && random.chance(weather.mailRefused)) return '550 no such user'
    if (isStormy && random.chance(weather.mailLater)) return '451 try again later'
    this.delivered.push({ messageId, recipient, subject })
    const taken = this.#unrecorded.get(owner) ?? new Set()
    this.#unrecorded.set(owner, taken.add(messageId))
    return null
  }

  recorded(messageId: string): void {
    for (const taken of this.#unrecorded.values()) taken.delete(messageId)
  }

  /** The process may not record any more what was taken from it. */
  forget(owner: Process): void {
    for (const messageId of this.#unrecorded.get(owner) ?? [])
      this.#ambiguous.set(messageId, (this.#ambiguous.get(messageId) ?? 0) + 1)
    this.#unrecorded.delete(owner)
  }

  /** How often an e-mail may come. */
  mostOf(messageId: string): number {
    return 1 + (this.#ambiguous.get(messageId) ?? 0)
  }
}
