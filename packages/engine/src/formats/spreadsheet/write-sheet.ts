import { columnLetter } from '@veridict/contract/notation/column-letter'
import {
  MAIN_NAMESPACE,
  NOTES_DRAWING_ID,
  RELATIONSHIPS_NAMESPACE,
} from '#formats/spreadsheet/workbook-parts.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { encodeXml, XML_HEADER } from '#formats/xml/write-xml.ts'
import type { Platform } from '#platform.ts'

/** A sheet to write. Its first row is frozen, unless it is a reading page. */
export type NewSheet = {
  readonly name: string
  /** In a stream of sheets, its place in the workbook, from 1. Default: in the order of writing. */
  readonly position?: number
  readonly isHidden?: boolean
  /** Whether the workbook opens on this sheet, and not on its first one. */
  readonly opensFirst?: boolean
  /** For reading rather than for data: no grid, nothing frozen, printed one page wide. */
  readonly isReadingPage?: boolean
  readonly columns: readonly SheetColumn[]
  readonly hasFilter?: boolean
  /** `<conditionalFormatting>` elements. Called after `rows` is used up. */
  conditionalFormats?(): readonly string[]
  /** `<dataValidation>` elements. */
  readonly validations?: readonly string[]
  /** `<row>` elements, as text or as UTF-8. */
  readonly rows: Iterable<string> | AsyncIterable<string | Uint8Array>
  /** How many rows the sheet has. Called after `rows` is used up. */
  rowCount(): number
  readonly notes?: SheetNotes
}

/** `width` in characters; `style` is that of its empty cells. */
export type SheetColumn = { readonly width: number; readonly style: number }

/** In a stream of sheets, `list` is called after the sheet's rows are used up. */
export type SheetNotes = { readonly author: string; list(): readonly Note[] }

/** The namespaces of a workbook, strict or transitional. */
export type SheetNamespaces = { readonly main: string; readonly relationships: string }

const TRANSITIONAL: SheetNamespaces = { main: MAIN_NAMESPACE, relationships: RELATIONSHIPS_NAMESPACE }

export const sheetPart = (
  sheet: NewSheet,
  platform: Platform,
  namespaces: SheetNamespaces = TRANSITIONAL,
): AsyncGenerator<Uint8Array> =>
  encodeXml(sheet.rows, platform, sheetStart(sheet, namespaces), () => sheetEnd(sheet))

function sheetStart({ columns, isReadingPage }: NewSheet, { main, relationships }: SheetNamespaces): string {
  const tags = columns.map(({ width, style }, index) => {
    const number = index + 1
    return `<col min="${number}" max="${number}" width="${width}" style="${style}" customWidth="1"/>`
  })
  return (
    `${XML_HEADER}<worksheet xmlns="${main}" xmlns:r="${relationships}">` +
    (isReadingPage ? READING_VIEW : FROZEN_VIEW) +
    '<sheetFormatPr defaultRowHeight="15"/>' +
    `${tags.length > 0 ? `<cols>${tags.join('')}</cols>` : ''}<sheetData>`
  )
}

const FROZEN_VIEW =
  '<sheetViews><sheetView workbookViewId="0">' +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft"/></sheetView></sheetViews>'

const READING_VIEW =
  '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
  '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>'

/** What follows the rows. The order of elements is fixed (CT_Worksheet, ECMA-376 part 1, 18.3.1.99). */
function sheetEnd(sheet: NewSheet): string {
  const area = cellRange(sheet.columns.length, sheet.rowCount())
  const validations = sheet.validations ?? []
  return (
    '</sheetData>' +
    (sheet.hasFilter ? `<autoFilter ref="${area}"/>` : '') +
    (sheet.conditionalFormats?.() ?? []).join('') +
    (validations.length === 0
      ? ''
      : `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`) +
    (sheet.isReadingPage ? '<pageSetup orientation="landscape" fitToHeight="0"/>' : '') +
    // Without it Excel puts a green triangle on every number that is kept as text.
    `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>` +
    `${hasNotes(sheet) ? `<legacyDrawing r:id="${NOTES_DRAWING_ID}"/>` : ''}</worksheet>`
  )
}

export const hasNotes = ({ notes }: NewSheet): boolean => notes !== undefined && notes.list().length > 0

/** The range of so many columns and rows from A1 on, at least one of each. */
const cellRange = (columns: number, rows: number) =>
  `A1:${columnLetter(Math.max(1, columns) - 1)}${Math.max(1, rows)}`
