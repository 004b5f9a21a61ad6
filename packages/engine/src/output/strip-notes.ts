import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { edited, type Edit, removal } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

/** How each of our notes begins; see `signedText`. */
const SIGNATURE = `${NOTE_AUTHOR}:`

/** A text in a note. `outer` spans its run, or its own element if it has none. */
type Piece = { readonly outer: Span; readonly inner: Span; readonly text: string }
/** A range of bytes. */
type Span = { readonly start: number; readonly end: number }

/** The key of a cell, counted from 0. */
export const cellKey = (row: number, column: number): string => `${row} ${column}`

/**
 * The notes of a sheet without those that an earlier Highlighted file added, and without the text that it
 * added to other notes; only on the cells for which `isStripped` is true, where it is given. `removed` holds
 * the keys of the cells that lost their note.
 */
export function stripNotes(
  bytes: Uint8Array,
  platform: Platform,
  isStripped: (key: string) => boolean = () => true,
): { bytes: Uint8Array; removed: ReadonlySet<string> } {
  const edits: Edit[] = []
  const removed = new Set<string>()
  for (const { comment, key, start } of ourNotes(bytes, platform)) {
    if (!isStripped(key)) continue
    if (start > 0) edits.push(...cutText(comment.pieces, start))
    else {
      edits.push(removal(comment.span))
      removed.add(key)
    }
  }
  return { bytes: edited(bytes, edits, platform), removed }
}

/** The keys of the cells with notes of an earlier Highlighted file. */
export const notedCells = (bytes: Uint8Array, platform: Platform): ReadonlySet<string> =>
  new Set([...ourNotes(bytes, platform)].map(({ key }) => key))

/** The notes that hold text of ours, from `start` on, which may be all of it. */
function* ourNotes(
  bytes: Uint8Array,
  platform: Platform,
): Generator<{ comment: Comment; key: string; start: number }> {
  for (const comment of readComments(new XmlTokens(platform, bytes))) {
    const start = comment.isOurs ? 0 : ourStart(comment.pieces.map((piece) => piece.text).join(''))
    if (start < 0) continue
    const { row, column } = parseCellReference(comment.reference)
    yield { comment, key: cellKey(row - 1, column), start }
  }
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

/** Whether white space contains an empty line. */
const isBlankLine = (space: string): boolean => space.endsWith('\n') && space.indexOf('\n') < space.length - 1

type Comment = {
  readonly span: Span
  readonly reference: string
  readonly isOurs: boolean
  readonly pieces: readonly Piece[]
}

function* readComments(part: XmlTokens): Generator<Comment> {
  const authors: string[] = []
  for (const element of elementsNamed(part, 'author', 'comment')) {
    const { tag, content } = element
    if (tag.nameIs('author')) authors.push(element.text)
    else
      yield {
        span: element,
        reference: tag.attribute('ref') ?? '',
        isOurs: authors[Number(tag.attribute('authorId'))]?.trim() === NOTE_AUTHOR,
        pieces: readPieces(content),
      }
  }
}

function readPieces(content: XmlTokens): Piece[] {
  const pieces: Piece[] = []
  for (const outer of elementsNamed(content, 'r', 't', 'rPh')) {
    if (outer.tag.nameIs('rPh')) continue
    const texts = outer.tag.nameIs('t') ? [outer] : elementsNamed(outer.content, 't')
    for (const { text, contentStart, contentEnd } of texts)
      pieces.push({ outer, inner: { start: contentStart, end: contentEnd }, text })
  }
  return pieces
}

/** Removes the text from `start` on, and the runs that lie completely in it. */
function cutText(pieces: readonly Piece[], start: number): Edit[] {
  const edits: Edit[] = []
  let from = 0
  for (const { outer, inner, text } of pieces) {
    const remaining = text.slice(0, Math.max(0, start - from))
    if (remaining === '' && text !== '') edits.push(removal(outer))
    else if (remaining.length < text.length) edits.push({ ...inner, text: escapeXml(remaining) })
    from += text.length
  }
  return edits
}
