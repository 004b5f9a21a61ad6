import { worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { MAIN_NAMESPACE } from '#formats/spreadsheet/workbook-parts.ts'
import { escapeXml, XML_HEADER } from '#formats/xml/write-xml.ts'

/**
 * `row` and `column` count from 0; texts may be as long as those of cells. `height` of the box is in rows of
 * the sheet; `anchor` and `color` are as in its workbook; `isVisible` if it is always shown.
 */
export type Note = {
  readonly row: number
  readonly column: number
  readonly text: string
  readonly author?: string
  readonly height?: number
  readonly anchor?: string
  readonly color?: string
  readonly isVisible?: boolean
}

const LAST_ROW = worksheetBounds.maxRows - 1
const LAST_COLUMN = worksheetBounds.maxColumns - 1
/** Default size of a note's box, in columns and rows of the sheet. */
const NOTE_COLUMNS = 4
const NOTE_ROWS = 6

/** The comments part of a sheet. Notes without an author are those of `author`. */
export function* commentsPart(
  notes: readonly Note[],
  author: string,
  namespace: string = MAIN_NAMESPACE,
): Generator<string> {
  const numbers = new Map<string, number>()
  for (const { author: own = author } of notes) if (!numbers.has(own)) numbers.set(own, numbers.size)
  const authors = [...numbers.keys()].map((name) => `<author>${escapeXml(name)}</author>`)
  yield `${XML_HEADER}<comments xmlns="${namespace}"><authors>${authors.join('')}</authors><commentList>`
  for (const { row, column, text, author: own = author } of notes)
    yield (
      `<comment ref="${columnLetter(column)}${row + 1}" authorId="${numbers.get(own)}"><text>` +
        `<t xml:space="preserve">${escapeXml(text)}</t></text></comment>`
    )
  yield '</commentList></comments>'
}

/** A drawing lists the blocks of ids that its shapes use, from 1 (`idmap`, ECMA-376 part 4, 19.2.2.14). */
const SHAPE_BLOCK = 1024

export const DRAWING_NAMESPACES = {
  v: 'urn:schemas-microsoft-com:vml',
  o: 'urn:schemas-microsoft-com:office:office',
  x: 'urn:schemas-microsoft-com:office:excel',
} as const

/** The shape of all notes' boxes. Its id is the one that Excel uses. */
const NOTE_SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'

/** The box of a note: usually hidden until the mouse is over its cell. `id` must be unique in its part. */
function noteShape({ row, column, height = NOTE_ROWS, anchor, ...note }: Note, id: string): string {
  const { color = '#ffffe1', isVisible = false } = note
  const left = Math.min(column + 1, LAST_COLUMN - NOTE_COLUMNS)
  const top = Math.min(row, LAST_ROW - height)
  const place = anchor ?? `${left},15,${top},2,${left + NOTE_COLUMNS},15,${top + height},4`
  const visibility = isVisible ? 'visible' : 'hidden'
  return (
    `<v:shape id="${id}" type="#_x0000_t202" style="position:absolute;visibility:${visibility}" ` +
    `fillcolor="${color}" o:insetmode="auto"><v:fill color2="${color}"/>` +
    '<v:shadow color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"/>' +
    '<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>' +
    `<x:Anchor>${place}</x:Anchor><x:AutoFill>False</x:AutoFill>` +
    `<x:Row>${row}</x:Row><x:Column>${column}</x:Column>${isVisible ? '<x:Visible/>' : ''}` +
    '</x:ClientData></v:shape>'
  )
}

export function* notesDrawing(notes: readonly Note[]): Generator<string> {
  const { v, o, x } = DRAWING_NAMESPACES
  const blocks = Array.from({ length: Math.floor(notes.length / SHAPE_BLOCK) + 1 }, (_, index) => index + 1)
  yield `<xml xmlns:v="${v}" xmlns:o="${o}" xmlns:x="${x}"><o:shapelayout v:ext="edit">`
  yield `<o:idmap v:ext="edit" data="${blocks.join(',')}"/></o:shapelayout>${NOTE_SHAPE_TYPE}`
  for (const [index, note] of notes.entries()) yield noteShape(note, `_x0000_s${SHAPE_BLOCK + 1 + index}`)
  yield '</xml>'
}
