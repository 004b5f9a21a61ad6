import { worksheetBounds } from '#limits.ts'
import { counted, firstNames, writeCount } from '#notation/count.ts'
import { noticeMessages } from './notices.ts'

/** Most names in a sentence: a hostile file may have any number. */
const MAX_NAMED = 20

export const listed = (names: readonly string[]): string => firstNames(names, MAX_NAMED)

/** About a file as a whole: what is wrong, where, and the cure. See docs/BEHAVIOUR.md#error-types. */
export const fileProblemMessages = {
  // 1 and 2: columns. One sentence per difference, joined with a space.
  columnsLead: 'The columns of the file do not match the data dictionary.',
  columnMissing: (position: string, expected: string) =>
    `Column "${expected}" is missing (expected at ${position}).`,
  columnUnexpected: (position: string, found: string, nearest: string | null) =>
    nearest === null
      ? `Column ${position} "${found}" is not in the data dictionary.`
      : `Column ${position} "${found}" is not in the data dictionary; did you mean "${nearest}"?`,
  columnBlank: (position: string) => `Column ${position} has no name.`,
  columnDuplicate: (found: string, positions: readonly string[]) =>
    `Column "${found}" appears more than once (${listed(positions)}).`,
  headerBelow: (rowNumber: number, isExact: boolean) =>
    isExact
      ? `Row ${rowNumber} has the right column names: delete the rows above it.`
      : `Row ${rowNumber} seems to be the heading row: delete the rows above it.`,
  headingMissing: (names: readonly string[]) =>
    'The first row looks like data: the heading row may be missing. Insert a row above it with the ' +
    `column names: ${listed(names)}.`,
  otherDictionary: (known: number, count: number) =>
    'The file seems to be made for another data dictionary: ' +
    `${known === 0 ? 'none' : `only ${known}`} of its ${writeCount(count)} columns ` +
    `${known > 1 ? 'are' : 'is'} in this one.`,
  otherNames: (names: readonly string[]) =>
    'The values fit the data dictionary, but the columns have other names, perhaps in another language. ' +
    `If they are in the right order, replace the first row by: ${listed(names)}.`,
  looksLike: (names: readonly string[]) =>
    `This looks like ${names.map((name) => `"${name}"`).join(' or ')}: choose that data dictionary ` +
    'when you upload the file.',
  moreColumns: (shown: number, count: number) =>
    `${writeCount(count)} columns differ; the first ${shown} are listed.`,
  moreDifferences: (count: number) => `${counted(count, 'more difference')}.`,
  orderLead: (position: string, found: string, expected: string) =>
    `The columns are in another order than in the data dictionary: column ${position} is ` +
    `"${found}", expected "${expected}".`,
  orderExpected: (names: readonly string[]) => `The expected order is: ${names.join(', ')}.`,
  otherSheets: (sheet: string, others: readonly string[]) =>
    `Only the first visible sheet, "${sheet}", was read; ` +
    `the workbook also has ${listed(others.map((name) => `"${name}"`))}.`,
  fittingSheets: (names: readonly string[]) =>
    `The ${names.length === 1 ? 'sheet' : 'sheets'} ${listed(names.map((name) => `"${name}"`))} ` +
    `${names.length === 1 ? 'has' : 'have'} the right columns. Move the one with your data to the first ` +
    'place, and upload the file again.',
  delimiterHint: (found: string) => `The header was read with ${found} between the columns.`,

  // 3: cannot be read.
  notUtf8: (line: number) =>
    `The file is not in UTF-8: line ${line} has letters that cannot be read. Save it as "CSV ` +
    'UTF-8 (Comma delimited)" and upload it again.',
  brokenUtf16: (line: number) =>
    `The file is in UTF-16, but line ${line} is damaged or cut off. Export it again, best as "CSV UTF-8".`,
  utf16WithoutBom:
    'The file is in UTF-16, but does not begin with the mark for that. Save it as "CSV UTF-8 (Comma ' +
    'delimited)" and upload it again.',
  lostCharacter: (line: number) =>
    `Line ${line} holds the character \uFFFD, which programs put where they could not read a ` +
    'letter: text was lost before the file was saved. Export it again as "CSV UTF-8" from where ' +
    'it came from.',
  unclosedQuote: (line: number) =>
    `A quote opened in line ${line} is never closed, so the end of its cell is unknown. ` +
    'Close the quote, or double it if it belongs to the text.',
  openQuote: (opened: number, closed: number) =>
    `A quote opened in line ${opened} is closed by the quote in line ${closed}, which text follows: one of ` +
    `them is missing or too many. Close the quote in line ${opened}, or double it if it belongs to the text.`,
  nulByte: (line: number) =>
    `Line ${line} holds a NUL character: this is not a text file, or it is damaged. Save it ` +
    'again as "CSV UTF-8 (Comma delimited)".',
  textAfterQuote: (line: number) =>
    `In line ${line}, text follows a closing quote. Double the quotes that belong to the text, ` +
    'or enclose the whole cell.',
  notACsv: (really: string) =>
    `The file is named .csv, but it is ${really}. Save it as "CSV UTF-8 (Comma delimited)", or ` +
    'give it the ending that it needs.',
  notAWorkbook: (really: string) =>
    `The file is named .xlsx, but it is ${really}. Save it as an Excel workbook (.xlsx) and upload it again.`,
  notATable: (really: string) =>
    `The file is ${really}, not a table. Save the data as "CSV UTF-8 (Comma delimited)" or as an ` +
    'Excel workbook (.xlsx).',
  encrypted:
    'The workbook is protected by a password. Remove the password (File › Info › Protect ' +
    'Workbook) and upload it again.',
  oldExcel:
    'The file is an Excel 97–2003 workbook (.xls). Save it as an Excel workbook (.xlsx) and upload it again.',
  damagedWorkbook: (what: string) =>
    `The workbook is damaged: ${what}. Open it in Excel, save it again and upload the new file.`,
  noVisibleSheet:
    'The workbook has no visible sheet with cells. Show the sheet that holds the data and upload ' +
    'the file again.',
  doctype:
    'The workbook holds a document type declaration, which no spreadsheet program writes; for ' +
    'safety it is not read.',

  // 4: no data rows.
  noRows: 'The file has no data rows: below the header there is nothing.',
  emptyFile: 'The file is empty: it has neither a header nor rows.',

  // 5: beyond a limit.
  tooLargeUnpacked: (megabytes: number) =>
    `The workbook unpacks to more than ${megabytes} MB, which is more than the portal reads. ` +
    'Split it into smaller files.',
  tooManyParts: (limit: number) =>
    `The workbook consists of more than ${writeCount(limit)} parts, which is more than the portal reads.`,
  tooManyRows: (limit: number) =>
    `The sheet has more than ${writeCount(limit)} rows. Split the file into smaller ones.`,
  rowsOnOtherSheet: (sheet: string) =>
    `The rows continue on the sheet "${sheet}", since one sheet cannot hold them all, and only ` +
    'one sheet of a workbook is read. Correct the CSV file that this workbook was made from, and ' +
    'upload that one.',
  tooManyColumns: (limit: number) =>
    limit < worksheetBounds.maxColumns
      ? `The file has more than ${writeCount(limit)} columns.`
      : `The file has more than ${writeCount(limit)} columns, which is more than a spreadsheet has.`,
  cellTooLong: (rowNumber: number, limit: number) =>
    `A cell in row ${rowNumber} holds more than ${writeCount(limit)} characters, which ` +
    'is more than a spreadsheet cell can hold.',
  quoteMayBeOpen: 'A quote that is never closed is a frequent cause.',
  tooSlow: (seconds: number) =>
    `Checking the file took more than ${seconds} seconds and was stopped. Split it into smaller files.`,

  // 6 and 7.
  emptyDictionary:
    'The data dictionary has no fields yet, so no file can match it. Please contact the administrator.',
  processingFailed: (reference: string) =>
    `${noticeMessages.unexpected} Please quote ${reference} to the administrator.`,
} as const

