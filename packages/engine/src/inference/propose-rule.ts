import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'
import { proposeDate } from '#inference/propose-date.ts'
import { proposeList } from '#inference/propose-list.ts'
import { proposeNumber } from '#inference/propose-number.ts'
import { proposeText } from '#inference/propose-text.ts'

/** The narrowest rule that the values prove; a text if they prove none. */
export const proposeRule = (profile: ColumnProfile): ProposedRule =>
  proposeDate(profile) ?? proposeNumber(profile) ?? proposeList(profile) ?? proposeText(profile)
