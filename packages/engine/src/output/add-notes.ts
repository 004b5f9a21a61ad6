import { columnLetter } from '@veridict/contract/notation/column-letter'
import { clipText } from '#formats/spreadsheet/write-cells.ts'
import { commentsPart, commentTag, MAX_NOTE_TEXT, type Note } from '#formats/spreadsheet/write-notes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, type Edit } from '#formats/xml/edit-xml.ts'
import { encodeXml, escapeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed, firstNamed, type XmlElement } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { Chunks } from '#formats/zip/write-zip.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

/** Between the text of a note and ours. */
const SEPARATOR = '\n\n'

/**
 * The comments part of a sheet with our notes added. On a cell that has a note already, our text is appended
 * to it. `namespace` is that of the workbook's elements, for a new part.
 */
export function addNotes(
  bytes: Uint8Array | null,
  notes: readonly Note[],
  namespace: string,
  platform: Platform,
): Chunks {
  if (bytes === null) return encodeXml(commentsPart(notes, NOTE_AUTHOR, namespace), platform)
  const rest = new Map(notes.map((note) => [columnLetter(note.column) + (note.row + 1), note]))
  const merged = mergeNotes(bytes, rest, platform)
  const authors = readAuthors(bytes, platform)
  const known = authors.indexOf(NOTE_AUTHOR)
  const authorId = known < 0 ? authors.length : known
  const author = appendTo(
    bytes,
    'authors',
    (prefix) => (known < 0 ? `<${prefix}author>${NOTE_AUTHOR}</${prefix}author>` : ''),
    platform,
  )
  const added = appendTo(
    bytes,
    'commentList',
    (prefix) => [...rest.values()].map((note) => commentTag(note, authorId, prefix)).join(''),
    platform,
  )
  if (author === null || added === null)
    throw workbookProblems.damaged('the notes of its sheet are malformed')
  return applyEdits(bytes, [...merged, author, added], platform)
}

/**
 * Appends our text to existing notes and removes those notes from `rest`. A text without runs is continued
 * without runs, because no program writes both.
 */
function mergeNotes(bytes: Uint8Array, rest: Map<string, Note>, platform: Platform): Edit[] {
  const edits: Edit[] = []
  for (const { tag, content } of elementsNamed(new XmlTokens(platform, bytes), 'comment')) {
    const reference = tag.attribute('ref') ?? ''
    const note = rest.get(reference)
    rest.delete(reference)
    const text = note === undefined ? null : firstNamed(content, 'text')
    if (note === undefined || text === null) continue
    edits.push(textEdit(text, SEPARATOR + note.text))
  }
  return edits
}

/** Appends to the text of a note: to its last element, or as a run in front of what must follow the runs. */
function textEdit(text: XmlElement, added: string): Edit {
  let last: XmlElement | null = null
  let place = text.contentEnd
  for (const element of elementsNamed(text.content)) {
    if (element.tag.nameIs('rPh') || element.tag.nameIs('phoneticPr')) {
      place = element.start
      break
    }
    last = element.tag.nameIs('t') && !element.isEmpty ? element : null
  }
  const escaped = escapeXml(clipText(added, Math.max(0, MAX_NOTE_TEXT - text.text.length)))
  if (last !== null) return { start: last.contentEnd, end: last.contentEnd, text: escaped }
  const p = text.tag.prefix()
  const run = `<${p}r><${p}t xml:space="preserve">${escaped}</${p}t></${p}r>`
  if (text.isEmpty) return { start: text.end - 2, end: text.end, text: `>${run}</${p}text>` }
  return { start: place, end: place, text: run }
}

function readAuthors(bytes: Uint8Array, platform: Platform): string[] {
  const list = firstNamed(new XmlTokens(platform, bytes), 'authors')
  return list === null ? [] : [...elementsNamed(list.content, 'author')].map(({ text }) => text.trim())
}
