/** Which letters a text has, as bits; some letters share one. */
export function lettersIn(text: string): number {
  let letters = 0
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31)
  return letters
}

/** An edit adds and removes at most one letter: this check alone excludes nearly all pairs. */
export const haveNearLetters = (one: number, other: number, bound: number): boolean =>
  ones(one & ~other) <= bound && ones(other & ~one) <= bound

function ones(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

/** Three rows of the table of distances, made once and grown where a text is longer. */
let rows = [0, 1, 2].map(() => new Uint32Array(256))

/** Optimal string alignment: insertions, deletions, replacements, swaps. Any number above `bound` if more. */
export function editDistance(a: string, b: string, bound: number): number {
  if (rows[0].length <= b.length) rows = rows.map(() => new Uint32Array(b.length + 1))
  for (let column = 0; column <= b.length; column++) rows[0][column] = column
  for (let row = 1; row <= a.length; row++) {
    const current = rows[row % 3]
    const last = rows[(row + 2) % 3]
    const beforeLast = rows[(row + 1) % 3]
    current[0] = row
    let least = row
    const letter = a.charCodeAt(row - 1)
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1)
      let distance = last[column - 1] + (letter === other ? 0 : 1)
      if (last[column] + 1 < distance) distance = last[column] + 1
      if (current[column - 1] + 1 < distance) distance = current[column - 1] + 1
      if (
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === other &&
        beforeLast[column - 2] + 1 < distance
      )
        distance = beforeLast[column - 2] + 1
      current[column] = distance
      if (distance < least) least = distance
    }
    if (least > bound) return bound + 1
  }
  return rows[a.length % 3][b.length]
}
