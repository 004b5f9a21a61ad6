import { errorScreenLimits } from '@veridict/contract/limits'
import type { CauseKind } from '@veridict/contract/model/cause'
import { corrected, type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'

/** A suggestion has at most half of it. A longer text is no slip of a person: it would only take time. */
export const LONGEST_DIAGNOSED = 2 * errorScreenLimits.maxValueLength

/** A way to read texts that break a rule. It is small and closed: it reads a whole text, or none of it. */
export type Grammar = {
  readonly kind: CauseKind
  readonly detail?: string
  /** Whether other values of the column decide if the text was meant so. */
  readonly isOpen?: boolean
  /** Returns what the text may have meant. */
  tries(text: string): readonly string[]
}

/** The only meaning that passes, of all that these grammars read; null where none does, or several do. */
function onlyMeaning(
  grammars: readonly Grammar[],
  text: string,
  accepts: (text: string) => boolean,
): Diagnosis | null {
  let only = text
  let by: Grammar | undefined
  for (let index = 0; index < grammars.length; index++) {
    const grammar = grammars[index]
    const tries = grammar.tries(text)
    for (let at = 0; at < tries.length; at++) {
      const meaning = tries[at]
      if (meaning === '' || meaning === text || meaning === only) continue
      if (meaning.length > LONGEST_DIAGNOSED || !accepts(meaning)) continue
      if (by !== undefined) return null
      only = meaning
      by = grammar
    }
  }
  if (by === undefined) return null
  const { kind, detail = '', isOpen } = by
  return isOpen ? { ...unresolved(kind, detail), readings: [only, null] } : corrected(kind, detail, only)
}

/** The meaning by the first group of grammars that has exactly one. */
export function firstMeaning(
  groups: readonly (readonly Grammar[])[],
  text: string,
  accepts: (text: string) => boolean,
): Diagnosis | null {
  for (const grammars of groups) {
    const meaning = onlyMeaning(grammars, text, accepts)
    if (meaning !== null) return meaning
  }
  return null
}

/** The text within quotes, and with ordinary spaces: right in a field of any type. */
export const bareGrammars: readonly (readonly Grammar[])[] = [
  [{ kind: 'quotes', tries: (text) => [withoutQuotes(text)] }],
  [{ kind: 'spaces', tries: (text) => [withPlainSpaces(text)] }],
  [{ kind: 'quotes', tries: (text) => [withoutQuotes(withPlainSpaces(text))] }],
]
