import { ErrorType } from '@veridict/contract/model/error-type'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { SourceProblem } from '#source/source-problem.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/**
 * What keeps a workbook from being read, as problems of the file. `what` of `damaged` is a clause: "the part
 * x is cut off".
 */
export const workbookProblems = {
  damaged: (what: string) =>
    new SourceProblem(ErrorType.Unreadable, fileProblemMessages.damagedWorkbook(what)),
  /** Tags that are not closed, or in the wrong place: what follows them would be read as something else. */
  malformed: () => workbookProblems.damaged('its XML is malformed'),
  encrypted: () => new SourceProblem(ErrorType.Unreadable, fileProblemMessages.encrypted),
  doctype: () => new SourceProblem(ErrorType.Unreadable, fileProblemMessages.doctype),
  notAWorkbook: (really: string) =>
    new SourceProblem(ErrorType.Unreadable, fileProblemMessages.notAWorkbook(really)),
  noVisibleSheet: () => new SourceProblem(ErrorType.Unreadable, fileProblemMessages.noVisibleSheet),
  empty: () => new SourceProblem(ErrorType.NoRows, fileProblemMessages.emptyFile),
  tooManyParts: (limit: number) =>
    new SourceProblem(ErrorType.BeyondLimit, fileProblemMessages.tooManyParts(limit)),
  tooLargeUnpacked: (bytes: number) =>
    new SourceProblem(
      ErrorType.BeyondLimit,
      fileProblemMessages.tooLargeUnpacked(Math.floor(bytes / BYTES_PER_MEGABYTE)),
    ),
  tooManyRows: (limit: number) =>
    new SourceProblem(ErrorType.BeyondLimit, fileProblemMessages.tooManyRows(limit)),
  rowsOnOtherSheet: (sheet: string) =>
    new SourceProblem(ErrorType.BeyondLimit, fileProblemMessages.rowsOnOtherSheet(sheet)),
  tooManyColumns: (limit: number) =>
    new SourceProblem(ErrorType.BeyondLimit, fileProblemMessages.tooManyColumns(limit)),
  cellTooLong: (rowNumber: number, limit: number) =>
    new SourceProblem(ErrorType.BeyondLimit, fileProblemMessages.cellTooLong(rowNumber, limit)),
} as const