const andMove = (position: string | null) => (position === null ? '' : ` and move it to ${position}`)

/** Where too few columns are known, the file is probably another one: the note only says what is wrong. */
export const columnNotes = {
  /** `position`: where the column must be moved as well; null if it may stay. */
  rename: (expected: string, position: string | null) =>
    `Rename this column to "${expected}"${andMove(position)}.`,
  renameIfMeant: (expected: string, position: string | null) =>
    `Its values fit "${expected}": if it is that column, rename it${andMove(position)}.`,
  nameIfMeant: (expected: string, position: string | null) =>
    `This column has no name. If it is "${expected}", type that name${andMove(position)}.`,
  move: (position: string) => `Move this column to ${position}.`,
  rightOnceMoved: 'Right once the other columns are moved.',
  missing: 'This column is missing.',
  insert: (position: string) => `This column is missing: insert it at ${position}.`,
  unexpected: 'The data dictionary has no such column.',
  delete: 'The data dictionary has no such column: delete it if nobody needs its values.',
  otherHere: (expected: string) =>
    `The data dictionary has no such column. If it is "${expected}", rename it.`,
  blank: 'This column has no name: delete it, or type the name that it should have.',
  duplicate: (first: string) => `The same name as column ${first}: keep one of them.`,
  value: (expected: string) => `This looks like a value: type "${expected}" above it.`,
  noValue: (expected: string) => `Type "${expected}" above this column.`,
  headerBelow: (rowNumber: number) => `Row ${rowNumber} has the right name.`,
} as const
