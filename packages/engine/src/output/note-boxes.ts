import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { Platform } from '#platform.ts'

const SHAPE = /<(?:[\w.-]+:)?shape[\s>]/g
const IS_OTHER = /\sObjectType\s*=\s*["'](?!Note["'])/
const ROW = /<(?:[\w.-]+:)?Row>\s*(\d+)/
const COLUMN = /<(?:[\w.-]+:)?Column>\s*(\d+)/
const ANCHOR = /<(?:[\w.-]+:)?Anchor>([\d\s,]+)</
/** A color by its digits or by its name, which may have its number among those of the system. */
const COLOR = /\sfillcolor\s*=\s*["'](#?\w+(?: \[\d+\])?)["']/
const VISIBLE = /<(?:[\w.-]+:)?Visible\s*\/?>/

/** The boxes of a drawing's notes. VML need not be well-formed XML, so it is read as text. */
export function readNoteBoxes(bytes: Uint8Array, platform: Platform): Note[] {
  const drawing = platform.decodeUtf8(bytes, 0, bytes.length)
  const starts = [...drawing.matchAll(SHAPE)].map(({ index }) => index)
  return starts.flatMap((start, index) => {
    const shape = drawing.slice(start, starts[index + 1])
    const [row, column] = [ROW.exec(shape)?.[1], COLUMN.exec(shape)?.[1]]
    if (IS_OTHER.test(shape) || row === undefined || column === undefined) return []
    const place = { row: Number(row), column: Number(column), anchor: ANCHOR.exec(shape)?.[1].trim() }
    return [{ ...place, color: COLOR.exec(shape)?.[1], text: '', isVisible: VISIBLE.test(shape) }]
  })
}
