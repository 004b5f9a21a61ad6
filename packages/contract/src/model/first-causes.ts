/** The list of first causes ends when they have this share of all bad cells. */
const ENDING_SHARE = 0.95
/** From this share on, only causes of some size are added. */
const SELECTIVE_SHARE = 0.8
/** The smallest share of a cause that is added then. */
const SMALLEST_ADDED_SHARE = 0.03
/** The longest list; also how many causes are open where there is no such list. */
export const maxFirstCauses = 5
/** With less than this share together, the causes are not listed. */
const SMALLEST_SHARE = 0.5

/**
 * How many of `causes` (most cells first) to correct first: as few as have most of the bad cells, five at
 * most. `percent` is their share, rounded down: 100 means all. null where five have less than half.
 */
export function firstCauses(causes: readonly { cells: number }[], cellErrorCount: number) {
  let count = 0
  let cells = 0
  for (const cause of causes.slice(0, maxFirstCauses)) {
    const share = cells / cellErrorCount
    const isSmall = cause.cells < SMALLEST_ADDED_SHARE * cellErrorCount
    if (share >= ENDING_SHARE || (share >= SELECTIVE_SHARE && isSmall)) break
    cells += cause.cells
    count += 1
  }
  if (count === 0 || cells < SMALLEST_SHARE * cellErrorCount) return null
  return { count, percent: Math.floor((100 * cells) / cellErrorCount) }
}
