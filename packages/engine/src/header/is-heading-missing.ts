import type { ColumnCheck } from '#compile/column-check.ts'
import { type ColumnValue, fits } from '#header/column-values.ts'

const DATE = /^\d{1,4}([/.-])\d{1,2}\1\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?$/
const MAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Fitting cells of the row for each that does not: the first row may have errors like any other. */
const FITTING_PER_MISFIT = 3

/**
 * Whether the first row is data: its cells fit the fields in their places, or look like the values below
 * (`values`). The caller made sure that none of the `labels` is the name of a field.
 */
export function isHeadingMissing(
  labels: readonly string[],
  checks: readonly ColumnCheck[],
  values: readonly (readonly ColumnValue[])[],
): boolean {
  const cells = labels.map((label) => label.trim())
  return fitTheFields(cells, checks) || lookLikeValues(cells, values)
}

/**
 * Only fields count that reject their own name, of patterns only cells with a digit: many headings are short
 * texts, or three capitals.
 */
function fitTheFields(cells: readonly string[], checks: readonly ColumnCheck[]): boolean {
  if (cells.length !== checks.length) return false
  let fitting = 0
  let misfits = 0
  for (const [column, text] of cells.entries()) {
    const check = checks[column]
    if (text === '' || !isTelling(check, text)) continue
    if (fits(check, { text, isMoment: false })) fitting++
    else misfits++
  }
  return fitting > 0 && fitting >= misfits * FITTING_PER_MISFIT
}

/** Whether three quarters of the values fit each field in order, and one field would refuse others. */
export function fitInOrder(
  labels: readonly string[],
  checks: readonly ColumnCheck[],
  values: readonly (readonly ColumnValue[])[],
): boolean {
  const cells = checks.map((_, column) => labels[column]?.trim() ?? '')
  // The first row may end before cells that may be blank.
  if (checks.slice(labels.length).some(({ field }) => field?.required)) return false
  if (!fitTheFields(cells, checks)) return false
  return checks.slice(0, labels.length).every((check, column) => {
    const fitting = values[column].filter((value) => fits(check, value)).length
    return fitting * (FITTING_PER_MISFIT + 1) >= values[column].length * FITTING_PER_MISFIT
  })
}

/** Whether it says something that a text, which is not blank, fits the field. */
export function isTelling({ field, check }: ColumnCheck, text: string): boolean {
  if (field === null || field.rule.type === 'text') return false
  return check(field.name) !== null && (field.rule.type !== 'pattern' || /\d/.test(text))
}

/** At least half of the cells, and one that is no bare number: years and months are headings too. */
function lookLikeValues(cells: readonly string[], values: readonly (readonly ColumnValue[])[]): boolean {
  const filled = [...cells.keys()].filter((column) => cells[column] !== '')
  const alike = filled.filter((column) => isLikeThoseBelow(cells[column], values[column]))
  return alike.length * 2 >= filled.length && alike.some((column) => !/^\d+$/.test(cells[column]))
}

function isLikeThoseBelow(cell: string, below: readonly ColumnValue[]): boolean {
  const most = (isAlike: (text: string) => boolean) =>
    below.filter(({ text }) => isAlike(text)).length * 2 > below.length
  if (MAIL.test(cell)) return true
  // Days may be headings too, above a number for each day.
  if (DATE.test(cell)) return below.length === 0 || most((text) => DATE.test(text))
  if (isNumber(cell)) return most(isNumber)
  // Codes such as A-1001. Headings with a digit, such as "Diagnosis 1", are not above codes of their shape.
  const shape = shapeOf(cell)
  return /\d/.test(cell) && most((text) => shapeOf(text) === shape)
}

/** In a function: V8 takes 0.3 ms for the properties, which it would need to load the module. */
const isNumber = (text: string) => /^[+-]?\p{Sc}?\s?\d[\d.,' \u00a0]*\s?(?:\p{Sc}|%)?$/u.test(text)

/** "A-1001" and "B-2002" have one shape. */
const shapeOf = (text: string) => text.replace(/\p{L}/gu, 'a').replace(/\d/g, '9')
