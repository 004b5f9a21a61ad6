import { z } from 'zod'

/**
 * The rules between cells in calls and in the database; `model/row-rule` has their types. Requests are
 * checked by `model/check-rule-book`. See docs/BEHAVIOUR.md#rules-between-cells.
 */

const texts = z.array(z.string())
const moved = { plus: z.number().optional(), unit: z.enum(['days', 'months', 'years']).optional() }
export const operand = z.union([
  z.object({ value: z.string() }),
  /** `times` is a number, or the name of a column of numbers. It comes before `plus`. */
  z.object({ column: z.string(), times: z.union([z.number(), z.string()]).optional(), ...moved }),
  z.object({ today: z.literal(true), ...moved }),
  z.object({ sum: texts, tolerance: z.number().optional() }),
])

const ofColumn = <const T extends string>(kinds: readonly T[]) =>
  z.object({ column: z.string(), is: z.enum(kinds) })
const ofColumns = <const T extends string>(kinds: readonly T[]) =>
  z.object({ columns: texts, is: z.enum(kinds) })
export const comparison = ofColumn(['equal', 'notEqual', 'less', 'atMost', 'more', 'atLeast'])
export const columnsTest = ofColumns([
  'allFilled',
  'noneFilled',
  'someFilled',
  'oneFilled',
  'atMostOneFilled',
  'allOrNoneFilled',
  'unique',
])
/** Columns are names of fields. A condition asks it, `then` and `otherwise` demand it. */
export const ruleTest = z.union([
  ofColumn(['filled', 'blank', 'distinct']),
  ofColumn(['oneOf', 'noneOf', 'only']).extend({ values: texts }),
  comparison.extend({ than: operand }),
  ofColumn(['startingWith', 'endingWith', 'containing']).extend({ text: z.string() }),
  ofColumn(['matching', 'notMatching']).extend({ pattern: z.string() }),
  ofColumn(['count']).extend({ min: z.int().optional(), max: z.int().optional() }),
  columnsTest,
  ofColumns(['listed']).extend({ rows: z.array(texts) }),
  ofColumns(['listed']).extend({ list: z.string() }),
])

export const condition = z.union([z.object({ all: z.array(ruleTest) }), z.object({ any: z.array(ruleTest) })])

const rowRule = z.object({
  name: z.string(),
  description: z.string().optional(),
  severity: z.enum(['error', 'warning']),
  /** Before this day, yyyy-MM-dd, an error is a warning. */
  from: z.string().optional(),
  /** Without it the rule holds for every row. */
  when: condition.optional(),
  /** Demanded where `when` holds. Empty only beside an `otherwise`. */
  then: z.array(ruleTest),
  /** Demanded where `when` does not hold. */
  otherwise: z.array(ruleTest).optional(),
})

export const ruleBook = z.object({
  rules: z.array(rowRule),
  /** Rows in which required cells may be blank, and which no rule checks. */
  exempt: z.object({ when: condition, description: z.string().optional() }).nullable(),
  /** Whole cells that count as blank. */
  blankTexts: texts,
  /** Lists to which tests refer by their names. A cell of a row belongs to the column at its place. */
  lists: z.array(z.object({ name: z.string(), columns: texts, rows: z.array(texts) })),
})
