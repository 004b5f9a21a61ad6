/**
 * Makes a page as slow as on a busy machine: short timers fire 180 ms late, and every call takes half a
 * second. It exposes journeys that pass only by luck. Runs in the page, before anything else.
 */
export function slowDown(): void {
  const SOON = 60
  const LATE = 180
  const HALF_A_CALL = 250
  const { setTimeout, fetch } = window
  const later = (run: TimerHandler, delay = 0, ...rest: unknown[]) =>
    setTimeout(run, delay < SOON ? delay + LATE : delay, ...rest)
  const pause = () => new Promise((done) => setTimeout(done, HALF_A_CALL))
  Object.assign(window, {
    setTimeout: later,
    async fetch(...call: Parameters<typeof fetch>) {
      await pause()
      const response = await fetch(...call)
      await pause()
      return response
    },
  })
}
