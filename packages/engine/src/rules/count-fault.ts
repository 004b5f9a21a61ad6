import { cellErrors } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'

/** Too many or too few characters or decimals. Makes its sentence only when it is read (see `BadCell`). */
export class CountFault implements CellFault {
  readonly code: 'textTooShort' | 'textTooLong' | 'tooManyDecimals'
  readonly expected: string
  readonly #count: number
  readonly #bound: number

  constructor(code: CountFault['code'], count: number, bound: number, expected: string) {
    this.code = code
    this.expected = expected
    this.#count = count
    this.#bound = bound
  }

  get error(): string {
    return cellErrors[this.code](this.#count, this.#bound)
  }
}
