import type { Deps } from '#deps.ts'
import { runMaintenance } from '#services/submissions/run-maintenance.ts'

/** With leases of 24 s, a run on a machine that vanished is taken up in less than 30 s (reliability, F5). */
const INTERVAL_MILLISECONDS = 5_000

/**
 * Looks every few seconds, and at once, for submissions that somebody died over, and after the clock. Every
 * worker does; it costs one query on a small index. Answers the function that ends it.
 */
export function startMaintenance(deps: Deps): () => void {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      await runMaintenance(deps)
    } catch (error) {
      deps.log.warn({ err: error }, 'looking for submissions without a worker failed')
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(look, INTERVAL_MILLISECONDS)
  void look()
  return () => clearInterval(timer)
}
