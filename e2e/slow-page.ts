/**
 * Makes a page as slow as a busy machine makes it: timers that are meant for the next moment come 180 ms
 * late, and every call takes half a second. A journey that is right by luck alone fails then. Run in the
 * page, before anything else.
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
