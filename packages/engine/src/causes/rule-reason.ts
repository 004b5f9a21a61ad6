import { ruleReasons } from '@veridict/contract/messages/row-rules'
import type { RuleTest } from '@veridict/contract/model/row-rule'
import { NearestOption } from '#likeness/nearest-option.ts'
import type { CompiledRowRule, UnmetTest } from '#row-rules/unmet-test.ts'

const FEWEST_ROWS_OF_REASON = 10
const MOST_ROWS = 0.9

export type UnmetRows = {
  rows: number
  /** By test of a text: the only one in its cells that is none of its constants; null for none or several. */
  readonly others: (string | null)[]
}

/** Why hardly any row meets the rule, in words, if that is obvious; else null. */
export const reasonOf = (rule: CompiledRowRule, unmet: UnmetRows, recordsCount: number): string | null =>
  misspeltIn(rule, unmet) ?? exchangedIn(rule, unmet, recordsCount)

/** Adds what the tests have in the row that is asked. Call it before that row is counted. */
export function mergeOthers({ textTests }: CompiledRowRule, { rows, others }: UnmetRows): void {
  for (let index = 0; index < textTests.length; index++) {
    const [cell] = textTests[index].cells
    const text = cell.isOther ? cell.text : null
    others[index] = rows === 0 || others[index] === text ? text : null
  }
}

/** Whether another cell of the row that is asked has a text that surely means one which the rule names. */
export const hasMisspeltBeside = ({ rule, column }: UnmetTest): boolean =>
  rule.textTests.some(
    ({ test, cells: [cell] }) =>
      cell.column !== column && cell.isOther && nearestIn(test, cell.text) !== null,
  )

const nearestOptions = new WeakMap<RuleTest, NearestOption>()

function nearestIn(test: RuleTest, text: string): string | null {
  if (!('values' in test)) return null
  let nearest = nearestOptions.get(test)
  if (nearest === undefined) nearestOptions.set(test, (nearest = new NearestOption(test.values)))
  return nearest.to(text)
}

/** A text in all rows that surely means another one, which the rule names. null for none. */
function misspeltIn({ textTests }: CompiledRowRule, { rows, others }: UnmetRows): string | null {
  if (rows < FEWEST_ROWS_OF_REASON) return null
  for (const [index, { test, cells }] of textTests.entries()) {
    const text = others[index]
    const known = text === null ? null : nearestIn(test, text)
    if (known !== null) return ruleReasons.misspelt(cells[0].field.name, text!, known)
  }
  return null
}

/** The two columns of an order that hardly any row has: they hold each other's values. null for none. */
function exchangedIn({ then, rule }: CompiledRowRule, count: UnmetRows, recordsCount: number): string | null {
  if (count.rows < FEWEST_ROWS_OF_REASON || count.rows < recordsCount * MOST_ROWS || rule.when !== undefined)
    return null
  const [{ test }, ...others] = then
  if (others.length > 0 || !('than' in test) || test.is === 'equal' || test.is === 'notEqual') return null
  const { than } = test
  const isPlain = 'column' in than && than.times === undefined && than.plus === undefined
  return isPlain ? ruleReasons.exchanged(than.column, test.column) : null
}
