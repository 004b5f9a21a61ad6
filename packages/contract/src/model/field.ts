import type { Rule } from '#model/rule.ts'

/** One column of a dictionary (a Table Schema field). `name` is the label its header cell must carry. */
export type Field = {
  name: string
  description: string
  category: string
  /** false = "Can be empty". */
  required: boolean
  rule: Rule
}

/** An ordered list of fields under a name, as the engine sees a dictionary. */
export type Dictionary = { name: string; fields: readonly Field[] }
