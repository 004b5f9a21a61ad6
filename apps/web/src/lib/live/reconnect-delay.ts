const firstDelay = 1000
const longestDelay = 30_000

/**
 * Milliseconds before the next try: doubling from 1 s to 30 s with the number of failed tries, of which a
 * random half is taken away, so that all pages do not come back at the same moment after a restart. `random`
 * gives 0 to 1.
 */
export function reconnectDelay(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestDelay, firstDelay * 2 ** Math.min(failures, 16))
  return ceiling / 2 + (ceiling / 2) * random()
}
