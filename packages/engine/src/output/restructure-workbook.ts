import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { readWorkbook } from '#formats/spreadsheet/read-workbook.ts'
import { applyEdits, type Edit, elementRemoval } from '#formats/xml/edit-xml.ts'
import { openTags } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { openArchive } from '#formats/zip/zip-archive.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import { type CopiedParts, findCopiedParts } from '#output/copied-parts.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { LeftOut } from '#output/left-out.ts'
import { restructureSheet } from '#output/restructure-sheet.ts'
import { RewrittenParts, writeCopy } from '#output/rewritten-parts.ts'
import type { TableView } from '#source/table-view.ts'

/**
 * A copy of a workbook whose data sheet has another structure. Its cells keep values and formats; notes,
 * tables and rules of the sheet, and names, are left out, because they refer to cells by their places.
 */
export async function* restructureWorkbook(
  view: TableView,
  leftOut: LeftOut,
  { source, platform, limits }: Pick<ErrorFileRequest, 'source' | 'platform' | 'limits'>,
): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(source, platform, limits)
  const book = await readWorkbook(archive)
  const copied = withoutLinks(await findCopiedParts(archive, book), book.sheet.part)
  leftOut.include(copied.leftOut)
  const parts = new RewrittenParts(archive, copied)
  const bookPart = (await parts.whole(book.part))!
  const tokens = new XmlTokens(platform, bookPart)
  const names: Edit[] = []
  for (const token of openTags(tokens))
    if (tokens.nameIs('definedNames')) names.push(elementRemoval(tokens, token))
  parts.add(book.part, () => applyEdits(bookPart, names, platform))
  parts.add(book.sheet.part, () => restructureSheet(streamPart(archive, book.sheet.entry), view, platform))
  yield* writeCopy(archive, parts)
}

/** The copied parts without those that only the data sheet has. */
function withoutLinks(copied: CopiedParts, sheetPart: string): CopiedParts {
  const parts = new Map(copied.parts)
  const sheet = parts.get(partKey(sheetPart))!
  parts.set(partKey(sheetPart), { ...sheet, links: [] })
  const linked = new Set(
    [...parts.values()].flatMap(({ links }) => links.map(({ target }) => partKey(target))),
  )
  for (const { target } of sheet.links) if (!linked.has(partKey(target))) parts.delete(partKey(target))
  return { ...copied, parts }
}
