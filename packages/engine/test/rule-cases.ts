import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { Rule, RuleType } from '@veridict/contract/model/rule'
import date from './cases/date.json' with { type: 'json' }
import list from './cases/list.json' with { type: 'json' }
import number from './cases/number.json' with { type: 'json' }
import pattern from './cases/pattern.json' with { type: 'json' }
import text from './cases/text.json' with { type: 'json' }

export type RuleCases = {
  rule: Rule
  required?: boolean
  cases: {
    cell: string
    fault: CellFaultCode | null
    /** In a CSV file the fast path must accept this cell itself, without the reference. */
    sure?: boolean
    why: string
  }[]
}

/** Cells and their faults, by rule type. */
export const ruleCases = { text, number, date, pattern, list } satisfies Record<
  RuleType,
  unknown
> as unknown as Record<RuleType, RuleCases[]>
