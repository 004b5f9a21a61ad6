import { ProcessSlot, type SlotSettings, type RunOptions } from '#drivers/validator/process-slot.ts'
import { ValidatorError } from '#drivers/validator/validator.ts'
import type { ValidatorReply, ValidatorRequest } from '#drivers/validator/validator-messages.ts'

/** Lanes that take requests in the order they come. */
export class ProcessPool {
  readonly #idle: ProcessSlot[]
  readonly #all: readonly ProcessSlot[]
  readonly #waiting: { start: (lane: ProcessSlot) => void; refuse: (error: Error) => void }[] = []
  #isClosed = false

  constructor(size: number, settings: SlotSettings) {
    this.#all = Array.from({ length: size }, () => new ProcessSlot(settings))
    this.#idle = [...this.#all]
  }

  warm(): void {
    for (const lane of this.#all) lane.warm()
  }

  async run(request: ValidatorRequest, options: RunOptions = {}): Promise<ValidatorReply> {
    const lane = await this.#take()
    try {
      return await lane.run(request, options)
    } finally {
      this.#giveBack(lane)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { refuse } of this.#waiting.splice(0))
      refuse(new ValidatorError('aborted', 'the pool is closed'))
    for (const lane of this.#all) lane.close()
  }

  #take(): Promise<ProcessSlot> {
    if (this.#isClosed) return Promise.reject(new ValidatorError('aborted', 'the pool is closed'))
    // The lane that rested last is the warmest.
    const lane = this.#idle.pop()
    if (lane) return Promise.resolve(lane)
    return new Promise((start, refuse) => this.#waiting.push({ start, refuse }))
  }

  #giveBack(lane: ProcessSlot): void {
    if (this.#isClosed) return lane.close()
    const next = this.#waiting.shift()
    if (next) next.start(lane)
    else this.#idle.push(lane)
  }
}
