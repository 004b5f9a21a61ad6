import type { Cause } from '@veridict/contract/model/cause'

/** What a corrected copy differs in, for the message after its download. */
export type Correction = {
  causes: Cause[]
  /** Cells of the copy that differ from the file. */
  changed: number
  /** Errors that are still in it. */
  remaining: number
}
