import type { Field } from '@veridict/contract/model/field'

/** A table with errors, and what its cells should be. Both have the same rows and columns, no header. */
export type Pair = {
  readonly name: string
  readonly fields: readonly Field[]
  readonly dirty: readonly (readonly string[])[]
  readonly clean: readonly (readonly string[])[]
}
