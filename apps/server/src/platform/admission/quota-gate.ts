/**
 * Admits work that uses up a quota, by key. The limit is exact within this process: near the quota, work runs
 * one after the other, and the used amount is read again before each.
 */
export type QuotaGate = {
  /** Returns the result of `work`; throws the error of `refusal` if `amount` does not fit any more. */
  run<T>(key: string, request: QuotaRequest<T>): Promise<T>
}

type QuotaRequest<T> = {
  amount: number
  quota: number
  readUsed(): Promise<number>
  refusal(): Error
  work(): Promise<T>
}
type Usage = {
  used: number
  readAt: number
  inFlight: number
  running: Set<Promise<unknown>>
  last: Promise<unknown>
}

/** Below this share of the quota, the used amount is read only every few seconds: it sums up many rows. */
const FAR_SHARE = 0.9
const RECENT_MILLISECONDS = 5_000

export function createQuotaGate(): QuotaGate {
  const usages = new Map<string, Usage>()

  const usageOf = (key: string): Usage => {
    const usage = usages.get(key) ?? {
      used: 0,
      readAt: -Infinity,
      inFlight: 0,
      running: new Set(),
      last: Promise.resolve(),
    }
    usages.set(key, usage)
    return usage
  }

  const admit = async <T>(usage: Usage, { amount, work }: QuotaRequest<T>): Promise<T> => {
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

  const isFar = ({ used, inFlight, readAt }: Usage, amount: number, quota: number): boolean =>
    performance.now() - readAt < RECENT_MILLISECONDS && used + inFlight + amount <= FAR_SHARE * quota

  /** Settles when the next request of the key may begin. */
  const admitInTurn = async <T>(usage: Usage, request: QuotaRequest<T>): Promise<{ result: Promise<T> }> => {
    const { amount, quota } = request
    if (isFar(usage, amount, quota)) return { result: admit(usage, request) }
    await Promise.allSettled(usage.running)
    usage.used = await request.readUsed()
    usage.readAt = performance.now()
    if (usage.used + usage.inFlight + amount > quota) throw request.refusal()
    const wasFar = isFar(usage, amount, quota)
    const result = admit(usage, request)
    if (!wasFar) await Promise.allSettled([result])
    return { result }
  }

  return {
    async run(key, request) {
      const usage = usageOf(key)
      const turn = usage.last.then(() => admitInTurn(usage, request))
      usage.last = turn.catch(() => {})
      return (await turn).result
    },
  }
}
