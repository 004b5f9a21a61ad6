import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ByteKinds } from '#compile/byte-kinds.ts'
import { type CellCheck, type FastPath, NOT_SURE } from '#compile/cell-check.ts'

/**
 * A rule type compiled for one field. `check` is the rule; a fast path may only accept what `check` would, and
 * accuse of what `check` would, and is not sure whenever it would have to think. What a blank cell is accused of is
 * settled for it.
 */
export type CompiledRule = {
  /** On text that is trimmed and not blank. */
  readonly check: CellCheck
  /** What would be right: one sentence for every fault of the field. */
  readonly expected: string
  readonly fastPath: (kinds: ByteKinds, required: boolean) => FastPath
  /** Judges a true date cell; absent where a day is judged as text, yyyy-MM-dd. */
  readonly checkDay?: (year: number, month: number, day: number) => CellFault | null
}

/** A fast path that is never sure: every cell goes to the reference. */
export const neverSure: FastPath = { accept: () => NOT_SURE, accuse: () => null }
