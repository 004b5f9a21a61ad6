/** The entry point for forms that edit rules between cells. It imports the rules, but no reader or writer. */
import type { CellError } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey } from '@veridict/contract/notation/label'
import { shownValue } from '#causes/kept-cell.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { compileDictionary, type DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import { unmetCellError } from '#rows/rule-counts.ts'
import type { TextPlatform } from '#platform.ts'

/** A row has no file, and so no causes. */
export type TriedError = Omit<CellError, 'cause'>
export type TriedRow = { errors: TriedError[]; warnings: TriedError[] }

/** The texts of the cells by the names of their fields; a cell that is not given is empty. */
export type RowTexts = Readonly<Record<string, string>>

/** Checks rows as those of a file with these cells: first the cells, then the rules. A row has no equal. */
export async function rowTrial(
  fields: readonly Field[],
  ruleBook: DatedRuleBook,
  platform: TextPlatform,
): Promise<(row: RowTexts) => TriedRow> {
  const request = { fields, ruleBook, platform }
  const { columns, rules } = await compileDictionary(request, { terminators: xmlTerminators, firstColumn: 0 })
  return (row) => {
    const texts = new Map(Object.entries(row).map(([label, text]) => [labelKey(label), text]))
    rules?.keys.start()
    const faulty = columns.flatMap(({ field, check }, column) => {
      const value = texts.get(labelKey(field!.name)) ?? ''
      rules?.cells[column]?.seeText(value)
      const fault = check(value)
      return fault === null ? [] : [{ column, value, fault }]
    })
    const bad = rules?.ask(1, faulty) ?? faulty
    const ofCells = bad.map(({ column, value, fault }): TriedError => ({
      columnPosition: columnLetter(column),
      label: columns[column].field!.name,
      error: fault.error,
      value: shownValue(value, platform),
      expected: fault.expected,
      suggestion: null,
    }))
    const ofRules = (isWarning: boolean) =>
      (rules?.unmet ?? [])
        .filter((unmet) => unmet.isWarning === isWarning)
        .map((unmet): TriedError => {
          const { cause: _, ...error } = unmetCellError(unmet, rules!, platform)
          return error
        })
    return { errors: [...ofCells, ...ofRules(false)], warnings: ofRules(true) }
  }
}
