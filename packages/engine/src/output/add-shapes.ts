import {
  DRAWING_NAMESPACES,
  type Note,
  NOTE_SHAPE_TYPE,
  noteShape,
  notesDrawing,
} from '#formats/spreadsheet/write-notes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import type { Platform } from '#platform.ts'

/** The start of a box that has content, with any prefix. */
const SHAPE_START = /<((?:[\w.-]+:)?)shape(?:\s[^<>]*)?(?<!\/)>/g
const ROW = /<(?:[\w.-]+:)?Row>\s*(\d+)/
const COLUMN = /<(?:[\w.-]+:)?Column>\s*(\d+)/
const ROOT = /<xml\b[^<>]*>/
const DRAWING_END = '</xml>'

/**
 * The drawing of a sheet with the boxes of our notes added, and without those of the `removed` cells
 * (`row column`, from 0). VML need not be well-formed XML, so it is read as text.
 */
export async function* addShapes(
  bytes: Uint8Array | null,
  notes: readonly Note[],
  removed: ReadonlySet<string>,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  if (bytes === null) return yield* encodeXml(notesDrawing(notes), platform)
  const { drawing, cellsWithBox } = withoutShapes(platform.decodeUtf8(bytes, 0, bytes.length), removed)
  const end = drawing.lastIndexOf(DRAWING_END)
  if (end < 0) throw workbookProblems.damaged('the drawing of its notes is malformed')
  const withNamespaces = namespacesFor(drawing)
  yield platform.encodeUtf8(
    drawing.slice(0, end) + (drawing.includes('id="_x0000_t202"') ? '' : withNamespaces(NOTE_SHAPE_TYPE)),
  )
  yield* encodeXml(
    notes
      .filter(({ row, column }) => !cellsWithBox.has(`${row} ${column}`))
      .map((note, index) => withNamespaces(noteShape(note, `_x0000_v${index + 1}`))),
    platform,
  )
  yield platform.encodeUtf8(drawing.slice(end))
}

/** A drawing without the boxes of `removed` cells, and the cells whose boxes stay. */
function withoutShapes(
  drawing: string,
  removed: ReadonlySet<string>,
): { drawing: string; cellsWithBox: ReadonlySet<string> } {
  const cellsWithBox = new Set<string>()
  const pieces: string[] = []
  let copied = 0
  SHAPE_START.lastIndex = 0
  for (let start = SHAPE_START.exec(drawing); start !== null; start = SHAPE_START.exec(drawing)) {
    const close = `</${start[1]}shape>`
    const closeAt = drawing.indexOf(close, SHAPE_START.lastIndex)
    // Without this, a missing closing tag would be searched for again from every shape that follows.
    if (closeAt < 0) break
    const end = closeAt + close.length
    const shape = drawing.slice(start.index, end)
    const cell = `${ROW.exec(shape)?.[1]} ${COLUMN.exec(shape)?.[1]}`
    if (removed.has(cell)) {
      pieces.push(drawing.slice(copied, start.index))
      copied = end
    } else cellsWithBox.add(cell)
    SHAPE_START.lastIndex = end
  }
  return { drawing: pieces.join('') + drawing.slice(copied), cellsWithBox }
}

/** Declares on an element those prefixes that the root does not declare: some programs use other prefixes. */
function namespacesFor(drawing: string): (element: string) => string {
  const root = ROOT.exec(drawing)?.[0] ?? ''
  const missing = Object.entries(DRAWING_NAMESPACES).filter(([prefix]) => !root.includes(`xmlns:${prefix}=`))
  const text = missing.map(([prefix, name]) => ` xmlns:${prefix}="${name}"`).join('')
  return text === '' ? (element) => element : (element) => element.replace(/^<[\w:]+/, (tag) => tag + text)
}
