import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

/** The time, the timers and the random numbers of the running simulation. */
export type VirtualTime = {
  /** Milliseconds since 1970, by the clock of the machine. */
  dateNow(): number
  /** Milliseconds of a clock that is never set. */
  performanceNow(): number
  random(): number
  /** Calls `run` once, or every `milliseconds`. Returns how to stop it. */
  startTimer(run: () => void, milliseconds: number, isRepeated: boolean): () => void
}

/**
 * Replaces the clock, the timers and the random numbers of Node.js in this process, and never restores them:
 * the services use them directly. Promises and `setImmediate` are not changed.
 */
export function installVirtualTime(time: () => VirtualTime): void {
  const start = (isRepeated: boolean) =>
    ((run: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
      const stop = time().startTimer(() => run(...given), milliseconds, isRepeated)
      return { stop, ref() {}, unref() {}, hasRef: () => true }
    }) as unknown as typeof setTimeout
  const clear = ((timer: { stop(): void } | undefined) => timer?.stop()) as typeof clearTimeout
  Object.assign(globalThis, {
    setTimeout: start(false),
    setInterval: start(true),
    clearTimeout: clear,
    clearInterval: clear,
  })
  Date.now = () => time().dateNow()
  performance.now = () => time().performanceNow()
  Math.random = () => time().random()
  timersPromises.setTimeout = sleep as typeof timersPromises.setTimeout
  syncBuiltinESMExports()

  function sleep(
    milliseconds = 0,
    value?: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const aborted = () => {
        stop()
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      if (signal?.aborted === true) return reject(new DOMException('The operation was aborted', 'AbortError'))
      const stop = time().startTimer(
        () => {
          signal?.removeEventListener('abort', aborted)
          resolve(value)
        },
        milliseconds,
        false,
      )
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }
}
