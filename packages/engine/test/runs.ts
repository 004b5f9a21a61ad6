/** Runs of a property: `npm run test:long` makes five times as many as `npm test`. */
export const runs = (count: number): number => (process.env['TEST_LONG'] === '1' ? 5 * count : count)
