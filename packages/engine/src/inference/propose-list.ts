import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'

/** How often an option must occur on average: rare values will be different in the next file. */
const USES_PER_OPTION = 5

/** The least share of plain texts: a few words among numbers or dates are not a list. */
const MOSTLY = 0.5

/** Pairs that are a list if both occur, however few rows there are. */
const CHOICES = [
  ['Yes', 'No'],
  ['True', 'False'],
  ['Y', 'N'],
  ['Ja', 'Nein'],
  ['Oui', 'Non'],
].flatMap((pair) => [pair, pair.map((word) => word.toUpperCase()), pair.map((word) => word.toLowerCase())])

/** Item from a list, if a few values repeat that are neither numbers nor dates. */
export function proposeList(profile: ColumnProfile): ProposedRule | null {
  const { options, texts, days } = profile
  if (options === null || options.size < 2 || days > 0 || profile.count('text') < texts * MOSTLY) return null
  const choice = CHOICES.find(
    (pair) => options.size === pair.length && pair.every((word) => options.has(word)),
  )
  if (choice !== undefined) return { rule: { type: 'list', options: choice }, reason: reasons.choice(choice) }
  if (texts < options.size * USES_PER_OPTION) return null
  const sorted = [...options].toSorted((one, other) => one.localeCompare(other, 'en'))
  const reason = [reasons.list(texts, options.size), ...differentSpellings(sorted)].join(' ')
  return { rule: { type: 'list', options: sorted }, reason }
}

/** Options that differ only in case. */
function differentSpellings(sorted: readonly string[]): string[] {
  const spellings = Map.groupBy(sorted, (option) => option.toLowerCase())
  return [...spellings.values()]
    .filter((group) => group.length > 1)
    .map(([one, other]) => reasons.sameButCase(one, other))
}
