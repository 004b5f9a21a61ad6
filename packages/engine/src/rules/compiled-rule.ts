import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ByteKinds } from '#compile/byte-kinds.ts'
import type { ByteAccept, CellCheck } from '#compile/cell-check.ts'

/**
 * A rule type compiled for one field. `check` is the rule; the accepts that `accept` makes may only say yes where
 * `check` would, and answer -1 whenever they would have to think.
 */
export type CompiledRule = {
  /** On text that is trimmed and not blank. */
  readonly check: CellCheck
  /** What would be right: one sentence for every fault of the field. */
  readonly expected: string
  readonly accept: (kinds: ByteKinds, required: boolean) => ByteAccept
  /** Judges a true date cell; absent where a day is judged as text, yyyy-MM-dd. */
  readonly checkDay?: (year: number, month: number, day: number) => CellFault | null
}

/** A fast path that is never sure: every cell goes to the reference. */
export const neverSure: ByteAccept = () => -1
