import type { RuleBook } from '#model/row-rule.ts'
import type { Rule } from '#model/rule.ts'

/** One column of a dictionary (a Table Schema field). `name` is the label its header cell must carry. */
export type Field = {
  name: string
  description: string
  category: string
  /** false = "Can be empty". */
  required: boolean
  /**
   * "Identifies the row": reports show its values beside the row number. No effect on the verdict. Absent
   * unless true.
   */
  identifiesRow?: boolean
  rule: Rule
}

/** An ordered list of fields under a name, and rules between them, as the engine sees a dictionary. */
export type Dictionary = { name: string; fields: readonly Field[] } & Partial<RuleBook>
