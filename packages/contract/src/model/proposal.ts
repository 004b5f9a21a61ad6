import type { Field } from '#model/field.ts'
import type { RuleBook } from '#model/row-rule.ts'

/** A field that a sample suggests, and why, in a sentence or two. */
export type ProposedField = Field & { reason: string }

/** A dictionary that a sample suggests. `notes`: what a person should know before saving it. */
export type Proposal = { recordsCount: number; fields: ProposedField[]; ruleBook: RuleBook; notes: string[] }
