import { templateNoteAuthor, templateSheets } from '@veridict/contract/messages/template-file'
import type { Dictionary } from '@veridict/contract/model/field'
import { commentsPart, notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import {
  contentTypes,
  noteRelationships,
  packageRelationships,
  type SheetPlan,
  workbookPart,
  workbookRelationships,
} from '#formats/spreadsheet/workbook-parts.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import type { Platform } from '#platform.ts'
import { checkTemplate } from '#dictionary-file/check-template.ts'
import { templateColumns } from '#dictionary-file/template/template-columns.ts'
import { dataSheet, headingNotes } from '#dictionary-file/template/template-data-sheet.ts'
import { guideSheet } from '#dictionary-file/template/template-guide-sheet.ts'
import { listRanges, listsSheet } from '#dictionary-file/template/template-lists-sheet.ts'
import { TemplateStyles } from '#dictionary-file/template/template-styles.ts'

/**
 * The blank workbook of a dictionary, for people to fill in and upload: sheet Data with the headings in
 * order, required ones in dark red, a note at each, drop-downs for lists, and cells that keep what is typed;
 * sheet Guide; and a hidden sheet Lists where there are any. The same dictionary gives the same bytes. Throws
 * RangeError where `checkTemplate` has something to say.
 */
export async function* writeTemplate(
  { name, fields }: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const refusal = checkTemplate(fields)
  if (refusal !== null) throw new RangeError(refusal)
  const part = (partName: string, pieces: Iterable<string>): ZipPart => ({
    name: partName,
    content: encodeXml(pieces, platform),
  })
  const columns = templateColumns(fields, platform)
  const styles = new TemplateStyles(columns)
  const notes = headingNotes(columns)
  const lists = listRanges(columns)
  const sheets: SheetPlan[] = [
    { name: templateSheets.data, notes: true },
    { name: templateSheets.guide, notes: false },
    ...(lists.length > 0 ? [{ name: templateSheets.lists, notes: false, hidden: true }] : []),
  ]
  yield* writeZip(
    [
      part('[Content_Types].xml', [contentTypes(sheets)]),
      part('_rels/.rels', [packageRelationships]),
      part('xl/workbook.xml', [workbookPart(sheets)]),
      part('xl/_rels/workbook.xml.rels', [workbookRelationships(sheets)]),
      part('xl/styles.xml', [styles.part()]),
      part('xl/worksheets/sheet1.xml', [dataSheet(columns, styles)]),
      part('xl/worksheets/_rels/sheet1.xml.rels', [noteRelationships(1)]),
      part('xl/comments1.xml', commentsPart(notes, templateNoteAuthor)),
      part('xl/drawings/vmlDrawing1.vml', notesDrawing(notes)),
      part('xl/worksheets/sheet2.xml', guideSheet(name, columns)),
      ...(lists.length > 0 ? [part('xl/worksheets/sheet3.xml', listsSheet(lists))] : []),
    ],
    platform,
  )
}
