import { type StyleSheet, styleSheetPart } from '#formats/spreadsheet/style-sheet.ts'
import {
  contentTypes,
  noteRelationships,
  packageRelationships,
  type SheetEntry,
  workbookPart,
  workbookRelationships,
} from '#formats/spreadsheet/workbook-parts.ts'
import { commentsPart, notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { hasNotes, type NewSheet, sheetPart } from '#formats/spreadsheet/write-sheet.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import type { Platform } from '#platform.ts'

export type NewWorkbook = {
  /** A stream takes the next sheet when the one before is written, so that rows never pile up in memory. */
  readonly sheets: readonly NewSheet[] | AsyncIterable<NewSheet>
  readonly styles: StyleSheet
}

/** Writes a workbook as a stream of bytes. The same workbook gives the same bytes. */
export function writeWorkbook(workbook: NewWorkbook, platform: Platform): AsyncGenerator<Uint8Array> {
  return writeZip(workbookParts(workbook, platform), platform)
}

async function* workbookParts({ sheets, styles }: NewWorkbook, platform: Platform): AsyncGenerator<ZipPart> {
  const part = (name: string, text: string): ZipPart => ({ name, content: encodeXml([text], platform) })
  const stylesPart = part('xl/styles.xml', styleSheetPart(styles))
  if (!(Symbol.asyncIterator in sheets)) {
    const entries = sheets.map(entryOf)
    yield part('[Content_Types].xml', contentTypes(entries))
    yield part('_rels/.rels', packageRelationships)
    yield part('xl/workbook.xml', workbookPart(entries))
    yield part('xl/_rels/workbook.xml.rels', workbookRelationships(entries))
    yield stylesPart
    for (const [index, sheet] of sheets.entries()) yield* sheetParts(sheet, index + 1, platform)
    return
  }
  // How many sheets there are, and which have notes, is known only after the last one.
  const entries: SheetEntry[] = []
  let count = 0
  yield part('_rels/.rels', packageRelationships)
  yield stylesPart
  for await (const sheet of sheets) {
    const position = sheet.position ?? ++count
    yield* sheetParts(sheet, position, platform)
    entries[position - 1] = entryOf(sheet)
  }
  yield part('xl/workbook.xml', workbookPart(entries))
  yield part('xl/_rels/workbook.xml.rels', workbookRelationships(entries))
  yield part('[Content_Types].xml', contentTypes(entries))
}

const entryOf = (sheet: NewSheet): SheetEntry => ({
  name: sheet.name,
  hasNotes: hasNotes(sheet),
  isHidden: sheet.isHidden ?? false,
  opensFirst: sheet.opensFirst ?? false,
})

async function* sheetParts(sheet: NewSheet, position: number, platform: Platform): AsyncGenerator<ZipPart> {
  const part = (name: string, pieces: Iterable<string>): ZipPart => ({
    name,
    content: encodeXml(pieces, platform),
  })
  yield { name: `xl/worksheets/sheet${position}.xml`, content: sheetPart(sheet, platform) }
  if (!hasNotes(sheet)) return
  const { author, list } = sheet.notes!
  yield part(`xl/worksheets/_rels/sheet${position}.xml.rels`, [noteRelationships(position)])
  yield part(`xl/comments${position}.xml`, commentsPart(list(), author))
  yield part(`xl/drawings/vmlDrawing${position}.vml`, notesDrawing(list()))
}
