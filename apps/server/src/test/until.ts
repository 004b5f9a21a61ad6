import { vi } from 'vitest'

/** Waits until the condition holds. Fails before the timeout of the test does, whose error names no line. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: 150_000, interval: 20 })
