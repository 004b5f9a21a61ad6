/** The entry point for forms that edit a field. It imports the rules, but no reader and no writer. */
import type { CellError } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { compileField } from '#compile/compile-columns.ts'
import { shownValue } from '#causes/kept-cell.ts'
import { re2 } from '#rules/re2.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import type { TextPlatform } from '#platform.ts'

export { checkPattern } from '#rules/re2.ts'

/** A single value has no place in a file, and so no cause. */
export type TrialError = Pick<CellError, 'label' | 'error' | 'value' | 'expected'>

/** `trimmed` is the value that the rule checked, without white space at its ends; '' is an empty cell. */
export type TrialResult = { kind: 'accepted'; trimmed: string } | { kind: 'refused'; error: TrialError }

export type FieldTrial = {
  /** What would be right: one sentence for all faults of the field. */
  readonly expected: string
  /** Checks the text of a cell. The error is the one that a file with this cell gets. */
  readonly check: (value: string) => TrialResult
}

/** The checks and reports of a file's cells. Throws for a rule that the forms or `checkPattern` refuse. */
export function tryField(field: Field, platform: TextPlatform): FieldTrial {
  // Terminators matter only to the fast paths, which are not used here.
  const column = compileField(field, xmlTerminators, platform, re2)
  return {
    expected: column.expected,
    check(value) {
      const fault = column.check(value)
      if (fault === null) return { kind: 'accepted', trimmed: value.trim() }
      return {
        kind: 'refused',
        error: {
          label: field.name,
          error: fault.error,
          value: shownValue(value, platform),
          expected: fault.expected,
        },
      }
    },
  }
}
