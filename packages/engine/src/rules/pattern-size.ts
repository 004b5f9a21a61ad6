/** A repeat, the beginning or end of a group, or anything else, which matches a character or a place. */
const TOKEN = new RegExp(
  [
    String.raw`(?<repeat>[*+?]|\{(?<least>\d{1,4})(?<comma>,(?<most>\d{0,4}))?\})`,
    // Flags alone, like (?i), begin no group: a repeat after them repeats what is before them.
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?)|(?<close>\))`,
    String.raw`\\[pPx]\{[^}]*\}|\\Q[^]*?(?:\\E|$)|\\.`,
    String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|[^]`,
  ].join('|'),
  'gsu',
)

/** Instructions of an empty program: its beginning, its end, and the empty match. */
const FRAME = 3
/** Instructions that a group adds to those of its content: a capturing group, and any other. */
const CAPTURE = 3
const GROUP = 1
/** Larger than any limit: nested repeats (which RE2 refuses) would give sizes beyond exact doubles. */
const BEYOND_ALL = 1e12

/**
 * How large RE2 makes a pattern when it unrolls repeats: from RE2's number of instructions up to a few times
 * that, plus the pattern's length. Estimated from the text, because compiling a large one takes seconds. A
 * refused pattern has a size, too.
 */
export function patternSize(pattern: string): number {
  // The open groups; the first one is the whole pattern. `own` is what the group adds to its content.
  const groups = [{ size: FRAME, own: 0 }]
  // The size of the part that a repeat would repeat. It is already counted once.
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

/** The size of all patterns of a dictionary; equal ones count once. */
export function patternsSize(patterns: Iterable<string>): number {
  let size = 0
  for (const pattern of new Set(patterns)) size += patternSize(pattern)
  return size
}
