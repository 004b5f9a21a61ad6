import type { ByteSource } from '#byte-source.ts'

/** How many characters of rows may wait before reading pauses: a few MB. */
const MAX_WAITING = 2_000_000

/** Ends a validation whose results are no longer needed. */
class Abandoned extends Error {}

/** Rows of a file, one after the other. */
export type Rows<Row> = Pick<RowFeed<Row>, 'peek' | 'take'>

export const NO_ROWS: Rows<never> = { peek: async () => null, take() {} }

/** The validation pushes rows, the writer pulls them; too many waiting rows pause the validation. */
export class RowFeed<Row> {
  private waiting: { row: Row; size: number }[] = []
  private taken = 0
  private waitingSize = 0
  private isDone = false
  private failure: { error: unknown } | null = null
  private isAbandoned = false
  /** Functions that end the pauses: the validation and the reading of its bytes can wait at the same time. */
  private paused: (() => void)[] = []
  private resumeWriting: (() => void) | null = null

  /** Starts a validation that pushes into this feed. `peek` throws what the validation throws. */
  start(validate: () => Promise<void>): void {
    validate()
      .catch((error: unknown) => {
        if (!(error instanceof Abandoned)) this.failure = { error }
      })
      .finally(() => {
        this.isDone = true
        this.resumeWriting?.()
      })
  }

  /** `size` is the memory that the row holds, in characters. */
  push(row: Row, size: number): void {
    this.waiting.push({ row, size })
    this.waitingSize += size
  }

  /** A view of `source` whose reads wait while the writer lags. */
  pace(source: ByteSource): ByteSource {
    return {
      size: source.size,
      read: (into, position) => {
        const wait = this.ready()
        return wait === undefined ? source.read(into, position) : wait.then(() => source.read(into, position))
      },
    }
  }

  /** The validation must await this, because it may have to pause. */
  ready(): Promise<void> | undefined {
    if (this.isAbandoned) throw new Abandoned()
    this.resumeWriting?.()
    if (this.waitingSize < MAX_WAITING) return undefined
    return new Promise((resolve, reject) => {
      this.paused.push(() => (this.isAbandoned ? reject(new Abandoned()) : resolve()))
    })
  }

  /** The next row, without taking it; null after the last one. Throws what the validation threw. */
  async peek(): Promise<Row | null> {
    while (this.taken === this.waiting.length) {
      if (this.failure !== null) throw this.failure.error
      if (this.isDone) return null
      await new Promise<void>((resolve) => {
        this.resumeWriting = resolve
      })
      this.resumeWriting = null
    }
    return this.waiting[this.taken].row
  }

  take(): void {
    this.waitingSize -= this.waiting[this.taken++].size
    if (this.taken < this.waiting.length) return
    this.waiting = []
    this.taken = 0
    this.resume()
  }

  /** Ends the validation: no more rows will be taken. */
  abandon(): void {
    this.isAbandoned = true
    this.resume()
  }

  private resume(): void {
    const { paused } = this
    this.paused = []
    for (const proceed of paused) proceed()
  }
}
