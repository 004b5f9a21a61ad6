import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Field } from '@veridict/contract/model/field'
import { type RuleBook, type RowRule, type RuleTest, testColumns } from '@veridict/contract/model/row-rule'
import type { RowTexts } from '@veridict/engine/try-row'
import { browserPlatform } from '#workers/browser-platform.ts'
import {
  conditionOf,
  bookWith,
  type EditedRule,
  type PlacedFaults,
  placeFaults,
  ruleColumns,
  ruleOf,
  type RuleValues,
} from './rule-values.ts'

/** What a row says of each test by its place, such as `then[0]`; `when` is the whole condition. */
export type RowOutcome = {
  /** Cells that are wrong by themselves: no rule asks them. */
  cellErrors: { label: string; error: string }[]
  /** Why it is not met. Places that are met are not there. */
  unmet: ReadonlyMap<string, string>
}
/** The compiled rule of the form, or the faults that keep it from being compiled. */
export type RuleTrial =
  | { kind: 'ready'; check: (row: RowTexts) => RowOutcome }
  | { kind: 'incomplete'; faults: PlacedFaults }

/**
 * The engine's rules for what is in the form, in a chunk of their own. `trial` is the one before until the
 * next is compiled; undefined until the first one is.
 */
export function useRuleTrial(
  edited: EditedRule,
  values: RuleValues,
  book: RuleBook,
  fields: readonly Field[],
): { trial: RuleTrial | undefined; hasFailed: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['rule trial', JSON.stringify(values), book, fields],
    queryFn: () => compileTrial(edited, values, book, fields),
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: 0,
    // The form works without it: the server checks as well.
    meta: { quiet: true },
  })
  return { trial: data, hasFailed: isError }
}

/** Checks what is in the form as the server does. The faults are by their places; none is `{}`. */
export async function findFaults(
  edited: EditedRule,
  values: RuleValues,
  book: RuleBook,
  fields: readonly Field[],
): Promise<PlacedFaults> {
  const { checkRuleBook } = await import('@veridict/engine/check-rule-book')
  const { blankTexts, lists } = book
  // The other rules were checked when they were saved.
  const alone = { ...book, rules: [] }
  const given = { ...bookWith(edited, values, alone), blankTexts, lists }
  const checked = checkRuleBook(given, fields, browserPlatform(new Date().getFullYear()))
  if (checked.ok) return {}
  const errors = Object.fromEntries(checked.faults.map(({ key, message }) => [key, [message]]))
  return placeFaults(errors, edited, values, alone)
}

async function compileTrial(
  edited: EditedRule,
  values: RuleValues,
  book: RuleBook,
  fields: readonly Field[],
): Promise<RuleTrial> {
  const named = { ...values, name: values.name || 'Rule' }
  const faults = await findFaults(edited, named, book, fields)
  if (Object.keys(faults).length > 0) return { kind: 'incomplete', faults }
  const { rowTrial } = await import('@veridict/engine/try-row')
  const columns = ruleColumns(values)
  const ruleBook = {
    ...book,
    exempt: edited.kind === 'exemption' ? null : book.exempt,
    rules: probesOf(values),
    day: new Date().toISOString().slice(0, 10),
  }
  const check = await rowTrial(
    fields.filter(({ name }) => columns.has(name)),
    ruleBook,
    browserPlatform(new Date().getFullYear()),
  )
  return {
    kind: 'ready',
    check: (row) => {
      const { errors } = check(row)
      return {
        cellErrors: errors.filter(({ rule }) => rule === undefined),
        unmet: new Map(errors.flatMap(({ rule, error }) => (rule === undefined ? [] : [[rule, error]]))),
      }
    },
  }
}

/** A rule of its own for each test, named by its place, so that each shows whether it is met. */
function probesOf(values: RuleValues): RowRule[] {
  const { when } = ruleOf(values)
  const rule = (name: string, part: Partial<RowRule>): RowRule => ({
    name,
    severity: 'error',
    then: [],
    ...part,
  })
  const asked = (name: string, tests: RuleTest[]) =>
    rule(name, { when: conditionOf({ ...values, when: tests }), otherwise: [neverMet(tests)] })
  return [
    ...(when === undefined ? [] : [asked('when', values.when)]),
    ...values.when.map((test, index) => asked(`when[${index}]`, [test])),
    ...values.then.map((test, index) => rule(`then[${index}]`, { when, then: [test] })),
    ...values.otherwise.map((test, index) => rule(`otherwise[${index}]`, { when, otherwise: [test] })),
  ]
}

/** No value is one of none. Its column is one of the condition: it is skipped with it. */
const neverMet = ([test]: RuleTest[]): RuleTest => ({
  column: testColumns(test).at(-1)!,
  is: 'oneOf',
  values: [],
})
