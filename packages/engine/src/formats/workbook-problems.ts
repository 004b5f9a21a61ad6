import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import { FileProblemError } from '#formats/file-problem-error.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/** File problems of a workbook. `what` of `damaged` is a clause: "the part x is cut off". */
export const workbookProblems = {
  damaged: (what: string) =>
    new FileProblemError(ErrorType.Unreadable, fileProblemMessages.damagedWorkbook(what)),
  /** A tag is not closed, or is in the wrong place: what follows would be read as something else. */
  malformed: () => workbookProblems.damaged('its XML is malformed'),
  encrypted: () => new FileProblemError(ErrorType.Unreadable, fileProblemMessages.encrypted),
  doctype: () => new FileProblemError(ErrorType.Unreadable, fileProblemMessages.doctype),
  notAWorkbook: (really: string) =>
    new FileProblemError(ErrorType.Unreadable, fileProblemMessages.notAWorkbook(really)),
  noVisibleSheet: () => new FileProblemError(ErrorType.Unreadable, fileProblemMessages.noVisibleSheet),
  tooManyParts: (limit: number) =>
    new FileProblemError(ErrorType.BeyondLimit, fileProblemMessages.tooManyParts(limit)),
  tooLargeUnpacked: (bytes: number) =>
    new FileProblemError(
      ErrorType.BeyondLimit,
      fileProblemMessages.tooLargeUnpacked(Math.floor(bytes / BYTES_PER_MEGABYTE)),
    ),
  tooManyRows: (limit: number) =>
    new FileProblemError(ErrorType.BeyondLimit, fileProblemMessages.tooManyRows(limit)),
  rowsOnOtherSheet: (sheet: string) =>
    new FileProblemError(ErrorType.BeyondLimit, fileProblemMessages.rowsOnOtherSheet(sheet)),
  tooManyColumns: (limit: number) =>
    new FileProblemError(ErrorType.BeyondLimit, fileProblemMessages.tooManyColumns(limit)),
  cellTooLong: (rowNumber: number, limit: number) =>
    new FileProblemError(ErrorType.BeyondLimit, fileProblemMessages.cellTooLong(rowNumber, limit)),
} as const
