/**
 * Something that happens at a virtual time. An event without an owner happens even if a process is frozen.
 */
export type Event<Owner> = {
  readonly time: number
  readonly order: number
  readonly owner: Owner | null
  run(): void
  isCanceled: boolean
}

/** Events in the order of their times; of equal times, in the order in which they were added. */
export class Schedule<Owner> {
  /** Virtual time in milliseconds. */
  now: number
  #count = 0
  /** A binary heap. */
  readonly #heap: Event<Owner>[] = []

  constructor(start: number) {
    this.now = start
  }

  add(delay: number, owner: Owner | null, run: () => void): Event<Owner> {
    const time = this.now + Math.max(0, Math.round(delay))
    const event: Event<Owner> = { time, order: this.#count++, owner, run, isCanceled: false }
    const heap = this.#heap
    let place = heap.push(event) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (isBefore(heap[parent] as Event<Owner>, event)) break
      heap[place] = heap[parent] as Event<Owner>
      place = parent
    }
    heap[place] = event
    return event
  }

  /** Removes the next event and sets `now` to its time; undefined if there is none. */
  next(): Event<Owner> | undefined {
    for (;;) {
      const first = this.#take()
      if (first === undefined) return undefined
      if (first.isCanceled) continue
      this.now = Math.max(this.now, first.time)
      return first
    }
  }

  #take(): Event<Owner> | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      const right = child + 1
      if (right < heap.length && isBefore(heap[right] as Event<Owner>, heap[child] as Event<Owner>))
        child = right
      if (isBefore(last, heap[child] as Event<Owner>)) break
      heap[place] = heap[child] as Event<Owner>
      place = child
    }
    heap[place] = last
    return first
  }
}

const isBefore = (a: { time: number; order: number }, b: { time: number; order: number }): boolean =>
  a.time < b.time || (a.time === b.time && a.order < b.order)
