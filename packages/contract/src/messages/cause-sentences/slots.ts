import { formulaOf, LONGEST_FOUND, type Remedies, Remedy } from '#messages/cause-sentences/remedies.ts'
import sentences from '#messages/cause-sentences/sentences.json' with { type: 'json' }
import type { CauseExample, CauseKind } from '#model/cause.ts'
import type { Field } from '#model/field.ts'
import { counted, writeCount } from '#notation/count.ts'

/** What is known of a cause, for its sentences. */
export type CauseFacts = {
  kind: CauseKind
  /** A date format, a unit or a currency, by kind; 'both' or 'mixed' where the column contradicts itself. */
  detail: string
  /** The field's name; '' for whole rows and cells beyond the header. */
  label: string
  /** The names of swapped columns; none for other causes. */
  labels: readonly string[]
  field: Field | null
  /** What would be right, a sentence without a full stop. */
  expected: string
  cells: number
  rows: number
  firstRow: number
  /** Rows of the file. */
  recordsCount: number
  /** Cells that have a suggestion. */
  suggestions: number
  /** Further values of the column that pass with a wrong meaning. */
  passed: number
  /** Whether these are dates that a spreadsheet made of texts, with day and month swapped. */
  isMisread: boolean
  /** For texts, the shortest and longest length, and the beginning and end that all have in common. */
  extent: { shortest: number; longest: number; prefix: string; suffix: string } | null
  examples: readonly CauseExample[]
  /** What makes the suggestions of all cells; null without suggestions. */
  remedies: Remedies | null
}

/**
 * In braces: a slot or a phrase (`{label}`, `{formula:Round}`), or what to write for one and for another
 * number: of cells (`{is|are}`), or of others (`{rows?is|are}`), with slots in it.
 */
const TEXT = '(?:[^{}|]|\\{\\w+\\})*'
const PART = new RegExp(`\\{(\\w+)(?::([^{}]*))?\\}|\\{(?:(\\w+)\\?)?(${TEXT})\\|(${TEXT})\\}`, 'g')

/** A sentence about a cause. */
export const filledIn = (sentence: string, facts: CauseFacts): string =>
  sentence.replace(PART, (_, slot?: string, argument = '', name = 'count', one = '', many = '') => {
    if (slot === undefined) return filledIn(numbersOf(facts)[name] === 1 ? one : many, facts)
    const number = numbersOf(facts)[slot]
    if (number !== undefined) return writeCount(number)
    return slots[slot]?.(facts, argument) ?? filledIn(phrases[slot], facts)
  })

const phrases: Readonly<Record<string, string>> = sentences.phrases

const numbersOf = (facts: CauseFacts): Readonly<Record<string, number | undefined>> => ({
  count: facts.cells,
  rows: facts.rows,
  passed: facts.passed,
  /** Those without a suggestion. */
  open: facts.cells - facts.suggestions,
  examples: facts.examples.length,
  scale: scaleOf(facts),
})

export const isInMostRows = ({ rows, recordsCount }: CauseFacts) => rows > recordsCount / 2
export const scaleOf = ({ field }: CauseFacts): number =>
  (field?.rule.type === 'number' && field.rule.scale) || 0
export const correctedExample = ({ examples }: CauseFacts) =>
  examples.find(({ suggestion }) => suggestion !== null)

const named = (label: string) => `"${label}"`
const lookAt = (facts: CauseFacts) => filledIn(phrases.lookAt, facts)
const select = (facts: CauseFacts) => filledIn(phrases.select, facts)
const dateFormatOf = ({ field }: CauseFacts) => (field?.rule.type === 'date' ? field.rule.format : '')

