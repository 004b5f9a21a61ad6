import { ProcessSlot, type SlotSettings, type RunOptions } from '#platform/validator/process-slot.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import type { ValidatorReply, ValidatorRequest } from '#platform/validator/validator-messages.ts'

/** `minSize`: processes that stay when they are idle. */
type PoolSettings = SlotSettings & { size: number; minSize?: number }

/** Slots that run requests in the order in which they come. */
export class ProcessPool {
  readonly #idle: ProcessSlot[]
  readonly #all: readonly ProcessSlot[]
  readonly #permanent: readonly ProcessSlot[]
  readonly #waiting: { start: (slot: ProcessSlot) => void; reject: (error: Error) => void }[] = []
  #isClosed = false

  constructor({ size, minSize = 0, ...settings }: PoolSettings) {
    this.#permanent = Array.from(
      { length: minSize },
      () => new ProcessSlot({ ...settings, idleMilliseconds: null }),
    )
    const others = Array.from({ length: size - minSize }, () => new ProcessSlot(settings))
    this.#all = [...others, ...this.#permanent]
    this.#idle = [...this.#all]
  }

  /** Starts the processes that stay when they are idle. */
  warm(): void {
    for (const slot of this.#permanent) slot.warm()
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
