import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { readRichText } from '#formats/spreadsheet/read-rich-text.ts'
import { CONTENT_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { clipText, MAX_CELL_TEXT } from '#formats/spreadsheet/write-cells.ts'
import { commentsPart, type Note, notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed, firstNamed } from '#formats/xml/xml-elements.ts'
import { resolveCharacterEscapes } from '#formats/xml/xml-text.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { readNoteBoxes } from '#output/note-boxes.ts'
import type { WorkbookCopy } from '#output/workbook-copy.ts'

/** Copies write notes anew from authors, texts, places and colors: no formats, buttons, pictures or links. */

export const NOTE_AUTHOR = 'Veridict'
const SIGNATURE = `${NOTE_AUTHOR}:`

/** LibreOffice drops the author of a note when it saves: `withoutOurs` also knows ours by this signature. */
export const signedText = (text: string): string => clipText(`${SIGNATURE}\n${text}`, MAX_CELL_TEXT)

/** The key of a cell, counted from 0. */
export const cellKey = ({ row, column }: Pick<Note, 'row' | 'column'>): string => `${row} ${column}`

export async function readNotes(copy: WorkbookCopy): Promise<Note[]> {
  const { platform, plan } = copy
  const [bytes, drawing] = [await copy.whole(plan.commentsPart), await copy.whole(plan.drawingPart)]
  if (bytes === null) return []
  const boxes = new Map(
    drawing === null ? [] : readNoteBoxes(drawing, platform).map((box) => [cellKey(box), box]),
  )
  const authors: string[] = []
  const notes: Note[] = []
  for (const element of elementsNamed(new XmlTokens(platform, bytes), 'author', 'comment')) {
    const { tag } = element
    const reference = tag.attribute('ref') ?? ''
    if (tag.nameIs('author')) authors.push(element.text)
    else if (REFERENCE.test(reference)) {
      const { row, column } = parseCellReference(reference)
      const place = { row: row - 1, column }
      const author = authors[Number(tag.attribute('authorId'))] ?? ''
      const runs = firstNamed(element.content, 'text')?.content
      const written = resolveCharacterEscapes((runs && readRichText(runs, 'text')) ?? '')
      notes.push({ ...boxes.get(cellKey(place)), ...place, author, text: written })
    }
  }
  return notes
}

/** No program shows a note without a cell. */
const REFERENCE = /^[A-Z]{1,3}[1-9]\d{0,6}$/i

/** Plans the parts of the notes, which are made when the data sheet is written. */
export function writeNotes(copy: WorkbookCopy, notes: () => readonly Note[]): void {
  const { platform, plan } = copy
  const comments = () => encodeXml(commentsPart(notes(), NOTE_AUTHOR, plan.mainNamespace), platform)
  const drawing = () => encodeXml(notesDrawing(notes()), platform)
  copy.add(plan.commentsPart, comments, CONTENT_TYPES.comments)
  copy.add(plan.drawingPart, drawing, CONTENT_TYPES.notesDrawing)
}

/** A note without what an earlier Highlighted file wrote in it; null if nothing is left. */
export function withoutOurs(note: Note): Note | null {
  const start = note.author?.trim() === NOTE_AUTHOR ? 0 : ourStart(note.text)
  if (start < 0) return note
  return start === 0 ? null : { ...note, text: note.text.slice(0, start) }
}

/** Where our text begins in the text of a note; -1 if there is none. */
function ourStart(text: string): number {
  for (let at = text.indexOf(SIGNATURE); at >= 0; at = text.indexOf(SIGNATURE, at + 1)) {
    if (!/\s/.test(text.charAt(at + SIGNATURE.length))) continue
    const start = text.slice(0, at).trimEnd().length
    if (at === 0 || isBlankLine(text.slice(start, at))) return start
  }
  return -1
}

const isBlankLine = (space: string): boolean => space.endsWith('\n') && space.indexOf('\n') < space.length - 1

/** Between the text of a note and ours. */
const SEPARATOR = '\n\n'

/** On a cell that has a note already, our text is appended to it. */
export function withOurs(notes: readonly Note[], ours: readonly Note[]): Note[] {
  const rest = new Map(ours.map((note) => [cellKey(note), note]))
  const joined = notes.map((note) => {
    const own = rest.get(cellKey(note))
    rest.delete(cellKey(note))
    const room = Math.max(0, MAX_CELL_TEXT - note.text.length)
    return own === undefined ? note : { ...note, text: note.text + clipText(SEPARATOR + own.text, room) }
  })
  return [...joined, ...rest.values()]
}