type Slot = (facts: CauseFacts, argument: string) => string
const slots: Readonly<Record<string, Slot>> = {
  /** The number of cells: 'Both' or 'All 500' where no other row is there. */
  all: ({ cells, recordsCount }) =>
    cells === 1 || cells !== recordsCount
      ? writeCount(cells)
      : cells === 2
        ? 'Both'
        : `All ${writeCount(cells)}`,
  label: ({ label }) => named(label),
  one: ({ labels }) => named(labels[0]),
  other: ({ labels }) => named(labels[1]),
  detail: ({ detail }) => detail,
  expected: ({ expected }) => expected,
  firstRow: ({ firstRow }) => String(firstRow),
  /** Of an empty cell there is no example. */
  value: ({ examples }) => examples[0].value,
  right: (facts) => correctedExample(facts)?.suggestion ?? facts.expected,
  wrong: (facts) => correctedExample(facts)?.value ?? 'the percentage',
  dash: (facts) => correctedExample(facts)!.value.trim()[0],
  format: dateFormatOf,
  excelFormat: (facts) => dateFormatOf(facts).toLowerCase(),
  expectedDate: ({ expected }) => expected.replace(/^a date like /, ''),
  minimum: ({ field }) => String(field?.rule.type === 'number' && field.rule.minimum),
  maximum: ({ field }) => String(field?.rule.type === 'number' && field.rule.maximum),
  /** As the file writes it: the detail EUR is €, too. */
  currency: ({ examples }) => /[^-+\d\s.,()'\u2019]{1,8}\.?/.exec(examples[0].value)?.[0] ?? 'the currency',
  /** As the file writes it: the detail is one name for units, unit and pcs. */
  unit: ({ detail, examples }) => WITH_UNIT.exec(examples[0].value)?.groups!.unit ?? detail,
  /** What is between the signs of a code. */
  characters: (facts) =>
    /[A-Za-z]/.test(correctedExample(facts)?.value ?? '') ? 'letters and digits' : 'the digits',
  description: ({ field }) => (field?.description ? `: ${field.description.replace(/\.$/, '')}` : ''),
  excess,
  holdsAnother: (facts) =>
    facts.cells > 1 && facts.cells === facts.recordsCount && facts.suggestions === 0
      ? `Look first whether ${named(facts.label)} holds the values of another column. `
      : '',
  textToColumns,
  formatNumber,
  replaceEach: (facts) => replaceEach(facts),
  removeSigns,
  /** TRIM leaves one space between two words, or between the groups of a number. */
  removeSpaces: (facts) =>
    useFormula(facts, isRemedy(facts, Remedy.Spaces) ? Remedy.Spaces : Remedy.NoSpaces),
  /** kgs before kg, its beginning. The dialog finds them without regard to case. */
  removeUnits: (facts) =>
    removeAll(
      facts,
      facts.remedies?.signs.toSorted((one, other) => other.length - one.length) ?? [facts.detail],
    ),
  formula: (facts, remedy) => useFormula(facts, Remedy[remedy as keyof typeof Remedy]),
  writeAs,
  addSeparators: (facts) =>
    isRemedy(facts, Remedy.Form)
      ? useFormula(facts, Remedy.Form)
      : writeAs(facts, 'them in the required form'),
  changeCase,
  shorten,
}

/** Whether a remedy gives every cell of the cause its suggestion. */
const isRemedy = ({ remedies }: CauseFacts, remedy: number): boolean =>
  remedies !== null && (remedies.works & remedy) > 0

/** How to use the formula of a remedy; without suggestions there is none. */
const useFormula = (facts: CauseFacts, remedy: number) =>
  facts.remedies === null
    ? lookAt(facts)
    : `Put =${formulaOf(remedy, facts.remedies, scaleOf(facts)).text} into a free column beside ` +
      `${named(facts.label)}, fill it down, and paste the results over the column as values.`

/** Shows how one value would be right. */
function writeAs(facts: CauseFacts, what: string): string {
  const example = correctedExample(facts)
  return example === undefined
    ? lookAt(facts)
    : `Write ${what}: ${example.suggestion} instead of ${example.value.trim()}.`
}

/** Names the first value to replace. Without "entire cell contents", x for Yes would change each x. */
function replaceEach(facts: CauseFacts, choices = 'Match entire cell contents'): string {
  const example = correctedExample(facts)
  if (example === undefined || example.value.length > LONGEST_FOUND) return lookAt(facts)
  const { value, suggestion, count } = example
  const others = facts.cells > (count ?? 1) ? ', then the other values in the same way' : ''
  return (
    `${select(facts)}, open Home > Find & Select > Replace, choose ${choices}, find ` +
    `${value.trim()} and replace it with ${suggestion}${others}.`
  )
}

function removeAll(facts: CauseFacts, [first, ...others]: readonly string[]): string {
  const further = others.length === 0 ? '' : `, then ${others.join(' and ')} in the same way`
  return (
    `${select(facts)}, open Home > Find & Select > Replace, find ${first} and replace it with ` +
    `nothing${further}.`
  )
}

/** As the dialog needs it: * and ? stand for other characters there, and ~ before them for themselves. */
const found = (sign: string): string => (sign === ' ' ? 'a space' : sign.replace(/[*?~]/, '~$&'))

/** Removes the signs everywhere in the column where no value is right with them. */
function removeSigns(facts: CauseFacts): string {
  if (!isRemedy(facts, Remedy.Remove)) return replaceEach(facts)
  const steps = removeAll(facts, facts.remedies!.signs.map(found))
  if (facts.kind === 'quotes') return steps
  const further = steps.replace(`${select(facts)}, open`, 'Then open')
  return `${select(facts)} and set Format Cells > Number > Text, so that no leading zero is lost. ${further}`
}

function changeCase(facts: CauseFacts): string {
  const remedy = [Remedy.Upper, Remedy.Lower].find((each) => isRemedy(facts, each))
  return remedy === undefined || facts.field?.rule.type === 'list'
    ? replaceEach(facts, 'Match case and Match entire cell contents')
    : useFormula(facts, remedy)
}

/** What Data > Text to Columns calls the order of a date format. */
const ORDERS: Readonly<Record<string, string>> = { dMy: 'DMY', Mdy: 'MDY', yMd: 'YMD', ydM: 'YDM' }

function textToColumns(facts: CauseFacts): string {
  const format = dateFormatOf(facts)
  const swapped = format.replace(/[dM]/g, (unit) => (unit === 'd' ? 'M' : 'd'))
  const written = facts.kind === 'dateSwapped' ? swapped : facts.detail
  const order = ORDERS[written.replace(/[^dMy]/g, '').replace(/(.)\1*/g, '$1')]
  const steps = order === undefined ? 'Finish' : `Next > Next > Date: ${order} > Finish`
  const ofNames = written.includes('MMM') ? ' Excel reads the names of months only in its own language.' : ''
  return (
    `${select(facts)}, choose Data > Text to Columns > ${steps}. ` +
    `Then set Format Cells > Number > Custom to ${format.toLowerCase()}.${ofNames}`
  )
}

/** Without the number of decimals, a spreadsheet shows two, and writes two into a CSV file. */
function formatNumber(facts: CauseFacts): string {
  const { rule } = facts.field ?? {}
  const hasNoScale = rule?.type === 'number' && rule.scale === undefined
  const decimals = hasNoScale ? '' : ` with ${counted(scaleOf(facts), 'decimal place')}`
  return `${select(facts)} and set Format Cells > Number${decimals}`
}

/** A number and the unit after it: 5 kg, 5 m2, 5 fl oz. */
const WITH_UNIT = /^[-+\d.,'\s]*\d\s*(?<unit>[^-+\d.,'\s]+(?:\s(?:oz|m|ft|ounces?)(?![A-Za-z]))?2?(?:\.$)?)/i

