import { editDistance } from '#likeness/edit-distance.ts'
import { monthNamed } from '#likeness/month-names.ts'

/** Words for not, which also stand in front of a word. */
const NOT = 'non not never without kein nicht ohne pas sans'
/** Beginnings that turn a word into its opposite, or into another word: alone, and one for the other. */
const ALONE = `${NOT} un in im il ir dis no an a de mis anti sin re pre`
const INSTEAD =
  'dis:en dis:em dis:as dis:con de:en de:in de:as ex:in ex:im out:in off:on down:up post:pre under:over ' +
  'hypo:hyper intra:inter intra:extra micro:macro mini:maxi min:max mono:poly mono:bi uni:bi uni:multi ' +
  'single:multi homo:hetero endo:exo ab:ad anti:pro dys:eu brady:tachy semi:bi'
const STARTS = pairsOf(`${ALONE.replaceAll(' ', ': ')}: ${INSTEAD}`)
/** Ends that do. */
const ENDS = pairsOf('less:ful less: free: out: ee:er ee:or')

/** Words of which each excludes the others of its group. */
const GROUPS: ReadonlyMap<string, string> = new Map(
  (
    'male female|man woman|men women|mother father brother|mr mrs ms|north south east west|left right|' +
    'northern southern eastern western|first last|min max|minimum maximum|debit credit|buyer seller|' +
    'high low|over under|odd even|before after|start end|from to|old new now|open closed|sent spent|' +
    'mon tue wed thu fri sat sun|monday tuesday wednesday thursday friday saturday sunday|' +
    'zero one two three four five six seven eight nine ten eleven twelve|' +
    'first second third fourth fifth sixth seventh eighth ninth tenth|' +
    'twenty thirty forty fifty sixty seventy eighty ninety|once twice thrice|single double triple'
  )
    .split('|')
    .flatMap((group) => group.split(' ').map((word) => [word, group] as const)),
)

/** A letter or a number, which is no misspelling of another one: Grade B, Line 4, Type II. */
const NUMBER = /^(?:\d+|\p{L}|x{0,3}(?:ix|iv|v?i{0,3}))$/u

/** Fewer letters after a beginning are no word. */
const SHORTEST_WORD = 3

function pairsOf(text: string): (readonly [string, string])[] {
  return text.split(' ').map((pair) => pair.split(':') as [string, string])
}

/**
 * Whether two names that look alike mean different things all the same: one is the opposite of the other, or
 * they differ by their number. Both are given as words, in small letters and without accents.
 */
export function haveOtherMeanings(one: readonly string[], other: readonly string[]): boolean {
  const [own, theirs] = differingWords(one, other)
  if (own.length === theirs.length && own.some((word, index) => areOtherWords(word, theirs[index])))
    return true
  const [ours, others] = [own.join(''), theirs.join('')]
  if (ours === '' || others === '') return NOT.split(' ').includes(ours + others)
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
  if (NUMBER.test(one) && NUMBER.test(other)) return true
  const group = GROUPS.get(one)
  if (group !== undefined && group === GROUPS.get(other)) return true
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
    ENDS.some(
      ([end, otherEnd]) =>
        own.endsWith(end) &&
        theirs.endsWith(otherEnd) &&
        isCloser(own.slice(0, -end.length), theirs.slice(0, theirs.length - otherEnd.length)),
    )
  return are(one, other) || are(other, one)
}
