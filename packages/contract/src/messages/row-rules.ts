import { ruleBookLimits } from '#limits.ts'
import type { RowRule, RuleTest, Severity } from '#model/row-rule.ts'
import { counted, writeCount } from '#notation/count.ts'
import {
  demandText,
  expectedText,
  hasProposedName,
  ruleSentence,
  type SentenceFault,
} from '#notation/rule-sentence.ts'

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
  notATextList: 'At least one is required.',
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
  unknownColumn: (name: string) => (name === '' ? 'A column is required.' : `There is no field '${name}'.`),
  columnTwice: (name: string) => `'${name}' is named twice.`,
  uniqueInCondition: "'unique' is demanded only, in a rule without 'otherwise'.",
  tooManyRules: `A data dictionary can have at most ${writeCount(ruleBookLimits.maxRules)} rules.`,
  tooManyUnique: `At most ${ruleBookLimits.maxUnique} rules can say that values are unique.`,
  listsTooLarge: () =>
    `The lists may have at most ${writeCount(ruleBookLimits.maxListRows)} rows and ` +
    `${writeCount(ruleBookLimits.maxListBytes / 1000)} kB together.`,
  unknownList: (name: string) => (name === '' ? 'A list is required.' : `There is no list '${name}'.`),
  rowWidth: (columns: number) => `Each row needs ${columns} values, one for each column.`,
  emptyList: 'At least one column and one row are required.',
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
  tolerance: 'A tolerance must be a number of at least 0.',
  toleranceRefused: "A tolerance goes with 'is equal to' and 'is not equal to' only.",
  emptyText: 'A text is required.',
  blankCompared: "A value is required. Whether a cell is blank say the tests 'filled' and 'blank'.",
  valueRefused: (value: string, name: string, fault: string) => `'${name}' cannot hold '${value}': ${fault}`,
  notANumber: 'This is not a number.',
  patternInvalid: (reason: string) => `This regular expression cannot be used: ${reason}`,
  blankText: 'A text that counts as blank must not be empty, and named once.',
} as const

/** Words of the list of rules. Ours. See docs/BEHAVIOUR.md#rules-on-the-page. */
export const ruleListMessages = {
  noRules: 'A field looks at one cell. A rule looks at several cells of the same row, for example:',
  example: 'If "Status" is one of "Denied", then "Denial reason" is filled.',
  exampleColumns: [{ name: 'Status' }, { name: 'Denial reason' }],
  /** `day`: from when on it is in force; null for always. */
  severity: (severity: Severity, day: string | null, isWarning: boolean) => {
    if (severity === 'warning') return 'Warning'
    return day === null ? 'Error' : `Error ${isWarning ? 'from' : 'since'} ${day}`
  },
  failures: (counts: { cells: number; files: number } | undefined) =>
    counts === undefined
      ? 'No failures'
      : `${counted(counts.cells, 'failure')} in ${counted(counts.files, 'file')}`,
  doesNotFit:
    'Left out: one of its fields was changed or left out. Add the rule on the page of the dictionary.',
  failuresNote: `Failures are counted over the uploads of the last ${ruleBookLimits.failureDays} days.`,
  blankTextsHint: 'One per line, such as n/a. A cell with nothing else counts as empty.',
  noLists: 'None. With a list, a rule can say which values belong together, such as state and code.',
  listHint:
    'First line: the name of the list. Then headings and rows, copied from a spreadsheet or with ; between ' +
    'the values. Empty the text to delete the list.',
} as const

