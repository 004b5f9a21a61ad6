import { logLimits } from '@veridict/contract/limits'

/** Decides which refused calls get a line of the log of their own. */
export type RefusalLines = {
  /** Counts a refused call of an address; false if it is only counted. */
  add(address: string): boolean
  /** Begins the next minute. Returns how many calls of the last one were only counted. */
  nextMinute(): number
}

export function createRefusalLines(): RefusalLines {
  let lines = 0
  let counted = 0
  const ofAddress = new Map<string, number>()
  return {
    add(address) {
      const own = ofAddress.get(address) ?? 0
      if (own >= logLimits.refusalsPerAddress || lines >= logLimits.refusals) {
        counted++
        return false
      }
      ofAddress.set(address, own + 1)
      lines++
      return true
    },
    nextMinute() {
      const last = counted
      lines = 0
      counted = 0
      ofAddress.clear()
      return last
    },
  }
}
