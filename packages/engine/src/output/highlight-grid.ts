import { errorFileSheets } from '@veridict/contract/messages/error-files'
import { openText } from '#formats/csv/open-text.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import type { TableSource } from '#source/table-source.ts'
import { CsvGrid } from '#output/csv-grid.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import { commentsPart, notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import {
  contentTypes,
  noteRelationships,
  packageRelationships,
  type SheetPlan,
  stylesPart,
  workbookPart,
  workbookRelationships,
} from '#formats/spreadsheet/workbook-parts.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { encodeXml, xmlPart } from '#formats/xml/write-xml.ts'

/**
 * A CSV file as a workbook of text cells, so that leading zeros and dates stay as they were typed. Rows keep
 * their numbers, blank ones included; beyond Excel's bound they continue on further sheets. Such a workbook
 * cannot be uploaded again, which a note at its beginning says.
 */
export async function* highlightGrid(
  table: TableSource,
  marks: MarkedRows,
  request: ErrorFileRequest,
): AsyncGenerator<Uint8Array> {
  const { source, platform, limits } = request
  if (table.terminators.kind !== 'csv') throw new TypeError('Only a CSV file is written as a grid.')
  const grid = new CsvGrid({
    text: await (await openText(source, platform)).from(0),
    dialect: table.terminators,
    marks,
    width: table.header.length,
    headerRow: table.headerRowNumber,
    limits,
  })
  yield* writeZip(gridParts(grid, request), platform)
}

async function* gridParts(grid: CsvGrid, { platform }: ErrorFileRequest): AsyncGenerator<ZipPart> {
  const part = (name: string, text: string): ZipPart => ({ name, content: xmlPart(text, platform) })
  const sheets: SheetPlan[] = []
  yield part('_rels/.rels', packageRelationships)
  yield part('xl/styles.xml', stylesPart)
  do {
    const number = sheets.length + 1
    const { firstRow } = grid
    yield { name: `xl/worksheets/sheet${number}.xml`, content: grid.sheet() }
    const notes = grid.takeNotes()
    sheets.push({
      name: number === 1 ? errorFileSheets.data : continuedSheetName(firstRow),
      notes: notes.length > 0,
    })
    if (notes.length === 0) continue
    yield part(`xl/worksheets/_rels/sheet${number}.xml.rels`, noteRelationships(number))
    yield { name: `xl/comments${number}.xml`, content: encodeXml(commentsPart(notes), platform) }
    yield { name: `xl/drawings/vmlDrawing${number}.vml`, content: encodeXml(notesDrawing(notes), platform) }
  } while (!grid.isDone)
  yield part('xl/workbook.xml', workbookPart(sheets))
  yield part('xl/_rels/workbook.xml.rels', workbookRelationships(sheets))
  yield part('[Content_Types].xml', contentTypes(sheets))
}
