/** What a pattern consists of: repeats, the beginnings and ends of groups, alternatives; everything else matches a character or a place. */
const TOKEN = new RegExp(
  [
    String.raw`(?<repeat>[*+?]|\{(?<least>\d{1,4})(?<comma>,(?<most>\d{0,4}))?\})`,
    // With flags, or with a name. Flags for all that follows are no group, and a repeat behind them is of what stands before.
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?)|(?<close>\))`,
    String.raw`\\[pPx]\{[^}]*\}|\\Q[^]*?(?:\\E|$)|\\.`,
    String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|[^]`,
  ].join('|'),
  'gsu',
)

/** The beginning, the end, and what stands for nothing. */
const FRAME = 3
const CAPTURE = 3
const GROUP = 1
/** Repeats of repeats, which RE2 refuses, would grow beyond what can be subtracted again. */
const BEYOND_ALL = 1e12

/**
 * At least how many instructions RE2 makes of a pattern when its repeats are unrolled, and at most a few times as many, with its
 * own length on top. Told from the text in one walk, for compiling a large one to see takes seconds. One that RE2 does not
 * understand has some size as well.
 */
export function patternSize(pattern: string): number {
  // Those that are open, around them the whole.
  const groups = [{ size: FRAME, own: 0 }]
  // What a repeat behind it repeats; it is counted once already.
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
    groups[groups.length - 1].size += atom - counted + (token.startsWith('\\Q') ? token.length : 0) + (token === '|' ? 1 : 0)
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
