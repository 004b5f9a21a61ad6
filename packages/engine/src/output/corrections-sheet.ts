import {
  correctedCausesHeadings,
  correctionsHeadings,
  correctionTexts,
} from '@veridict/contract/messages/error-files'
import type { Cause } from '@veridict/contract/model/cause'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { writeCount } from '@veridict/contract/notation/count'
import { textRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import type { CorrectedStructure } from '#output/corrected-structure.ts'
import type { CorrectionTally } from '#output/corrections.ts'
import type { LeftOut } from '#output/left-out.ts'

/** In characters. The two tables share their columns. */
const WIDTHS = [11, 7, 28, 60, 40]
/** The source's first cell format: the sheet belongs to a workbook with formats of its own. */
const STYLE = 0

export type CopyDetails = {
  readonly fileName: string
  /** The causes whose cells are corrected. */
  readonly causes: readonly Cause[]
  /** The bad cells of the source, of all causes. */
  readonly cellErrorCount: number
  /** Valid dates of these columns that are changed, too. */
  readonly passedWrong: readonly { readonly label: string; readonly cells: number }[]
  /** What was changed before: the rows here are those of the copy. */
  readonly structure: CorrectedStructure
  labelOf(column: number): string
}

/** Complete once the data sheet is written. */
type CorrectionResult = { readonly tally: CorrectionTally; readonly leftOut: LeftOut }

/** The last sheet of a copy: what was corrected by cause, what was not, and the cells one by one. */
export function correctionsSheet(
  name: string,
  dataSheet: string,
  details: CopyDetails,
  done: CorrectionResult,
): NewSheet {
  return linesSheet(name, WIDTHS, linesOf(dataSheet, details, done))
}

export type Line = { readonly texts: readonly string[]; readonly isHeading?: boolean }

/** A sheet for reading, in a workbook with formats of its own. */
export function linesSheet(name: string, widths: readonly number[], lines: Iterable<Line>): NewSheet {
  let written = 0
  function* rows(): Generator<string> {
    for (const { texts, isHeading } of lines) {
      written++
      if (texts.length > 0) yield isHeading ? boldRow(written, texts) : textRow(written, STYLE, texts)
    }
  }
  return {
    name,
    isReadingPage: true,
    columns: widths.map((width) => ({ width, style: STYLE })),
    rows: rows(),
    rowCount: () => written,
  }
}

function* linesOf(
  dataSheet: string,
  { fileName, causes, cellErrorCount, passedWrong, structure, labelOf }: CopyDetails,
  { tally, leftOut }: CorrectionResult,
): Generator<Line> {
  yield { texts: [correctionTexts.title(fileName)], isHeading: true }
  for (const { message } of structure.corrected) yield { texts: [correctionTexts.structure(message)] }
  for (const part of structure.removed) yield { texts: [correctionTexts.removed(part)] }
  if (tally.changedCount > 0 || structure.corrected.length === 0)
    yield { texts: [correctionTexts.corrected(tally.changedCount, dataSheet)] }
  const { verdict } = structure.found
  if (verdict.kind === 'fileProblem') yield { texts: [fileProblemText(verdict.problem)] }
  else yield { texts: [correctionTexts.uncorrected(cellErrorCount - tally.count)] }
  if (tally.skippedCount > 0) yield { texts: [correctionTexts.left(tally.skippedCount)] }
  if (leftOut.formulas > 0) yield { texts: [correctionTexts.oldResults] }
  for (const { label, cells } of passedWrong) yield { texts: [correctionTexts.passedWrong(label, cells)] }
  yield { texts: [] }
  yield { texts: correctedCausesHeadings, isHeading: true }
  for (const { id, columnPosition, label, message, cells } of causes) {
    const corrected = tally.countOf(id)
    const counts = [corrected, cells - corrected].map(writeCount)
    yield { texts: [counts[0], columnPosition ?? '', label ?? '', message, counts[1]] }
  }
  yield { texts: [] }
  yield { texts: correctionsHeadings, isHeading: true }
  for (const { rowNumber, column, before, after } of tally.listed)
    yield { texts: [String(rowNumber), columnLetter(column), labelOf(column), before, after] }
  if (tally.changedCount > tally.listed.length)
    yield { texts: [correctionTexts.firstCells(tally.listed.length, tally.changedCount)] }
}

/** Bold by its text, which needs no format in the source's styles. */
function boldRow(number: number, texts: readonly string[]): string {
  const cells = texts.map((text, column) => {
    const tag = `<c r="${columnLetter(column)}${number}" t="inlineStr">`
    return text === '' ? '' : `${tag}<is><r><rPr><b/></rPr><t>${escapeXml(text)}</t></r></is></c>`
  })
  return `<row r="${number}">${cells.join('')}</row>`
}
