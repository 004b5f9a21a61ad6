import { ruleBookLimits } from '#limits.ts'
import type { RowRule, RuleTest, Severity } from '#model/row-rule.ts'
import { counted, writeCount } from '#notation/count.ts'
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
  tooManyUnique: `At most ${ruleBookLimits.maxUnique} rules can have a 'unique'.`,
  listsTooLarge:
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
  tolerance: "A tolerance must be a number of at least 0; it goes with 'equal' and 'notEqual' only.",
  emptyText: 'A text is required.',
  blankCompared: "A value is required. Whether a cell is blank say the tests 'filled' and 'blank'.",
  valueRefused: (value: string, name: string, fault: string) => `'${name}' cannot hold '${value}': ${fault}`,
  notANumber: 'This is not a number.',
  patternInvalid: (reason: string) => `This regular expression cannot be used: ${reason}`,
  blankText: 'A text that counts as blank must not be empty, and named once.',
} as const

/** Words of the list of rules. Ours. See docs/BEHAVIOUR.md#rules-on-the-page. */
export const ruleListMessages = {
  title: 'Rules',
  add: 'Add new rule',
  none: 'No rules between cells yet.',
  noneText: 'A field looks at one cell. A rule looks at several cells of the same row, for example:',
  addFirst: 'Add the first rule',
  useExample: 'Start with this example',
  copy: 'Copy',
  error: 'Error',
  warning: 'Warning',
  errorFrom: (day: string) => `Error from ${day}`,
  errorSince: (day: string) => `Error since ${day}`,
  noFailures: 'No failures',
  failures: (cells: number, files: number) => `${counted(cells, 'failure')} in ${counted(files, 'file')}`,
  failuresNote: `Failures are counted over the uploads of the last ${ruleBookLimits.failureDays} days.`,
  exemptRows: 'Exempt rows',
  noneExempt: 'None: all rows are checked.',
  exemptIf: (condition: string) => `Rows in which ${condition}`,
  blankTexts: 'Texts that count as blank',
  noBlankTexts: 'None: only empty cells are blank.',
  blankTextsAre: (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(', '),
  blankTextsLabel: 'Texts',
  blankTextsHint: 'One per line, such as n/a. A cell with nothing else counts as empty.',
  lists: 'Reference lists',
  noLists: 'None. A rule can ask whether values stand together in a row of a list, such as state and code.',
  addList: 'Add reference list',
  listName: 'Name',
  listRows: 'Rows',
  listRowsHint: 'Copy them from a spreadsheet, with the headings in the first line; or put ; between values.',
  deleteList: 'Delete this list',
} as const

/** Words of the form of a rule. Ours. See docs/BEHAVIOUR.md#rules-on-the-page. */
export const ruleFormMessages = {
  and: 'and',
  or: 'or',
  joint: 'How the conditions are joined',
  test: (part: string, number: number) =>
    `${{ when: 'If', then: 'Then', otherwise: 'Otherwise' }[part] ?? part}, line ${number}`,
  remove: 'Remove',
  addFurther: (word: string) => `${word} …`,
  column: 'Column',
  columns: 'Columns',
  chooseColumn: 'Choose a column',
  chooseColumns: 'Choose columns',
  form: 'What it must be',
  ofOneColumn: 'This column',
  ofColumns: 'Together with other columns',
  /** What a comparison means for dates. */
  ofDates: {
    less: ' (before)',
    atMost: ' (on or before)',
    more: ' (after)',
    atLeast: ' (on or after)',
  } as Partial<Record<RuleTest['is'], string>>,
  nothingFound: 'Nothing found',
  value: 'Value',
  values: 'Values',
  chooseValue: 'Choose a value',
  chooseValues: 'Choose values',
  typeValues: (example: string) => `${example} ⏎`,
  orBlank: 'or blank',
  norBlank: 'nor blank',
  text: 'Text',
  pattern: 'Regular expression',
  min: 'At least',
  max: 'At most',
  tolerance: 'Tolerance',
  rows: 'Allowed rows',
  rowsHint: 'One row per line, values apart by ;',
  list: 'Reference list',
  chooseList: 'Choose a list',
  comparedWith: 'Compared with',
  fixedValue: 'a fixed value',
  valueOf: 'the value of',
  sumOf: 'the sum of',
  today: 'today',
  otherColumn: 'Other column',
  summands: 'Columns to add up',
  factor: 'Times',
  aNumber: 'a number',
  sign: 'Plus or minus',
  plus: 'plus',
  minus: 'minus',
  amount: 'Amount',
  unit: 'Unit',
  addTimes: 'times',
  addPlus: 'plus or minus',
  addTolerance: 'within',

  rule: 'Rule',
  addTitle: 'Add a new rule',
  exemptTitle: 'Exempt rows',
  sentence: 'The rule so far',
  typeWords: 'Type the sentence instead',
  chooseWords: 'Choose from lists again',
  typedHint: 'Names and values in "quotes", such as "Status" is one of "Denied", "Void" and "Paid" is filled',
  exemptSentence: (condition: string | undefined) =>
    condition === undefined ? 'No row is exempt.' : `If ${condition}, then the row is exempt.`,
  ifTitle: 'If',
  ifHint: 'Which rows the rule is for. Without a condition it is for every row.',
  exemptHint:
    'No rule checks these rows, and their required cells may be blank. What is filled in is still checked.',
  addCondition: 'Add a condition',
  thenTitle: 'Then',
  thenHint: 'What must be true of these rows.',
  otherwiseTitle: 'Otherwise',
  otherwiseHint: 'What must be true of all other rows. Most rules do not need this.',
  addDemand: 'Add what must be true',
  aboutTitle: 'About the rule',
  name: 'Name',
  nameHint: 'Optional. Reports name the rule by it.',
  description: 'Description',
  descriptionHint: 'Optional. The clerk reads it first, before what is wrong: say why the rule exists.',
  severity: 'When a row does not meet it',
  error: 'Error',
  errorHint: 'The file is not accepted.',
  warning: 'Warning',
  warningHint: 'The file is accepted, and the warning is shown.',
  from: 'In force from',
  fromHint: 'Before this day the rule only warns.',

  tryTitle: 'Try it',
  tryRow: 'One row',
  tryFile: 'A file',
  tryIncomplete: 'As soon as the rule is complete, you can try it on a row or a file here.',
  tryRowHint: 'Type the cells of a row: the result shows at once.',
  met: 'This row meets the rule.',
  unmet: 'This row does not meet the rule.',
  notAsked: 'The rule is not for this row.',
  nothingDemanded: 'Nothing must be true of this row.',
  exempt: 'This row is exempt.',
  notExempt: 'This row is not exempt.',
  cellErrorsFirst: 'A cell is wrong by itself, so the rule is not checked.',
  sample: 'Sample file',
  sampleHint: 'CSV or Excel workbook. It stays in your browser.',
  fileNotRead: 'This file cannot be read. Choose it again.',
  rowsMet: (rows: number, unmet: number) =>
    unmet === 0
      ? `All ${counted(rows, 'row')} meet the rule.`
      : `${counted(unmet, 'row')} of ${writeCount(rows)} ${unmet === 1 ? 'does' : 'do'} not meet the rule.`,
  cellsSkipped: 'Other cells of the file have errors of their own. No rule checks such cells.',
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
    ...endOfWarning(from),
  ]
  return sentences.join(' ')
}

/** What would be right in the row. */
export const unmetExpected = ({ test, than }: Pick<UnmetFacts, 'test' | 'than'>): string =>
  expectedText(test, than)

/** `from`: the day from which a warning will be an error; null if it stays what it is. */
const endOfWarning = (from: string | null): string[] =>
  from === null ? [] : [`This will be an error from ${from} on.`]

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
