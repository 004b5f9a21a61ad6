import { counted, writeCount } from '#notation/count.ts'
import type { CauseFacts } from '#messages/cause-sentences/cause-facts.ts'
import { formulaOf, LONGEST_FOUND } from '#messages/cause-sentences/remedies.ts'

// Parts of sentences that several kinds of causes share.

export const isAre = (count: number) => (count === 1 ? 'is' : 'are')

export const isInMostRows = ({ rows, recordsCount }: CauseFacts) => rows > recordsCount / 2

export const named = (label: string) => `"${label}"`

/** 'All 500 values of "Date" are', 'Both values … are', '12 values … are', '1 value of "Date" is'. */
export function valuesAre({ cells, recordsCount, label }: CauseFacts): string {
  if (cells > 1 && cells === recordsCount)
    return `${cells === 2 ? 'Both' : `All ${writeCount(cells)}`} values of ${named(label)} are`
  return `${counted(cells, 'value')} of ${named(label)} ${isAre(cells)}`
}

export const oneOf = ({ cells }: CauseFacts, one: string, many: string) => (cells === 1 ? one : many)

export function valuesHave(facts: CauseFacts): string {
  return valuesAre(facts).replace(/ are$/, ' have').replace(/ is$/, ' has')
}

export const select = ({ label }: CauseFacts) => `Select the column ${named(label)}`

export function replaceAll(facts: CauseFacts, [first, ...others]: readonly string[]): string {
  const further = others.length === 0 ? '' : `, then ${others.join(' and ')} in the same way`
  return (
    `${select(facts)}, open Home > Find & Select > Replace, find ${first} and replace it with ` +
    `nothing${further}.`
  )
}

/** Names the first value to replace. Without "entire cell contents", x for Yes would change each x. */
export function replaceEach(facts: CauseFacts, choices = 'Match entire cell contents'): string {
  const example = correctedExample(facts)
  if (example === undefined || example.value.length > LONGEST_FOUND) return lookAt(facts)
  const { value, suggestion, count } = example
  const others = facts.cells > (count ?? 1) ? ', then the other values in the same way' : ''
  return (
    `${select(facts)}, open Home > Find & Select > Replace, choose ${choices}, find ` +
    `${value.trim()} and replace it with ${suggestion}${others}.`
  )
}

/** How to use the formula of a remedy; without suggestions there is none. */
export const useFormula = (facts: CauseFacts, remedy: number, decimals = 0) =>
  facts.remedies === null
    ? lookAt(facts)
    : `Put =${formulaOf(remedy, facts.remedies, decimals).text} into a free column beside ` +
      `${named(facts.label)}, fill it down, and paste the results over the column as values.`

/** Whether a remedy gives every cell of the cause its suggestion. */
export const isRemedy = ({ remedies }: CauseFacts, remedy: number): boolean =>
  remedies !== null && (remedies.works & remedy) > 0

/** Where no step in a spreadsheet makes the suggestions, such as for characters that cannot be seen. */
export const useCopy = 'Use the corrected copy: no single step in Excel gives all of its values.'

/** Shows how one value would be right. */
export function writeInForm(facts: CauseFacts, what: string): string {
  const example = correctedExample(facts)
  return example === undefined
    ? lookAt(facts)
    : `Write ${what}: ${example.suggestion} instead of ${example.value.trim()}.`
}

export const isOfDigits = (facts: CauseFacts): boolean =>
  !/[A-Za-z]/.test(correctedExample(facts)?.value ?? '')

export const lookAt = (facts: CauseFacts) =>
  `${holdsAnother(facts)}Correct ${oneOf(facts, 'this cell', 'these cells')} by hand. ` +
  `Expected: ${facts.expected}.`

/** A hint where no value of the column fits: it may hold the values of another column. '' elsewhere. */
export const holdsAnother = ({ cells, recordsCount, label, suggestions }: CauseFacts) =>
  cells > 1 && cells === recordsCount && suggestions === 0
    ? `Look first whether ${named(label)} holds the values of another column. `
    : ''

export const askSource = 'Export the file again from where the data comes from, with this column as text.'

/** Whether values of the column prove both of the meanings that others may have. */
export const provesBoth = ({ detail }: CauseFacts): boolean => detail === 'both'

export const correctedExample = ({ examples }: CauseFacts) =>
  examples.find(({ suggestion }) => suggestion !== null)
