import { columnLetter } from '@veridict/contract/notation/column-letter'
import { clipText } from '#formats/spreadsheet/write-cells.ts'
import { commentsPart, commentTag, MAX_NOTE_TEXT, type Note } from '#formats/spreadsheet/write-notes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, type Edit } from '#formats/xml/edit-xml.ts'
import { encodeXml, escapeXml } from '#formats/xml/write-xml.ts'
import { XmlToken, XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

const AUTHORS = xmlName('authors')
const AUTHOR = xmlName('author')
const COMMENT_LIST = xmlName('commentList')
const COMMENT = xmlName('comment')
const TEXT = xmlName('text')
const REF = xmlName('ref')

const RUN = xmlName('r')
const PLAIN_TEXT = xmlName('t')
/** Elements that follow the runs of a text (CT_Rst, ECMA-376 part 1, A.2). */
const PHONETIC = xmlName('rPh')
const PHONETIC_SETTINGS = xmlName('phoneticPr')

/** Between the text of a note and ours. */
const SEPARATOR = '\n\n'
/** What Excel writes, in English, between the texts of a thread that it repeats in a note. */
const REPLY_SEPARATOR = '\nReply:\n    '

/** The cells that have a thread. */
type ThreadedCells = { has(cell: string): boolean }

/**
 * The comments part of a sheet with our notes added. On a cell that has a note already, our text is appended
 * to it; on a cell with a thread, as a reply. `namespace` is that of the workbook's elements, for a new part.
 */
export async function* addNotes(
  bytes: Uint8Array | null,
  notes: readonly Note[],
  { namespace, threaded }: { namespace: string; threaded: ThreadedCells },
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  if (bytes === null) return yield* encodeXml(commentsPart(notes, NOTE_AUTHOR, namespace), platform)
  const rest = new Map(notes.map((note) => [columnLetter(note.column) + (note.row + 1), note]))
  const merged = mergeNotes(bytes, rest, threaded, platform)
  const authors = readAuthors(bytes, platform)
  const known = authors.indexOf(NOTE_AUTHOR)
  const authorId = known < 0 ? authors.length : known
  const author = appendTo(
    bytes,
    AUTHORS,
    (prefix) => (known < 0 ? `<${prefix}author>${NOTE_AUTHOR}</${prefix}author>` : ''),
    platform,
  )
  const added = appendTo(
    bytes,
    COMMENT_LIST,
    (prefix) => [...rest.values()].map((note) => commentTag(note, authorId, prefix)).join(''),
    platform,
  )
  if (author === null || added === null)
    throw workbookProblems.damaged('the notes of its sheet are malformed')
  yield* applyEdits(bytes, [...merged, author, added], platform)
}

/**
 * Appends our text to existing notes and removes those notes from `rest`. A text without runs is continued
 * without runs, because no program writes both.
 */
function mergeNotes(
  bytes: Uint8Array,
  rest: Map<string, Note>,
  threaded: ThreadedCells,
  platform: Platform,
): Edit[] {
  const tokens = new XmlTokens(platform, bytes)
  const edits: Edit[] = []
  let note: Note | undefined
  let separator = ''
  let length = 0
  let isInPart = false
  /** The end of a text without runs. */
  let plainEnd: number | null = null
  let runsEnd: number | null = null
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData) {
      if (note !== undefined) length += tokens.textValue(token).length
    } else if (token === XmlToken.Open && tokens.nameIs(COMMENT)) {
      length = 0
      plainEnd = runsEnd = null
      const reference = tokens.attribute(REF) ?? ''
      note = rest.get(reference)
      rest.delete(reference)
      separator = threaded.has(reference) ? REPLY_SEPARATOR : SEPARATOR
    } else if (tokens.nameIs(RUN)) {
      isInPart = token === XmlToken.Open
      plainEnd = null
    } else if (tokens.nameIs(PHONETIC) || tokens.nameIs(PHONETIC_SETTINGS)) {
      isInPart = token === XmlToken.Open
      runsEnd ??= tokens.start
    } else if (token === XmlToken.Close && tokens.nameIs(PLAIN_TEXT)) {
      if (!isInPart) plainEnd = tokens.start
    } else if (token === XmlToken.Close && tokens.nameIs(TEXT) && note !== undefined) {
      const p = tokens.prefix()
      const added = escapeXml(clipText(separator + note.text, Math.max(0, MAX_NOTE_TEXT - length)))
      const start = plainEnd ?? runsEnd ?? tokens.start
      edits.push({
        start,
        end: start,
        text: plainEnd === null ? `<${p}r><${p}t xml:space="preserve">${added}</${p}t></${p}r>` : added,
      })
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
