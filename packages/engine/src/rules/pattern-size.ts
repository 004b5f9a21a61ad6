/**
 * The pieces of a pattern: a repeat, the beginning or the end of a group, or anything else, which matches a
 * character or a place.
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<repeat>[*+?]|\{(?<least>\d{1,4})(?<comma>,(?<most>\d{0,4}))?\})`,
    // Flags alone, like (?i), begin no group: a repeat behind them repeats what stands before them. A group
    // may bear flags or a name.
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?)|(?<close>\))`,
    String.raw`\\[pPx]\{[^}]*\}|\\Q[^]*?(?:\\E|$)|\\.`,
    String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|[^]`,
  ].join('|'),
  'gsu',
)

/** Instructions of a program with nothing in it: its beginning, its end, and the empty match. */
const FRAME = 3
/** What a group adds to its content, with and without being remembered. */
const CAPTURE = 3
const GROUP = 1
/**
 * Larger than any bound. Repeats within repeats, which RE2 refuses, would else outgrow what a double can
 * subtract exactly.
 */
const BEYOND_ALL = 1e12

/**
 * How large a pattern becomes when RE2 unrolls its repeats: no less than the number of its instructions, and
 * no more than a few times that and its own length. It is told from the text in one walk, because compiling a
 * large pattern to see takes seconds. A pattern that RE2 refuses has some size, too.
 */
export function patternSize(pattern: string): number {
  // The groups that are open; the first one is the whole pattern.
  const groups = [{ size: FRAME, own: 0 }]
  // The size of what a repeat would repeat. It is counted once already.
  let atom = 0
  for (const { 0: token, groups: found = {} } of pattern.matchAll(TOKEN)) {
    let counted = atom
    if (found.flags) continue
    if (found.repeat) atom = Math.min(repeated(atom, found), BEYOND_ALL)
    else if (found.open) groups.push({ size: 0, own: token === '(' || token.includes('<') ? CAPTURE : GROUP })
    else [atom, counted] = [1, 0]
    if (found.open) continue
    if (found.close && groups.length > 1) {
      const { size, own } = groups.pop()!
      atom = size + own
    }
    groups[groups.length - 1].size +=
      atom - counted + (token.startsWith('\\Q') ? token.length : 0) + (token === '|' ? 1 : 0)
  }
  return groups.reduce((sum, { size, own }) => sum + size + own, pattern.length)
}

function repeated(size: number, { repeat, least, comma, most }: Record<string, string | undefined>): number {
  if (least === undefined) return size + (repeat === '?' ? 1 : 2)
  const always = Number(least)
  if (comma === undefined) return Math.max(1, always * size)
  if (!most) return Math.max(1, always) * size + 2
  return Math.max(1, always * size + Math.max(0, Number(most) - always) * (size + 1))
}

/** Of all patterns of one dictionary: equal ones are judged once and count once. */
export function patternsSize(patterns: Iterable<string>): number {
  let size = 0
  for (const pattern of new Set(patterns)) size += patternSize(pattern)
  return size
}
