import { ruleBookLimits } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { inferenceNotes as notes } from '@veridict/contract/messages/inference'
import { tableSchemaKeyNames } from '@veridict/contract/messages/table-schema'
import type { Proposal, ProposedField } from '@veridict/contract/model/proposal'
import { emptyRuleBook, keyRule } from '@veridict/contract/model/row-rule'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { proposeNames } from '#inference/propose-names.ts'
import { keyReason, proposeRule } from '#inference/propose-rule.ts'
import { profileTable, type TableProfile } from '#inference/table-profile.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { TableSource } from '#source/table-source.ts'

/** Columns with errors that get a note each. */
const MAX_ERROR_NOTES = 20

export type ProposalRequest = Omit<TableRequest, 'fields'>
export type ProposalResult =
  | { kind: 'proposal'; proposal: Proposal }
  | { kind: 'fileProblem'; problem: FileProblem }

/**
 * Reads all rows once, in bounded memory, and gives each column the narrowest rule that its values prove. The
 * proposal accepts the sample unless no dictionary could: cells beyond the header, errors like #N/A, labels
 * blank or duplicate. An unreadable file is a file problem, one without rows is not.
 */
export async function proposeFields(request: ProposalRequest): Promise<ProposalResult> {
  try {
    const table = await openTable({ ...request, fields: [] })
    const profile = await profileTable(table, request.platform)
    return { kind: 'proposal', proposal: propose(table, profile) }
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'fileProblem', problem: error.problem }
    throw error
  }
}

function propose({ header, firstColumn, sheets }: TableSource, profile: TableProfile): Proposal {
  const { recordsCount, columns, irregularRows, firstIrregularRow } = profile
  const { names, notes: nameNotes } = proposeNames(header.slice(firstColumn), firstColumn)
  const keys: string[] = []
  const fields = columns.map((column, index): ProposedField => {
    const name = names[index]
    const { rule, reason } = proposeRule(column, name)
    const required = recordsCount > 0 && column.values === recordsCount
    const key = keys.length < ruleBookLimits.maxUnique ? keyReason(column, { name, required, rule }) : null
    if (key !== null) keys.push(name)
    const reasons = key === null ? reason : `${reason} ${key}`
    return { name, description: '', category: '', required, rule, reason: reasons }
  })
  const errorNotes = columns.flatMap(({ errors, firstError }, index) =>
    firstError === null
      ? []
      : [notes.errorCells(names[index], errors, firstError.text, firstError.rowNumber)],
  )
  const allNotes = [
    ...(sheets !== undefined && sheets.others.length > 0
      ? [fileProblemMessages.otherSheets(sheets.read, sheets.others)]
      : []),
    ...(recordsCount === 0 ? [notes.noRows] : []),
    ...nameNotes,
    ...(irregularRows > 0 ? [notes.irregularRows(irregularRows, firstIrregularRow)] : []),
    ...errorNotes.slice(0, MAX_ERROR_NOTES),
    ...(errorNotes.length > MAX_ERROR_NOTES
      ? [notes.moreErrorColumns(errorNotes.length - MAX_ERROR_NOTES)]
      : []),
  ]
  const rules = keys.map((name) => keyRule(tableSchemaKeyNames.unique([name]), [name]))
  return { recordsCount, fields, ruleBook: { ...emptyRuleBook, rules }, notes: allNotes }
}
