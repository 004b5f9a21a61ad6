import { isBlank } from '#formats/bytes.ts'
import { readPart } from '#formats/spreadsheet/read-part.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'

/** Larger than any real part that describes the others (relationships, workbook, styles), in bytes. */
const MAX_SMALL_PART = 64 * 1024 * 1024
/** No real part nests its elements deeper. */
const MAX_DEPTH = 1000

/**
 * Opens a part that describes others: relationships, workbook or styles. Throws `FileProblemError` if it is
 * damaged: with a cut list of formats, days would be read as numbers.
 */
export async function openSmallPart(archive: ZipArchive, entry: ZipEntry): Promise<XmlTokens> {
  const bytes = await readPart(archive, entry, MAX_SMALL_PART)
  if (!isOneElement(new XmlTokens(archive.platform, bytes)))
    throw workbookProblems.damaged(`the part ${entry.name} is not whole`)
  return new XmlTokens(archive.platform, bytes)
}

/** Whether the part is one element, each tag closed by its own, with nothing but white space around it. */
function isOneElement(tokens: XmlTokens): boolean {
  /** Where the names of the open elements begin and end. */
  const open: [start: number, end: number][] = []
  let isRootSeen = false
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Open || token === XmlToken.Empty) {
      if (isRootSeen && open.length === 0) return false
      isRootSeen = true
      if (
        token === XmlToken.Open &&
        open.push([tokens.nameStartPosition, tokens.nameEndPosition]) > MAX_DEPTH
      )
        return false
    } else if (token === XmlToken.Close) {
      const opened = open.pop()
      if (opened === undefined || !tokens.nameIsAt(...opened)) return false
    } else if (open.length === 0 && !isBlank(tokens.bytes, tokens.start, tokens.position)) return false
  }
  return isRootSeen && open.length === 0 && isBlank(tokens.bytes, tokens.position, tokens.end)
}
