import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { Sheets } from '#source/table-source.ts'

/** The sheet of a workbook that is read has no cells. Others may have some. */
export class EmptySheetError extends FileProblemError {
  readonly sheets: Sheets

  constructor(sheets: Sheets) {
    super(ErrorType.NoRows, fileProblemMessages.emptyFile)
    this.sheets = sheets
  }
}
