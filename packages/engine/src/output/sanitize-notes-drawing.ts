import type { Note } from '#formats/spreadsheet/write-notes.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import type { Platform } from '#platform.ts'

/** The elements of the boxes of notes, in lower case. */
const ELEMENTS: ReadonlySet<string> = new Set(copied.notesDrawing)
const TAG = /<\/?(?:[\w.-]+:)?([\w.-]+)|<[!?]/g
/** Attributes that name something outside of the drawing, or a program. */
const FOREIGN_ATTRIBUTES =
  'src|href|althref|relid|pict|link|macro|action|classid|codebase|on[a-z]+|[a-z]+:(?:id|pict|embed|link)'
const FOREIGN_ATTRIBUTE = new RegExp(`[\\s:"'](?:${FOREIGN_ATTRIBUTES})\\s*=|url\\s*\\(`, 'i')
/** The prefix of links, which is free, and usually r. */
const LINK_ATTRIBUTE = /\sr:[a-z]+\s*=/i
const OBJECT_TYPE = /\sObjectType\s*=\s*["'](?!Note["'])/
const SHAPE = /<(?:[\w.-]+:)?shape[\s>]/g
const ROW = /<(?:[\w.-]+:)?Row>\s*(\d+)/
const COLUMN = /<(?:[\w.-]+:)?Column>\s*(\d+)/

/**
 * null if a drawing has only boxes of notes. Otherwise the cells of its notes: their boxes are rewritten, and
 * the rest (buttons, pictures) is left out. VML need not be well-formed XML, so it is read as text.
 */
export function sanitizeNotesDrawing(bytes: Uint8Array, platform: Platform): Note[] | null {
  const drawing = platform.decodeUtf8(bytes, 0, bytes.length)
  if (hasOnlyNotes(drawing)) return null
  const starts = [...drawing.matchAll(SHAPE)].map(({ index }) => index)
  const notes = new Map<string, Note>()
  for (const [index, start] of starts.entries()) {
    const shape = drawing.slice(start, starts[index + 1])
    const [row, column] = [ROW.exec(shape)?.[1], COLUMN.exec(shape)?.[1]]
    if (!/ObjectType\s*=\s*["']Note["']/.test(shape) || row === undefined || column === undefined) continue
    notes.set(`${row} ${column}`, { row: Number(row), column: Number(column), text: '' })
  }
  return [...notes.values()]
}

function hasOnlyNotes(drawing: string): boolean {
  if (FOREIGN_ATTRIBUTE.test(drawing) || LINK_ATTRIBUTE.test(drawing) || OBJECT_TYPE.test(drawing))
    return false
  let elements = 0
  for (const [tag, name] of drawing.matchAll(TAG)) {
    if (name === undefined ? tag !== '<?' : !ELEMENTS.has(name.toLowerCase())) return false
    if (name !== undefined) elements++
  }
  // Without elements it is in an encoding that only other programs can read.
  return elements > 0
}
