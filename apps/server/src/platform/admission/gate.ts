import { tooManyRequests } from '#errors.ts'

export type GateSettings = {
  /** How much work runs at a time: of all keys, of each key, and of each group. No limit by default. */
  concurrency?: number
  perKey?: number
  perGroup?: number
  /** By default each key is a group of its own. */
  groupOf?: (key: string) => string
  /**
   * For one more, 429 goes to the newest waiting work of the key that has most, in the group that has most.
   * No limit by default.
   */
  maxWaiting?: number
  /** Work of one key that waits, and its bytes of memory together; 429 for more. No limit by default. */
  maxWaitingOfKey?: number
  maxWaitingBytesOfKey?: number
  /** Seconds after which a refused caller should try again. 2 by default. */
  retrySeconds?: number
}

/** `bytes`: the memory that the work holds while it waits. It is refused with 429 when it is `aborted`. */
type WaitingOptions = { bytes?: number; aborted?: AbortSignal }

type Group = { running: number; waiting: number; lines: Map<string, Line> }
type Line = { running: number; waiting: Set<Waiting>; bytes: number }
type Place = { key: string; line: Line; groupName: string; group: Group }
type Waiting = Place & { bytes: number; start(): void; refuse(): void }

/**
 * Lets so much work run in this process; the rest waits. Groups take turns, and in a group its keys, so that
 * a flood of one key delays each other key by one turn only.
 */
export class Gate {
  readonly #settings: Required<GateSettings>
  /** With work that runs or waits, in the order of their turns; lines in a group, too. */
  readonly #groups = new Map<string, Group>()
  #running = 0
  #waiting = 0

  constructor(settings: GateSettings) {
    this.#settings = {
      concurrency: Infinity,
      perKey: Infinity,
      perGroup: Infinity,
      groupOf: (key) => key,
      maxWaiting: Infinity,
      maxWaitingOfKey: Infinity,
      maxWaitingBytesOfKey: Infinity,
      retrySeconds: 2,
      ...settings,
    }
  }

  /** Throws 429 when too much waits. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(key)
    return Promise.try(work).finally(leave)
  }

  /** Returns what to call when the work has ended, once or more often. Throws 429 when too much waits. */
  async enter(key: string, options: WaitingOptions = {}): Promise<() => void> {
    return this.tryEnter(key) ?? this.#wait(key, options)
  }

  /** Like `enter`, but returns null for work that would have to wait. */
  tryEnter(key: string): (() => void) | null {
    const place = this.#placeOf(key)
    const { concurrency, perGroup, perKey } = this.#settings
    const { line, group } = place
    if (this.#running < concurrency && group.running < perGroup && line.running < perKey)
      return this.#start(place)
    this.#forgetIdle(place)
    return null
  }

  /** Like `enter`, but throws 429 for work that would have to wait. */
  enterNow(key: string): () => void {
    const leave = this.tryEnter(key)
    if (leave === null) throw tooManyRequests(this.#settings.retrySeconds)
    return leave
  }

  async #wait(key: string, { bytes = 0, aborted }: WaitingOptions): Promise<() => void> {
    const { maxWaiting, maxWaitingOfKey, maxWaitingBytesOfKey, retrySeconds } = this.#settings
    const place = this.#placeOf(key)
    const { line } = place
    const isFull = line.waiting.size >= maxWaitingOfKey || line.bytes + bytes > maxWaitingBytesOfKey
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const refuse = () => reject(tooManyRequests(retrySeconds))
    const waiting = { ...place, bytes, start: () => resolve(this.#start(place)), refuse }
    this.#add(waiting)
    const refuseThis = () => this.#take(waiting)?.refuse()
    aborted?.addEventListener('abort', refuseThis, { once: true })
    if (isFull || aborted?.aborted) refuseThis()
    else if (this.#waiting > maxWaiting) this.#refuseOne()
    return promise.finally(() => aborted?.removeEventListener('abort', refuseThis))
  }

  #start(place: Place): () => void {
    this.#countRunning(place, 1)
    let hasEnded = false
    return () => {
      if (!hasEnded) this.#end(place)
      hasEnded = true
    }
  }

  #end(place: Place): void {
    const mayBeAnyGroup = this.#running === this.#settings.concurrency
    this.#countRunning(place, -1)
    this.#forgetIdle(place)
    if (!mayBeAnyGroup) return void this.#startNextOf(place.groupName, place.group)
    for (const [name, group] of this.#groups) if (this.#startNextOf(name, group)) return
  }

  #startNextOf(groupName: string, group: Group): boolean {
    const { perGroup, perKey } = this.#settings
    if (group.waiting === 0 || group.running >= perGroup) return false
    for (const [key, line] of group.lines) {
      const [next] = line.waiting
      if (next === undefined || line.running >= perKey) continue
      moveToEnd(this.#groups, groupName)
      moveToEnd(group.lines, key)
      next.start()
      this.#take(next)
      return true
    }
    return false
  }

  #refuseOne(): void {
    const group = largest(this.#groups.values(), ({ waiting }) => waiting)
    const line = largest(group?.lines.values() ?? [], ({ waiting }) => waiting.size)
    const newest = [...(line?.waiting ?? [])].at(-1)
    if (newest !== undefined) this.#take(newest)?.refuse()
  }

  #add(waiting: Waiting): void {
    const { line, group } = waiting
    // Its turn comes after those that wait already.
    if (group.waiting === 0) moveToEnd(this.#groups, waiting.groupName)
    if (line.waiting.size === 0) moveToEnd(group.lines, waiting.key)
    line.waiting.add(waiting)
    line.bytes += waiting.bytes
    group.waiting++
    this.#waiting++
  }

  /** undefined if it no longer waits. */
  #take(waiting: Waiting): Waiting | undefined {
    const { line, group } = waiting
    if (!line.waiting.delete(waiting)) return
    line.bytes -= waiting.bytes
    group.waiting--
    this.#waiting--
    this.#forgetIdle(waiting)
    return waiting
  }

  #placeOf(key: string): Place {
    const groupName = this.#settings.groupOf(key)
    const group = this.#groups.get(groupName) ?? { running: 0, waiting: 0, lines: new Map<string, Line>() }
    this.#groups.set(groupName, group)
    const line = group.lines.get(key) ?? { running: 0, waiting: new Set(), bytes: 0 }
    group.lines.set(key, line)
    return { key, line, groupName, group }
  }

  #countRunning({ line, group }: Place, change: 1 | -1): void {
    this.#running += change
    group.running += change
    line.running += change
  }

  #forgetIdle({ key, line, groupName, group }: Place): void {
    if (line.running === 0 && line.waiting.size === 0) group.lines.delete(key)
    if (group.lines.size === 0) this.#groups.delete(groupName)
  }
}

function moveToEnd<T>(map: Map<string, T>, name: string): void {
  const value = map.get(name) as T
  map.delete(name)
  map.set(name, value)
}

/** The last of those with the largest size. */
function largest<T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined {
  let found: T | undefined
  for (const item of items) if (found === undefined || sizeOf(item) >= sizeOf(found)) found = item
  return found
}
