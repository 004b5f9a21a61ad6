import type { CellFault } from '@veridict/contract/model/cell-error'
import type { DescribeColumn } from '#fast-path/column-kernel.ts'
import type { ByteKinds } from '#formats/byte-kinds.ts'
import { type ByteAccept, type CellCheck, NOT_SURE } from '#fast-path/fast-path.ts'
import type { ListMeaning } from '#likeness/list-meaning.ts'

/**
 * `check` is the rule. The fast path accepts only what it accepts, and leaves every difficult case to it.
 * Blank cells never come here: `compileField` decides.
 */
export type CompiledRule = {
  /** Checks a text that is trimmed and not blank. */
  readonly check: CellCheck
  /** What is expected: one sentence for all faults of the field. */
  readonly expected: string
  /** `required`: whether an empty cell is a fault, because it sees empty cells, too. */
  readonly fastPath: (kinds: ByteKinds, required: boolean) => ByteAccept
  /** Absent: the kernel is never sure. */
  readonly describe?: DescribeColumn
  /** Whether a refused text may fit in another case or with other or no separators. Absent if unknown. */
  readonly mayFitRewritten?: (text: string) => boolean
  /** Letters and digits → the text with separators that fits; null for none. Absent if none are fixed. */
  readonly withSeparators?: (characters: string) => string | null
  /** What every text begins with that `check` accepts, '' for nothing. Absent where it is not known. */
  readonly prefix?: () => string
  /** Of a list: what texts mean that `check` refuses. */
  readonly listMeaning?: () => ListMeaning
  /** Checks a true date cell; absent if the day is checked as text, yyyy-MM-dd. */
  readonly checkDay?: (year: number, month: number, day: number) => CellFault | null
}

/** A fast path that decides about no cell: every cell goes to the reference. */
export const neverSure: ByteAccept = () => NOT_SURE
