/**
 * The engine's second door, for forms in which a field is made: what a field says about one value. It leads
 * to the rules alone; whoever enters here loads no reader and no writer.
 */
import type { CellError } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { compileField } from '#compile/compile-columns.ts'
import type { Platform } from '#platform.ts'
import { RowReports } from '#rows/row-reports.ts'
import { re2 } from '#rules/re2.ts'
import { xmlTerminators } from '#formats/terminators.ts'

export { checkPattern } from '#rules/re2.ts'

/** What judging single values asks of the platform. */
export type TrialPlatform = Pick<Platform, 'encodeUtf8' | 'decodeUtf8' | 'currentYear'>

/** `trimmed` is the value that the rule checked, without white space at its ends; '' is an empty cell. */
export type TrialResult = { kind: 'accepted'; trimmed: string } | { kind: 'refused'; error: CellError }

export type FieldTrial = {
  /** What would be right: the sentence of every fault of the field. */
  readonly expected: string
  /** A cell's text → the verdict that a file with this cell gets, its error in the words of the report. */
  readonly check: (value: string) => TrialResult
}

/**
 * Checks values as the cells of a file: the same checks and reports, without a file. Throws for a
 * rule that the contract's forms or `checkPattern` refuse.
 */
export function tryField(field: Field, platform: TrialPlatform): FieldTrial {
  // What ends a cell matters to the fast paths alone, and those are asked nothing here.
  const column = compileField(
    field,
    xmlTerminators,
    { ...platform, inflateRaw: noFile, deflateRaw: noFile, isUtf8: noFile, crc32: noFile },
    re2,
  )
  return {
    expected: column.expected,
    check(value) {
      const fault = column.check(value)
      if (fault === null) return { kind: 'accepted', trimmed: value.trim() }
      const reports = new RowReports([column], platform)
      reports.fault(1, 0, fault, { value })
      return { kind: 'refused', error: reports.findings().rows[0].columnValidationErrors[0] }
    },
  }
}

function noFile(): never {
  throw new Error('A single value comes from no file: there is nothing to unpack or decode.')
}