/** Words of the form of a rule. Ours. See docs/BEHAVIOUR.md#rules-on-the-page. */
export const ruleFormMessages = {
  joints: { all: 'and', any: 'or' },
  line: (part: string, number: number) => `${part === 'when' ? 'If' : part}, line ${number}`,
  /** What a comparison means for dates. */
  ofDates: {
    less: ' (before)',
    atMost: ' (on or before)',
    more: ' (after)',
    atLeast: ' (on or after)',
  } as Partial<Record<RuleTest['is'], string>>,
  sentence: 'The rule as a sentence',
  exemptSentence: (condition: string | undefined) =>
    condition === undefined ? 'No row is exempt.' : `If ${condition}, then the row is exempt.`,
  ifHint: 'Which rows the rule is for. Without a condition it is for every row.',
  thenHint: 'What must be true of these rows. The length or check digit of one cell is set with its field.',
  exemptHint:
    'No rule checks these rows, and their required cells may be blank. What is filled in is still checked.',
  otherwiseHint: 'What must be true of all other rows. Most rules do not need this.',
  descriptionHint: 'Optional. The clerk reads it before what is wrong: say why the rule exists.',
  tryIncomplete: 'As soon as the rule is complete, you can try it here.',
  tryRowHint: 'Type the cells of a row: the result shows at once.',
  met: 'This row meets the rule.',
  unmet: 'This row does not meet the rule.',
  notAsked: 'Nothing is demanded of this row.',
  exemptRow: 'This row is exempt, so no rule checks it.',
  uniqueNeedsFile: 'One row cannot show whether another has the same values: try a file.',
  cellErrorsFirst: 'A cell is wrong by itself, so the rule is not checked.',
  fileNotRead: 'This file cannot be read. Choose it again.',
  rowsMet: (rows: number, unmet: number) =>
    unmet === 0
      ? `All ${counted(rows, 'row')} meet the rule.`
      : `${writeCount(unmet)} of ${counted(rows, 'row')} ${unmet === 1 ? 'does' : 'do'} not meet the rule.`,
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
  const sentence = `${reason}${short(demandText(test, than))}${first}.`
  const sentences = [
    ...(description === '' ? [] : [sentenceOf(description)]),
    sentence[0].toUpperCase() + sentence.slice(1),
    ...endOfWarning(from),
  ]
  return sentences.join(' ')
}

/** What would be right in the row. */
export const unmetExpected = ({ test, than }: Pick<UnmetFacts, 'test' | 'than'>): string =>
  short(expectedText(test, than))

/** `from`: the day from which a warning will be an error; null if it stays what it is. */
const endOfWarning = (from: string | null): string[] =>
  from === null ? [] : [`This will be an error from ${from} on.`]

const sentenceOf = (description: string): string =>
  /[.!?]$/.test(description) ? description : `${description}.`

const factText = ({ label, value }: RowFact): string =>
  value === '' ? `"${label}" is blank` : `"${label}" is "${cut(value)}"`

export const cut = (text: string, most: number = ruleBookLimits.maxFactLength): string =>
  text.length <= most ? text : `${[...text].slice(0, most).join('')}…`

/** The page of the dictionary shows the whole rule. */
const short = (sentence: string): string => cut(sentence, ruleBookLimits.maxShownSentence)

/** Why all rows of a cause do not meet its rule, if that is obvious. */
export const ruleReasons = {
  exchanged: (one: string, other: string) => `"${one}" and "${other}" seem to hold each other's values.`,
  misspelt: (column: string, value: string, known: string) =>
    `In each of these rows "${column}" is "${cut(value)}", where the rule says "${cut(known)}".`,
} as const

/** What is wrong with the rows of a cause. */
export function ruleCauseMessage(rule: RowRule, reason: string | null): string {
  const name = hasProposedName(rule) ? '' : `${rule.name}: `
  return `${reason === null ? '' : `${reason} `}${name}${short(ruleSentence(rule))}`
}

/** `onDay`: the severity on the day of the file. */
export function ruleCauseAdvice({ description = '', severity, from }: RowRule, onDay: Severity): string {
  const isWarning = onDay === 'warning'
  return [
    ...(description === '' ? [] : [sentenceOf(description)]),
    ...endOfWarning(isWarning && severity === 'error' ? from! : null),
    isWarning
      ? 'Check whether these rows are right.'
      : 'Look at each row: any of the cells that the rule names may be the wrong one.',
  ].join(' ')
}
