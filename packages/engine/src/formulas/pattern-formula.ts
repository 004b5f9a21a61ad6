import { BEYOND, isWrong, literal, say } from '#formulas/formula-text.ts'
import { type CharacterSet, parsePattern, type PatternNode } from '#rules/pattern-syntax.ts'

/** A longer one would need a formula beyond Excel's limits. */
const MAX_LENGTH = 60

/** The characters of a text one by one; `least` of them are there, the others may follow. */
type Characters = { readonly sets: readonly CharacterSet[]; readonly least: number }

/** What numbers, dates, TRUE and FALSE begin with. */
const STARTS_NUMBER = /[-+.\dTF]/

/** Knows only characters in a row, as `[A-Z]{2}[0-9]{4,6}`. `isNeverNumber`: only texts have such a form. */
export function patternFormula(pattern: string, cell: string): { wrong: string; isNeverNumber: boolean } {
  const parsed = parsePattern(pattern)
  // Of a set with other letters only those of ASCII are known.
  const characters = parsed?.beyondAscii === 'exact' ? charactersOf(parsed.root) : null
  const texts = characters?.sets.map(textOf)
  if (characters === null || texts?.some((text) => text === '') !== false || texts.length === 0)
    return { wrong: BEYOND, isNeverNumber: false }
  const { least } = characters
  const filled = least < texts.length ? `${cell}&REPT(${literal(texts.at(-1)![0])},${texts.length})` : cell
  const found = texts.map((text, index) => `FIND(MID(${filled},${index + 1},1),${literal(text)})`)
  const fits = `AND(LEN(${cell})>=${least},LEN(${cell})<=${texts.length},ISNUMBER(${found.join('+')}))`
  return { wrong: isWrong(fits, say('hasOwnForm', { cell })), isNeverNumber: !STARTS_NUMBER.test(texts[0]) }
}

/** null for a pattern with alternatives, or in which anything but the last characters may be missing. */
function charactersOf(node: PatternNode): Characters | null {
  switch (node.kind) {
    case 'set':
      return { sets: [node.set], least: 1 }
    case 'sequence':
      return sequenceOf(node.parts.map(charactersOf))
    case 'repeat': {
      const part = charactersOf(node.part)
      const isFixed = part !== null && part.least === part.sets.length
      if (!isFixed || node.most * part.sets.length > MAX_LENGTH) return null
      if (node.least < node.most && part.sets.length > 1) return null
      const sets = Array<readonly CharacterSet[]>(node.most).fill(part.sets).flat()
      return { sets, least: node.least * part.sets.length }
    }
    default:
      return null
  }
}

function sequenceOf(parts: readonly (Characters | null)[]): Characters | null {
  const known = parts.filter((part) => part !== null)
  const isKnown = known.length === parts.length
  const isFixed = known.slice(0, -1).every(({ sets, least }) => sets.length === least)
  if (!isKnown || !isFixed) return null
  const sets = known.flatMap((part) => part.sets)
  return { sets, least: sets.length - (known.at(-1)?.sets.length ?? 0) + (known.at(-1)?.least ?? 0) }
}

const [FIRST_SHOWN, LAST_SHOWN] = [0x20, 0x7e]

/** The characters of a set; '' if there are others than those of ASCII that people see. */
function textOf(set: CharacterSet): string {
  let text = ''
  for (const [code, isMember] of set.entries())
    if (isMember === 1) {
      if (code < FIRST_SHOWN || code > LAST_SHOWN) return ''
      text += String.fromCharCode(code)
    }
  return text
}
