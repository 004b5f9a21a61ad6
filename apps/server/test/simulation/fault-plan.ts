import type { RandomStream } from '#simulation/random-stream.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND

/** What can be unavailable for a while. */
export const outages = ['database', 'storageAway', 'storageFull', 'mail'] as const
export type Outage = (typeof outages)[number]

/**
 * The faults of one simulation. A rate is the probability of a fault at each step where it can happen. Each
 * simulation has only some of the faults, because one fault can hide another (swarm testing; Groce et al.
 * 2012).
 */
export type FaultPlan = {
  crash: number
  freeze: number
  slow: number
  databaseError: number
  conflict: number
  lostResponse: number
  lateCommit: number
  storageError: number
  validatorCrash: number
  validatorTimeout: number
  lostWakeUp: number
  mailUnreachable: number
  mailLater: number
  mailRefused: number
  mailReplyLost: number
  disconnect: number
  lostListener: number
  /** Virtual times of stops as by SIGTERM. */
  stops: number[]
  outages: { outage: Outage; from: number; to: number }[]
  /** The database's clock is set forward or back. */
  clockJumps: { at: number; by: number }[]
}

/** The ranges of the rates in simulations that have the fault; docs/RELIABILITY.md shows them. */
export const rateRanges = {
  crash: [0.0005, 0.01],
  freeze: [0.0005, 0.005],
  slow: [0.01, 0.1],
  databaseError: [0.001, 0.03],
  conflict: [0.001, 0.05],
  lostResponse: [0.005, 0.1],
  lateCommit: [0.01, 0.2],
  storageError: [0.001, 0.1],
  validatorCrash: [0.05, 0.6],
  validatorTimeout: [0.01, 0.1],
  lostWakeUp: [0.05, 0.5],
  mailUnreachable: [0.01, 0.2],
  mailLater: [0.01, 0.2],
  mailRefused: [0.01, 0.1],
  mailReplyLost: [0.05, 0.5],
  disconnect: [0.02, 0.2],
  lostListener: [0.05, 0.5],
} as const satisfies Record<string, readonly [number, number]>
type Rate = keyof typeof rateRanges

/** The share of the simulations that have a certain fault; outages, stops and clock jumps are rarer. */
const FAULT_SHARE = 0.35
const OUTAGE_SHARE = 0.15
const JUMP_SHARE = 0.04

/** `length`: milliseconds after which there are no more faults. */
export function createFaultPlan(random: RandomStream, length: number): FaultPlan {
  const isFaultless = random.isLikely(0.05)
  const rateOf = (name: Rate): number => {
    const [least, most] = rateRanges[name]
    return isFaultless || !random.isLikely(FAULT_SHARE) ? 0 : least * (most / least) ** random.next()
  }
  const chosen = Object.fromEntries((Object.keys(rateRanges) as Rate[]).map((name) => [name, rateOf(name)]))
  const isChosen = (share: number) => !isFaultless && random.isLikely(share)
  const windowOf = (outage: Outage) => {
    const from = random.between(0, 0.7) * length
    return { outage, from, to: Math.min(length, from + random.between(1, 40) * SECOND) }
  }
  return {
    ...(chosen as Record<Rate, number>),
    stops: isChosen(OUTAGE_SHARE) ? [random.between(0, length), random.between(0, length)] : [],
    outages: outages.filter(() => isChosen(OUTAGE_SHARE)).map(windowOf),
    clockJumps: isChosen(JUMP_SHARE)
      ? [{ at: random.between(0, length), by: random.oneOf([-1, 1]) * random.between(0.05, 400) * DAY }]
      : [],
  }
}
