import type { Platform } from '#platform.ts'
import { workbookProblems } from '#source/xlsx/workbook-problems.ts'
import { XmlToken, XmlTokens, xmlName } from '#source/xlsx/xml-tokens.ts'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { appendTo, applyEdits, type Edit } from '#output/edit-xml.ts'
import { commentsPart, commentTag, MAX_NOTE_TEXT, type Note, NOTE_AUTHOR, signedText } from '#output/notes.ts'
import { clipText, encodeXml, escapeXml } from '#output/xml-output.ts'

const AUTHORS = xmlName('authors')
const AUTHOR = xmlName('author')
const COMMENT_LIST = xmlName('commentList')
const COMMENT = xmlName('comment')
const TEXT = xmlName('text')
const REF = xmlName('ref')

/**
 * The notes of a sheet with ours: what a cell already says stays, and ours stands below it. `namespace` is that of the
 * workbook's elements, for a part that is new.
 */
export async function* addNotes(
  bytes: Uint8Array | null,
  notes: readonly Note[],
  namespace: string,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  if (bytes === null) return yield* encodeXml(commentsPart(notes, NOTE_AUTHOR, namespace), platform)
  const rest = new Map(notes.map((note) => [columnLetter(note.column) + (note.row + 1), note]))
  const merged = mergedNotes(bytes, rest, platform)
  const authors = readAuthors(bytes, platform)
  const known = authors.indexOf(NOTE_AUTHOR)
  const authorId = known < 0 ? authors.length : known
  const author = appendTo(bytes, AUTHORS, (prefix) => (known < 0 ? `<${prefix}author>${NOTE_AUTHOR}</${prefix}author>` : ''), platform)
  const added = appendTo(
    bytes,
    COMMENT_LIST,
    (prefix) => [...rest.values()].map((note) => commentTag(note, authorId, prefix)).join(''),
    platform,
  )
  if (author === null || added === null) throw workbookProblems.damaged('the notes of its sheet are malformed')
  yield* applyEdits(bytes, [...merged, author, added], platform)
}

/** Adds our text to notes that are there, and takes it out of `rest`. */
function mergedNotes(bytes: Uint8Array, rest: Map<string, Note>, platform: Platform): Edit[] {
  const tokens = new XmlTokens(platform, bytes)
  const edits: Edit[] = []
  let note: Note | undefined
  let length = 0
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData) {
      if (note !== undefined) length += tokens.textValue(token).length
      continue
    }
    if (token === XmlToken.Open && tokens.nameIs(COMMENT)) {
      length = 0
      const reference = tokens.attribute(REF) ?? ''
      note = rest.get(reference)
      rest.delete(reference)
    } else if (token === XmlToken.Close && tokens.nameIs(TEXT) && note !== undefined) {
      const p = tokens.prefix()
      const says = clipText(`\n\n${signedText(note.text)}`, Math.max(0, MAX_NOTE_TEXT - length))
      const text = `<${p}r><${p}t xml:space="preserve">${escapeXml(says)}</${p}t></${p}r>`
      edits.push({ start: tokens.start, end: tokens.start, text })
      note = undefined
    }
  }
  return edits
}

function readAuthors(bytes: Uint8Array, platform: Platform): string[] {
  const tokens = new XmlTokens(platform, bytes)
  const authors: string[] = []
  let text = ''
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData) text += tokens.textValue(token)
    else if (tokens.nameIs(COMMENT_LIST)) break
    else {
      if (token !== XmlToken.Open && tokens.nameIs(AUTHOR)) authors.push(text.trim())
      text = ''
    }
  }
  return authors
}
