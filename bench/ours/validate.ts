import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { validateFile } from '@veridict/engine-node'
import { basename } from 'node:path'
import { Findings, type Program } from '../findings.ts'

/** The header is row 1 of the file, the first record row 2. */
const FIRST_RECORD = 2

/** On one thread, as in the portal, but with the positions of all bad cells, so that they are checked. */
export const run: Program = async ({ path, fields, rules }) => {
  const findings = new Findings(fields.length)
  const verdict = await validateFile(path, basename(path), fields, {
    ...(rules !== undefined && {
      ruleBook: { ...emptyRuleBook, rules: [...rules], day: new Date().toISOString().slice(0, 10) },
    }),
    onFault: (rowNumber, { column }) => findings.badCell(rowNumber - FIRST_RECORD, column, ''),
  })
  if (verdict.kind === 'fileProblem') throw new Error(fileProblemText(verdict.problem))
  if (rules !== undefined) {
    const badCells = verdict.kind === 'passed' ? 0 : verdict.cellErrorCount
    return { rows: verdict.recordsCount, badCells, perColumn: null, positions: null }
  }
  if (verdict.kind === 'rowErrors' && verdict.cellErrorCount !== findings.badCells)
    throw new Error('The verdict counts other errors than were reported.')
  findings.rows = verdict.recordsCount
  return findings.counts()
}
