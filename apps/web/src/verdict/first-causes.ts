/** Gone with the first causes: the share at which the list ends. */
const enough = 0.95
/** From this share on, only causes of some size are added. */
const most = 0.8
/** The share that a further cause must have then. */
const worthAdding = 0.03
/** More than this many causes are no short list. */
const atMost = 5
/** With less than this share, a few causes are not worth a sentence. */
const worthwhile = 0.5

/**
 * The largest causes to correct first: as few as are behind most of the bad cells, five at most. `percent` is
 * rounded down, so that 100 means all. null where five are not even half of it. `causes`: most cells first.
 */
export function firstCauses(
  causes: readonly { cells: number }[],
  cellErrorCount: number,
): { count: number; percent: number } | null {
  let count = 0
  let cells = 0
  for (const cause of causes.slice(0, atMost)) {
    const share = cells / cellErrorCount
    if (share >= enough || (share >= most && cause.cells < worthAdding * cellErrorCount)) break
    cells += cause.cells
    count += 1
  }
  if (count === 0 || cells < worthwhile * cellErrorCount) return null
  return { count, percent: Math.floor((100 * cells) / cellErrorCount) }
}
