import type { tryImpact } from '@veridict/contract/api/impacts'
import type { BodyInput } from '@veridict/contract/api/endpoint'

/** What a form would save. */
export type TriedDraft = {
  body: BodyInput<typeof tryImpact>
  /** The rule that can be saved as a warning until a day; `version` is the ETag of the rules. */
  announced?: { rule: string; version: string | null; onSaved: () => void }
}
/** What tries a form's draft; the draft is null where the form shows what is wrong with it. */
export type TryDraft = (draft: () => Promise<TriedDraft | null>, isDisabled: boolean) => React.ReactNode
