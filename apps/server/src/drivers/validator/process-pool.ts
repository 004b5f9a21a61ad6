import { ProcessSlot, type SlotSettings, type RunOptions } from '#drivers/validator/process-slot.ts'
import { ValidatorError } from '#drivers/validator/validator.ts'
import type { ValidatorReply, ValidatorRequest } from '#drivers/validator/validator-messages.ts'

/** Slots that run requests in the order in which they come. */
export class ProcessPool {
  readonly #idle: ProcessSlot[]
  readonly #all: readonly ProcessSlot[]
  readonly #waiting: { start: (slot: ProcessSlot) => void; reject: (error: Error) => void }[] = []
  #isClosed = false

  constructor(size: number, settings: SlotSettings) {
    this.#all = Array.from({ length: size }, () => new ProcessSlot(settings))
    this.#idle = [...this.#all]
  }

  warm(): void {
    for (const slot of this.#all) slot.warm()
  }

  async run(request: ValidatorRequest, options: RunOptions = {}): Promise<ValidatorReply> {
    const slot = await this.#take()
    try {
      return await slot.run(request, options)
    } finally {
      this.#release(slot)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0))
      reject(new ValidatorError('aborted', 'the pool is closed'))
    for (const slot of this.#all) slot.close()
  }

  #take(): Promise<ProcessSlot> {
    if (this.#isClosed) return Promise.reject(new ValidatorError('aborted', 'the pool is closed'))
    // The slot that was used last is the warmest.
    const slot = this.#idle.pop()
    if (slot) return Promise.resolve(slot)
    return new Promise((start, reject) => this.#waiting.push({ start, reject }))
  }

  #release(slot: ProcessSlot): void {
    if (this.#isClosed) return slot.close()
    const next = this.#waiting.shift()
    if (next) next.start(slot)
    else this.#idle.push(slot)
  }
}
