import { ruleBookLimits } from '#limits.ts'
import type { RowRule, RuleTest } from '#model/row-rule.ts'
import { writeCount } from '#notation/count.ts'
import { demandText, expectedText, ruleSentence, type SentenceFault } from '#notation/rule-sentence.ts'

/** Sentences about rules between cells. See docs/BEHAVIOUR.md#rules-between-cells. Ours. */
export const rowRuleMessages = {
  /** A fault of a rule, with the rule's name. */
  ofRule: (name: string, index: number, fault: string) =>
    `Rule ${name === '' ? index + 1 : `'${name}'`}: ${fault}`,
  ofExemption: (fault: string) => `Exemption: ${fault}`,
  ofList: (name: string, index: number, fault: string) =>
    `List ${name === '' ? index + 1 : `'${name}'`}: ${fault}`,
  unreadable: ({ at, nearest }: SentenceFault) =>
    `This sentence cannot be read from character ${at} on. The nearest form is: ${nearest}`,

  brokenByChange: (names: readonly string[]) =>
    `Not possible while these rules need the field as it is: ${names.map((name) => `'${name}'`).join(', ')}.`,
  saved: 'Rules have been successfully saved.',
  /** Names of the parts of a rule book beside its rules. */
  parts: {
    exemption: 'exemption',
    blank: 'texts that count as blank',
    list: (name: string) => `list ${name}`,
  },

  notAnObject: 'An object is expected.',
  notAList: 'A list is expected.',
  notATextList: 'A list of texts is expected, with at least one.',
  notAText: 'A text is expected.',
  unknownKey: (key: string) => `There is no '${key}' here.`,
  nameRequired: 'A name is required.',
  sameName: (index: number) => `Rule ${index + 1} already has this name.`,
  sameList: (index: number) => `List ${index + 1} already has this name.`,
  severity: "The severity must be 'error' or 'warning'.",
  from: 'The day must be written yyyy-MM-dd.',
  condition: 'A condition is { all: [ … ] } or { any: [ … ] }, with at least one test.',
  nothingDemanded: 'At least one test must be demanded.',
  unknownTest: (is: string) => `There is no test '${is}'.`,
  unknownColumn: (name: string) => `There is no field '${name}'.`,
  columnTwice: (name: string) => `'${name}' is named twice.`,
  uniqueInCondition: "'unique' is demanded only, in a rule without 'otherwise'.",
  tooManyRules: `A data dictionary can have at most ${writeCount(ruleBookLimits.maxRules)} rules.`,
  tooManyUnique: `At most ${ruleBookLimits.maxUnique} rules can have a 'unique'.`,
  listsTooLarge:
    `The lists may have at most ${writeCount(ruleBookLimits.maxListRows)} rows and ` +
    `${writeCount(ruleBookLimits.maxListBytes / 1000)} kB together.`,
  unknownList: (name: string) => `There is no list '${name}'.`,
  rowWidth: (columns: number) => `Each row needs ${columns} values, one for each column.`,
  emptyList: 'A list needs at least one column and one row.',
  severalCompared: (name: string) =>
    `A cell of '${name}' holds several values: its tests are filled, blank, one of, none of, ` +
    'only, count and distinct.',
  severalNeeded: (name: string) => `'${name}' does not hold several values in a cell.`,
  countBounds: "A count needs 'min' or 'max', whole numbers of at least 0, 'min' not above 'max'.",
  notOrdered: (name: string) => `Only numbers and dates have an order: '${name}' has none.`,
  notTexts: (name: string) => `'${name}' holds no texts: this test is for texts, items and patterns.`,
  unlike: (one: string, other: string) => `'${one}' and '${other}' cannot be compared.`,
  notNumbers: (name: string) => `'${name}' holds no numbers.`,
  notDates: (name: string) => `'${name}' holds no dates, which only can be compared with today.`,
  operand: 'What is compared with must be a value, a column, today, or a sum of columns.',
  plus: "'plus' must be a number, for dates a whole one.",
  unitNeeded: "'plus' needs a unit for dates: days, months or years.",
  unitRefused: "A unit is for dates, together with 'plus'.",
  times: "'times' must be a number, or the name of a column of numbers; dates cannot be multiplied.",
  tolerance: "A tolerance must be a number of at least 0; it goes with 'equal' and 'notEqual' only.",
  emptyText: 'A text is required.',
  blankCompared: "A blank cannot be compared: use the tests 'filled' and 'blank'.",
  valueRefused: (value: string, name: string, fault: string) => `'${name}' cannot hold '${value}': ${fault}`,
  notANumber: 'This is not a number.',
  patternInvalid: (reason: string) => `This regular expression cannot be used: ${reason}`,
  blankText: 'A text that counts as blank must not be empty, and named once.',
} as const

/** How a condition was met or not in a row: a column and its text. */
export type RowFact = { label: string; value: string }

/** What a rule found in a row. */
export type UnmetFacts = {
  description: string
  /** What the condition was decided by. */
  facts: readonly RowFact[]
  test: RuleTest
  /** What the operand of a comparison is in this row; undefined for other tests. */
  than: string | undefined
  /** Of a unique test: the first row with the same values. */
  firstRow: number | null
  /** The day from which the warning will be an error; null if it stays what it is. */
  from: string | null
}

/** What is wrong with the row, with the values that decide it. */
export function unmetError({ description, facts, test, than, firstRow, from }: UnmetFacts): string {
  const shown = facts.slice(0, ruleBookLimits.maxFacts).map(factText)
  const reason = shown.length === 0 ? '' : `${shown.join(' and ')}, so `
  const first = firstRow === null ? '' : `; row ${firstRow} has the same`
  const sentence = `${reason}${demandText(test, than)}${first}.`
  const sentences = [
    ...(description === '' ? [] : [sentenceOf(description)]),
    sentence[0].toUpperCase() + sentence.slice(1),
    ...(from === null ? [] : [`This will be an error from ${from} on.`]),
  ]
  return sentences.join(' ')
}

/** What would be right in the row. */
export const unmetExpected = ({ test, than }: Pick<UnmetFacts, 'test' | 'than'>): string =>
  expectedText(test, than)

const sentenceOf = (description: string): string =>
  /[.!?]$/.test(description) ? description : `${description}.`

const factText = ({ label, value }: RowFact): string =>
  value === '' ? `"${label}" is blank` : `"${label}" is "${cut(value)}"`

function cut(value: string): string {
  const { maxFactLength } = ruleBookLimits
  return value.length <= maxFactLength ? value : `${[...value].slice(0, maxFactLength).join('')}…`
}

/** What is wrong with the rows of a cause. `exchanged`: columns that seem to hold each other's values. */
export function ruleCauseMessage(
  rule: Pick<RowRule, 'name' | 'when' | 'then' | 'otherwise'>,
  exchanged: readonly [string, string] | null,
): string {
  const reason =
    exchanged === null ? '' : `"${exchanged[0]}" and "${exchanged[1]}" seem to hold each other's values. `
  return `${reason}${rule.name}: ${ruleSentence(rule)}`
}

export const ruleCauseAdvice = ({ description = '' }: Pick<RowRule, 'description'>): string =>
  `${description === '' ? '' : `${sentenceOf(description)} `}` +
  'Look at each row: any of the cells that the rule names may be the wrong one.'
