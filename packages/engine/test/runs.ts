/** Whether this is `npm run test:long`. */
export const isLong = process.env['TEST_LONG'] === '1'

/** Runs of a property: `npm run test:long` makes twenty times as many as `npm test`. */
export const runs = (count: number): number => (isLong ? 20 * count : count)

/**
 * Numbers of the parts of `size` runs each: a test that makes all of them may take minutes on a busy
 * machine.
 */
export const partsOf = (count: number, size: number): number[] =>
  Array.from({ length: count / size }, (_, index) => index + 1)
