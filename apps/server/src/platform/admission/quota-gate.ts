import { Gate } from '#platform/admission/gate.ts'

type Request<T> = {
  /** What the work adds, and how much there may be, in one unit. */
  amount: number
  quota: number
  readUsed(): Promise<number>
  refusal(): Error
  work(): Promise<T>
}
type Usage = { used: number; readAt: number; inFlight: number; running: Set<Promise<unknown>> }

/** The used amount sums up many rows, so it is not read for each request that fits. */
const RECENT_MILLISECONDS = 5_000

/**
 * Admits work that uses up a quota of its key. Exact within this process: before it refuses, it waits until
 * nothing of the key runs, and reads the used amount again.
 */
export class QuotaGate {
  readonly #turns = new Gate({ perKey: 1 })
  readonly #usages = new Map<string, Usage>()

  /** Throws the error of `refusal` if `amount` does not fit any more. */
  async run<T>(key: string, request: Request<T>): Promise<T> {
    const usage = this.#usages.get(key) ?? { used: 0, readAt: -Infinity, inFlight: 0, running: new Set() }
    this.#usages.set(key, usage)
    return (await this.#turns.run(key, () => admitInTurn(usage, request))).result
  }
}

/** Settles when the next request of the key may begin. */
async function admitInTurn<T>(usage: Usage, request: Request<T>): Promise<{ result: Promise<T> }> {
  const { amount, quota } = request
  const fits = () => usage.used + usage.inFlight + amount <= quota
  if (performance.now() - usage.readAt > RECENT_MILLISECONDS || !fits()) {
    await Promise.allSettled(usage.running)
    usage.used = await request.readUsed()
    usage.readAt = performance.now()
    if (!fits()) throw request.refusal()
  }
  return { result: admit(usage, request) }
}

async function admit<T>(usage: Usage, { amount, work }: Request<T>): Promise<T> {
  usage.inFlight += amount
  const running = work()
  usage.running.add(running)
  try {
    const result = await running
    usage.used += amount
    return result
  } finally {
    usage.inFlight -= amount
    usage.running.delete(running)
  }
}
