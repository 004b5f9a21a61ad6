import type { z } from 'zod'
import type * as shapes from '#api/rule-book-shape.ts'
import { nameLimits } from '#limits.ts'

/**
 * Rules between the cells of a row: "row rules" in the code, because a field has its own rule (`model/rule`).
 * Only the types of `api/rule-book-shape` are imported: the command line does not load zod.
 */
export type RuleBook = z.infer<typeof shapes.ruleBook>
export type RowRule = RuleBook['rules'][number]
export type Severity = RowRule['severity']
export type Condition = z.infer<typeof shapes.condition>
export type Exemption = NonNullable<RuleBook['exempt']>
export type ReferenceList = RuleBook['lists'][number]
export type RuleTest = z.infer<typeof shapes.ruleTest>
export type TestKind = RuleTest['is']
export type Comparison = z.infer<typeof shapes.comparison>['is']
export type ColumnsTestKind = Exclude<z.infer<typeof shapes.columnsTest>['is'], 'unique'>
export type Operand = z.infer<typeof shapes.operand>
export type DateUnit = NonNullable<Extract<Operand, { today: true }>['unit']>

/** The rule that no two rows have the same values in these columns. */
export const keyRule = (name: string, columns: readonly string[]): RowRule => ({
  name: name.slice(0, nameLimits.maxLength),
  severity: 'error',
  then: [{ columns: [...columns], is: 'unique' }],
})

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
