import { nameLimits } from '#limits.ts'

/**
 * Rules between the cells of a row, as they are on the wire. They are called row rules in the code, because
 * what the values of one field must be is its rule (`model/rule`). See docs/BEHAVIOUR.md#rules-between-cells.
 */
export type RowRule = {
  name: string
  description?: string
  severity: Severity
  /** Before this day, yyyy-MM-dd, an error is a warning. */
  from?: string
  /** Without it the rule holds for every row. */
  when?: Condition
  /** Demanded where `when` holds. Empty only beside an `otherwise`. */
  then: RuleTest[]
  /** Demanded where `when` does not hold. */
  otherwise?: RuleTest[]
}
export type Severity = 'error' | 'warning'
export type Condition = { all: RuleTest[] } | { any: RuleTest[] }

/** Rows in which required cells may be blank, and which no rule checks. */
export type Exemption = { when: Condition; description?: string }

/** A list to which tests refer by its name. A cell of a row belongs to the column at its place. */
export type ReferenceList = { name: string; columns: string[]; rows: string[][] }

export type Comparison = 'equal' | 'notEqual' | 'less' | 'atMost' | 'more' | 'atLeast'
export type ColumnsTestKind =
  | 'allFilled'
  | 'noneFilled'
  | 'someFilled'
  | 'oneFilled'
  | 'atMostOneFilled'
  | 'allOrNoneFilled'

/** Columns are names of fields. A condition asks it, `then` and `otherwise` demand it. */
export type RuleTest =
  | { column: string; is: 'filled' | 'blank' | 'distinct' }
  | { column: string; is: 'oneOf' | 'noneOf' | 'only'; values: string[] }
  | { column: string; is: Comparison; than: Operand }
  | { column: string; is: 'startingWith' | 'endingWith' | 'containing'; text: string }
  | { column: string; is: 'matching' | 'notMatching'; pattern: string }
  | { column: string; is: 'count'; min?: number; max?: number }
  | { columns: string[]; is: ColumnsTestKind | 'unique' }
  | { columns: string[]; is: 'listed'; rows: string[][] }
  | { columns: string[]; is: 'listed'; list: string }
export type TestKind = RuleTest['is']

export type DateUnit = 'days' | 'months' | 'years'
type Moved = { plus?: number; unit?: DateUnit }
/** `times` is a number, or the name of a column of numbers. It comes before `plus`. */
export type Operand =
  | { value: string }
  | ({ column: string; times?: number | string } & Moved)
  | ({ today: true } & Moved)
  | { sum: string[]; tolerance?: number }

/** The rule that no two rows have the same values in these columns. */
export const keyRule = (name: string, columns: readonly string[]): RowRule => ({
  name: name.slice(0, nameLimits.maxLength),
  severity: 'error',
  then: [{ columns: [...columns], is: 'unique' }],
})

/** What a dictionary has beside its fields. */
export type RuleBook = {
  rules: RowRule[]
  exempt: Exemption | null
  /** Whole cells that count as blank. */
  blankTexts: string[]
  lists: ReferenceList[]
}

export const emptyRuleBook: RuleBook = { rules: [], exempt: null, blankTexts: [], lists: [] }

/** The rule book of a dictionary, which may leave out its parts. */
export const ruleBookOf = ({ rules, exempt, blankTexts, lists }: Partial<RuleBook>): RuleBook => ({
  rules: rules ?? [],
  exempt: exempt ?? null,
  blankTexts: blankTexts ?? [],
  lists: lists ?? [],
})

/** Whether the dictionary checks its files as if it had no rule book. */
export const isEmptyRuleBook = ({ rules, exempt, blankTexts }: RuleBook): boolean =>
  rules.length === 0 && exempt === null && blankTexts.length === 0

export const conditionTests = (condition: Condition | undefined): readonly RuleTest[] =>
  condition === undefined ? [] : 'all' in condition ? condition.all : condition.any

export function operandColumns(operand: Operand): readonly string[] {
  if ('sum' in operand) return operand.sum
  if (!('column' in operand)) return []
  return typeof operand.times === 'string' ? [operand.column, operand.times] : [operand.column]
}

/** The names of the columns that a test reads; the last of its own is where an unmet test is reported. */
export const testColumns = (test: RuleTest): readonly string[] =>
  'columns' in test
    ? test.columns
    : 'than' in test
      ? [...operandColumns(test.than), test.column]
      : [test.column]
