/** Gone with the first causes: the share at which the lead stops to add another one. */
const enough = 0.95
/** More than this many causes are no short list. */
const atMost = 5
/** With less than this share, a few causes are not worth a sentence. */
const worthwhile = 0.5

/**
 * The largest causes to correct first: as few as are behind 95 % of the bad cells, five at most. `percent` is
 * rounded down, so that 100 means all. null where five are not even half of it. `causes`: most cells first.
 */
export function firstCauses(
  causes: readonly { cells: number }[],
  cellErrorCount: number,
): { count: number; percent: number } | null {
  let count = 0
  let cells = 0
  while (count < Math.min(causes.length, atMost) && cells < enough * cellErrorCount) {
    cells += causes[count].cells
    count += 1
  }
  if (count === 0 || cells < worthwhile * cellErrorCount) return null
  return { count, percent: Math.floor((100 * cells) / cellErrorCount) }
}
