import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { validateFile } from '@veridict/engine-node'
import { basename } from 'node:path'
import { addPositions, positionOf, type Program } from '../findings.ts'

/** The header is row 1 of the file, the first record row 2. */
const FIRST_RECORD = 2

/** On one thread, as in the portal, but with the positions of all bad cells, so that they are checked. */
export const run: Program = async ({ path, fields, rules }) => {
  const perColumn = fields.map(() => 0)
  let positions = 0
  const verdict = await validateFile(path, basename(path), fields, {
    ...(rules !== undefined && {
      ruleBook: { ...emptyRuleBook, rules: [...rules], day: new Date().toISOString().slice(0, 10) },
    }),
    onBadCells(rowNumber, cells) {
      let sum = positions
      for (let index = 0; index < cells.length; index++) {
        const { column } = cells[index]
        perColumn[column]++
        sum = addPositions(sum, positionOf(rowNumber - FIRST_RECORD, column, fields.length))
      }
      positions = sum
    },
  })
  if (verdict.kind === 'fileProblem') throw new Error(fileProblemText(verdict.problem))
  const { kind, recordsCount: rows } = verdict
  const badCells = kind === 'passed' ? 0 : verdict.cellErrorCount
  // A rule may report cells that are valid.
  return rules === undefined
    ? { rows, badCells, perColumn, positions }
    : { rows, badCells, perColumn: null, positions: null }
}
