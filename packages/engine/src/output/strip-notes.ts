import type { Platform } from '#platform.ts'
import { parseCellReference } from '#source/xlsx/cell-reference.ts'
import { XmlToken, XmlTokens, xmlName } from '#source/xlsx/xml-tokens.ts'
import { applyEdits, type Edit } from '#output/edit-xml.ts'
import { NOTE_AUTHOR } from '#output/notes.ts'
import { joined } from '#output/xml-bytes.ts'
import { escapeXml } from '#output/xml-output.ts'

const AUTHOR = xmlName('author')
const COMMENT = xmlName('comment')
const RUN = xmlName('r')
const TEXT = xmlName('t')
const REF = xmlName('ref')
const AUTHOR_ID = xmlName('authorId')

/** Where our text begins: LibreOffice forgets authors, so each of our notes begins as a signed one. */
const OUR_TEXT = new RegExp(`(?:^|\\s*\\n\\s*\\n)${NOTE_AUTHOR}:\\s`)

/** A text in a note; `outer` spans its run, or itself where it has none. Positions in bytes. */
type Piece = { readonly outer: Span; readonly inner: Span; readonly text: string }
type Span = { readonly start: number; readonly end: number }

/**
 * The notes of a sheet without ours of an earlier time, and without what we added to those of others. `removed` holds the
 * cells that have no note any more, as `row column`, both zero-based.
 */
export function stripNotes(bytes: Uint8Array, platform: Platform): { bytes: Uint8Array; removed: ReadonlySet<string> } {
  const edits: Edit[] = []
  const removed = new Set<string>()
  for (const comment of readComments(new XmlTokens(platform, bytes))) {
    const text = comment.pieces.map((piece) => piece.text).join('')
    const at = comment.isOurs ? 0 : text.search(OUR_TEXT)
    if (at < 0) continue
    if (at > 0) edits.push(...cutText(comment.pieces, at))
    else {
      edits.push({ ...comment.span, text: '' })
      const { row, column } = parseCellReference(comment.reference)
      removed.add(`${row - 1} ${column}`)
    }
  }
  return { bytes: edits.length === 0 ? bytes : joined([...applyEdits(bytes, edits, platform)]), removed }
}

type Comment = { readonly span: Span; readonly reference: string; readonly isOurs: boolean; readonly pieces: readonly Piece[] }

/** Long, since what an element means depends on those around it, and all it knows of them stands in these few variables. */
function* readComments(tokens: XmlTokens): Generator<Comment> {
  const authors: string[] = []
  let pieces: Piece[] = []
  let comment = { start: 0, reference: '', isOurs: false }
  let runStart = 0
  let textStart = 0
  let innerStart = 0
  let text = ''
  let run: Piece[] | null = null
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    const { start, position } = tokens
    if (token === XmlToken.Text || token === XmlToken.CData) {
      text += tokens.textValue(token)
      continue
    }
    const isOpen = token === XmlToken.Open
    if (tokens.nameIs(AUTHOR)) {
      if (!isOpen) authors.push(token === XmlToken.Empty ? '' : text)
      text = ''
    } else if (tokens.nameIs(COMMENT)) {
      if (isOpen) {
        const author = authors[Number(tokens.attribute(AUTHOR_ID))]
        comment = { start, reference: tokens.attribute(REF) ?? '', isOurs: author?.trim() === NOTE_AUTHOR }
        pieces = []
      } else if (token === XmlToken.Close) yield { ...comment, span: { start: comment.start, end: position }, pieces }
    } else if (tokens.nameIs(RUN)) {
      if (isOpen) {
        runStart = start
        run = []
      } else if (token === XmlToken.Close && run !== null) {
        for (const piece of run) pieces.push({ ...piece, outer: { start: runStart, end: position } })
        run = null
      }
    } else if (tokens.nameIs(TEXT)) {
      if (isOpen) {
        textStart = start
        innerStart = position
        text = ''
      } else if (token === XmlToken.Close) {
        const piece = { outer: { start: textStart, end: position }, inner: { start: innerStart, end: start }, text }
        ;(run ?? pieces).push(piece)
      }
    }
  }
}

/** Takes away all text from `at` on, and runs that stand behind it whole. */
function cutText(pieces: readonly Piece[], at: number): Edit[] {
  const edits: Edit[] = []
  let from = 0
  for (const { outer, inner, text } of pieces) {
    const kept = Math.max(0, at - from)
    if (kept === 0) edits.push({ ...outer, text: '' })
    else if (kept < text.length) edits.push({ ...inner, text: escapeXml(text.slice(0, kept)) })
    from += text.length
  }
  return edits
}
