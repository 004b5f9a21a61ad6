import type { Field } from '#model/field.ts'

/** A field that a sample suggests, and why, in a sentence or two. */
export type ProposedField = Field & { reason: string }

/** A dictionary that a sample suggests. `notes`: what a person should know before saving it. */
export type Proposal = { recordsCount: number; fields: ProposedField[]; notes: string[] }
