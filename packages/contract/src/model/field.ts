import type { RuleBook } from '#model/row-rule.ts'
import type { Rule, RuleSetting } from '#model/rule.ts'

/** One column of a dictionary (a Table Schema field). `name` is the label its header cell must carry. */
export type Field = {
  name: string
  description: string
  category: string
  /** false = "Can be empty". */
  required: boolean
  /** Reports show its values beside the row number; no effect on the verdict. Absent unless true. */
  identifiesRow?: boolean
  rule: Rule
}

/** A part of a field, its rule's type, or a setting of the rule. */
export type FieldKey = Exclude<keyof Field, 'rule'> | 'type' | RuleSetting
/** A field by its keys, side by side: as a form, a call or a sheet brings it, not checked yet. */
export type FieldParts = { readonly [Key in FieldKey]?: unknown }

export const partsOf = ({ name, description, category, required, identifiesRow = false, rule }: Field) => ({
  name,
  description,
  category,
  required,
  identifiesRow,
  ...rule,
})

/** An ordered list of fields under a name, and rules between them, as the engine sees a dictionary. */
export type Dictionary = { name: string; fields: readonly Field[] } & Partial<RuleBook>
