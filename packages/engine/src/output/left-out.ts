import { type LeftOutKind, leftOutNote } from '@veridict/contract/messages/error-files'

/** Counts what a copy of a workbook leaves out, because a program could run or load it. */
export class LeftOut {
  /** Cells whose formula became a value. */
  formulas = 0
  readonly #kinds = new Set<LeftOutKind>()

  /** null for content whose absence nobody notices, such as the order of calculation. */
  add(kind: LeftOutKind | null): void {
    if (kind !== null) this.#kinds.add(kind)
  }

  include(other: LeftOut): void {
    this.formulas += other.formulas
    for (const kind of other.#kinds) this.#kinds.add(kind)
  }

  /** A sentence for people; null if nothing is missing. */
  get note(): string | null {
    return this.formulas === 0 && this.#kinds.size === 0 ? null : leftOutNote(this.formulas, this.#kinds)
  }
}
