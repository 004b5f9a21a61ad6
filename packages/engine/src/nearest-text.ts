/**
 * The candidate that `text` was most likely meant to be, or null where none is near: equal but for case, else within an
 * edit distance (insertions, deletions, replacements, swaps of neighbours) of a third of its length, rounded up, at most
 * three; texts of one or two letters are near to nothing else.
 * The first of equally near candidates wins.
 */
export function nearestText(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase()
  let bound = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 3))
  let nearest: string | null = null
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    if (lower === wanted) return candidate
    if (Math.abs(lower.length - wanted.length) > bound) continue
    const distance = editDistance(wanted, lower, bound)
    if (distance > bound) continue
    nearest = candidate
    bound = distance - 1
  }
  return nearest
}

/** Optimal string alignment distance, or any number above `bound` as soon as it must exceed it. */
function editDistance(a: string, b: string, bound: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1)
      let distance = Math.min(replaced, last[column] + 1, current[column - 1] + 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) distance = Math.min(distance, beforeLast[column - 2] + 1)
      current.push(distance)
    }
    if (Math.min(...current) > bound) return bound + 1
    beforeLast = last
    last = current
  }
  return last[b.length]
}
