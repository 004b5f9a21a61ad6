import { ErrorType } from '@veridict/contract/model/verdict'
import { GREATER_THAN, SPACE } from '#formats/byte-names.ts'
import { ascii, beginsAt, indexOfBytes, joined } from '#formats/bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'

const COMMENT = { start: ascii('<!--'), end: ascii('-->') }
const INSTRUCTION = { start: ascii('<?'), end: ascii('?>') }
const DOCTYPE = ascii('<!DOCTYPE')
const BYTE_ORDER_MARK = ascii('\u00ef\u00bb\u00bf')

/**
 * Refuses a document type declaration in a part that is not read otherwise: the file goes on to programs that
 * read it. The declaration precedes the first element (XML 1.0, 2.8), so only the beginning is unpacked. What
 * cannot be unpacked is harmless. `isRead` parts are read whole, and `XmlTokens` refuses the declaration.
 */
export async function refuseDoctypes(
  archive: ZipArchive,
  isRead: (entry: ZipEntry) => boolean,
): Promise<void> {
  // Counted apart: the beginnings of many parts must not use up the limit of the parts that are read.
  const beginnings = { ...archive, unpacked: new Map() }
  for (const entry of archive.directory.entries) {
    if (entry.compressedSize > 0 && !isRead(entry) && (await hasDoctype(streamPart(beginnings, entry))))
      throw workbookProblems.doctype()
  }
}

async function hasDoctype(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let rest: Uint8Array = new Uint8Array(0)
  try {
    for await (const chunk of chunks) {
      const found = readProlog(joined([rest, chunk]))
      if (typeof found === 'boolean') return found
      rest = found
    }
  } catch (error) {
    const isDamaged = error instanceof FileProblemError && error.problem.errorType === ErrorType.Unreadable
    if (!isDamaged) throw error
  }
  return false
}

/** Whether a document type follows white space, comments and instructions; or the bytes to read on with. */
function readProlog(bytes: Uint8Array): boolean | Uint8Array {
  let at = beginsAt(bytes, 0, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  for (;;) {
    while (at < bytes.length && bytes[at] <= SPACE) at++
    if (bytes.length - at < DOCTYPE.length && !bytes.includes(GREATER_THAN, at)) return bytes.subarray(at)
    if (beginsAt(bytes, at, DOCTYPE)) return true
    const skipped = [COMMENT, INSTRUCTION].find(({ start }) => beginsAt(bytes, at, start))
    if (skipped === undefined) return false
    const from = at + skipped.start.length
    const end = indexOfBytes(bytes, skipped.end, from)
    // What was read of it is dropped, except for what may begin its end.
    if (end < 0) return joined([skipped.start, bytes.subarray(Math.max(from, bytes.length - 2))])
    at = end + skipped.end.length
  }
}
