import { editDistance } from '#likeness/edit-distance.ts'
import { monthNamed } from '#likeness/month-names.ts'
import opposites from '#known/opposites.json' with { type: 'json' }

/** Beginnings that turn a word into its opposite, or into another word: alone, and one for the other. */
const STARTS = [...[...opposites.not, ...opposites.alone].map((start) => [start, '']), ...opposites.instead]

/**
 * A letter or a number, which is no misspelling of another one: Grade B, Line 4, Type II. Not a constant:
 * reading \p{L} takes V8 0.2 ms, and most files need no such test.
 */
const isNumber = (word: string): boolean => /^(?:\d+|\p{L}|x{0,3}(?:ix|iv|v?i{0,3}))$/u.test(word)

/** Fewer letters after a beginning are no word. */
const SHORTEST_WORD = 3

/** Opposites, or names that differ by their number. Given as words, in small letters without accents. */
export function haveOtherMeanings(one: readonly string[], other: readonly string[]): boolean {
  const [own, theirs] = differingWords(one, other)
  if (own.length === theirs.length && own.some((word, index) => areOtherWords(word, theirs[index])))
    return true
  const [ours, others] = [own.join(''), theirs.join('')]
  if (ours === '' || others === '') return opposites.not.includes(ours + others)
  return areOpposite(ours, others)
}

/** The words of both without those that they begin and end with alike. */
export function differingWords(
  one: readonly string[],
  other: readonly string[],
): [readonly string[], readonly string[]] {
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start++
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)]
}

function areOtherWords(one: string, other: string): boolean {
  if (one === other) return false
  if (isNumber(one) && isNumber(other)) return true
  // Each word of a group excludes the others.
  if (opposites.groups.some((group) => group.includes(one) && group.includes(other))) return true
  const [month, otherMonth] = [monthNamed(one), monthNamed(other)]
  return month > 0 && otherMonth > 0 && month !== otherMonth
}

/** Unpaid and Paid, Disabled and Enabled, also misspelt: closer without these beginnings than with them. */
function areOpposite(one: string, other: string): boolean {
  const isCloser = (own: string, theirs: string) => {
    if (Math.min(own.length, theirs.length) < SHORTEST_WORD) return false
    const distance = editDistance(own, theirs, 2)
    return distance <= 2 && distance < editDistance(one, other, 3)
  }
  const are = (own: string, theirs: string) =>
    STARTS.some(
      ([start, otherStart]) =>
        own.startsWith(start) &&
        theirs.startsWith(otherStart) &&
        // A first letter that was typed twice is a misspelling: aable for able.
        own[start.length] !== start &&
        isCloser(own.slice(start.length), theirs.slice(otherStart.length)),
    ) ||
    opposites.ends.some(
      ([end, otherEnd]) =>
        own.endsWith(end) &&
        theirs.endsWith(otherEnd) &&
        isCloser(own.slice(0, -end.length), theirs.slice(0, theirs.length - otherEnd.length)),
    )
  return are(one, other) || are(other, one)
}
