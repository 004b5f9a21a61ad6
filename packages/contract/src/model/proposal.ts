import type { Field } from '#model/field.ts'

/** A field that a sample suggests, and why, in a sentence or two. */
export type ProposedField = Field & { reason: string }

/** What a sample suggests as a dictionary. `notes` tell what a person should know before taking it over. */
export type Proposal = { recordsCount: number; fields: ProposedField[]; notes: string[] }