/** ' by 3 characters', where all are too long by the same. */
function excess({ extent, field, cells }: CauseFacts): string {
  if (extent === null || field?.rule.type !== 'text' || cells < 2 || extent.shortest !== extent.longest)
    return ''
  const by = extent.shortest - (field.rule.maxLength ?? 0)
  return by > 0 ? ` by ${counted(by, 'character')} each` : ''
}

function shorten(facts: CauseFacts): string {
  const part = sharedPart(facts)
  if (part === undefined) return lookAt(facts)
  const steps = removeAll(facts, [`"${part}"`])
  return `If "${part}" does not belong to the value: ${steps[0].toLowerCase()}${steps.slice(1)}`
}

/** What all texts begin or end with, if they would be short enough without it. */
function sharedPart({ extent, field, cells, examples }: CauseFacts): string | undefined {
  if (extent === null || field?.rule.type !== 'text' || cells < 3) return undefined
  const { prefix, suffix, longest, shortest } = extent
  const most = field.rule.maxLength!
  // The dialog would also replace it where it stands a second time.
  const isOnce = (part: string) => examples.every(({ value }) => value.split(part).length <= 2)
  const fits = (part: string) => part.trim() !== '' && longest - part.length <= most && isOnce(part)
  // "KST-" of KST-CC9045 and KST-CC6742: what is too much ends at a separator.
  const atSeparator = [prefix.replace(/[^\s:/_.-]+$/, ''), suffix.replace(/^[^\s:/_.-]+/, '')]
  return [...atSeparator, prefix, suffix].find((part) => part.length < shortest && fits(part))
}
