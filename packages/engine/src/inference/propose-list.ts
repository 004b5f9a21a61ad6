import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'

/**
 * How often an option must occur on average: what comes once or twice comes in other forms in the next file.
 */
const USES_PER_OPTION = 5

/** A few words among numbers or dates make no list of them. */
const MOSTLY = 0.5

/** Pairs that are lists wherever both are met, however few rows there are. */
const CHOICES = [
  ['Yes', 'No'],
  ['True', 'False'],
  ['Y', 'N'],
  ['Ja', 'Nein'],
  ['Oui', 'Non'],
].flatMap((pair) => [pair, pair.map((word) => word.toUpperCase()), pair.map((word) => word.toLowerCase())])

/** Item from a list, where few values, no numbers and no dates, come again and again. */
export function proposeList(profile: ColumnProfile): ProposedRule | null {
  const { options, texts, days } = profile
  if (options === null || options.size < 2 || days > 0 || profile.count('text') < texts * MOSTLY) return null
  const choice = CHOICES.find(
    (pair) => options.size === pair.length && pair.every((word) => options.has(word)),
  )
  if (choice !== undefined) return { rule: { type: 'list', options: choice }, reason: reasons.choice(choice) }
  if (texts < options.size * USES_PER_OPTION) return null
  const sorted = [...options].toSorted((one, other) => one.localeCompare(other, 'en'))
  const reason = [reasons.list(texts, options.size), ...slips(sorted)].join(' ')
  return { rule: { type: 'list', options: sorted }, reason }
}

/** Two spellings of one option, where there are. */
function slips(sorted: readonly string[]): string[] {
  const spellings = Map.groupBy(sorted, (option) => option.toLowerCase())
  return [...spellings.values()]
    .filter((group) => group.length > 1)
    .map(([one, other]) => reasons.sameButCase(one, other))
}
