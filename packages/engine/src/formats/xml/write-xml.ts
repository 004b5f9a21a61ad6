import { worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Platform } from '#platform.ts'

/** What every part of XML begins with. */
export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** Of the elements of workbooks, sheets and styles (ECMA-376 part 1; strict workbooks have another). */
export const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** Characters per chunk of bytes: large enough that deflating one and making the next overlap. */
const CHUNK_CHARACTERS = 256 * 1024

/**
 * What XML text cannot hold as it is: markup, control characters, and text that would read as an escape of
 * one.
 */
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Text as the content of an element or attribute of a workbook. Characters that XML cannot hold become
 * `_xHHHH_` (ST_Xstring, ECMA-376 part 1, 22.9.2.19), which spreadsheets and our reader turn back.
 */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text.replace(
    ESCAPED,
    (character) =>
      ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}

/** Pieces of XML → UTF-8 in chunks of a good size. */
export async function* encodeXml(
  pieces: AsyncIterable<string> | Iterable<string>,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < CHUNK_CHARACTERS) continue
    yield platform.encodeUtf8(text)
    text = ''
  }
  if (text !== '') yield platform.encodeUtf8(text)
}

/** A whole part at once. */
export async function* xmlPart(text: string, platform: Platform): AsyncGenerator<Uint8Array> {
  yield platform.encodeUtf8(text)
}

/** The longest text of a cell, in UTF-16 code units. */
export const MAX_CELL_TEXT = worksheetBounds.maxCellLength

/** The beginning of a text, of at most so many code units, without half a character at its end. */
export function clipText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * A cell of text: never a number and never a formula, whatever it looks like. Text beyond what a cell holds
 * is cut.
 */
export function textCell(reference: string, style: number, text: string): string {
  if (text === '') return `<c r="${reference}" s="${style}"/>`
  const shown = clipText(text, MAX_CELL_TEXT)
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${needsPreserve(shown) ? ' xml:space="preserve"' : ''}>${escapeXml(shown)}</t></is></c>`
}

/** White space at an end, or a line break anywhere, would be lost without saying so. */
function needsPreserve(text: string): boolean {
  return text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32 || text.includes('\n')
}

/** A row of text cells from column A on. `number` counts from 1. */
export function sheetRow(number: number, style: number, texts: readonly string[]): string {
  let row = `<row r="${number}">`
  for (const [column, text] of texts.entries())
    if (text !== '') row += textCell(columnLetter(column) + number, style, text)
  return `${row}</row>`
}

/**
 * A row of text cells in formats of their own, from column A on; empty ones too, so that fills and lines go
 * through. `height` in points.
 */
export function formattedRow(
  number: number,
  cells: readonly { style: number; text: string }[],
  height?: number,
): string {
  const size = height === undefined ? '' : ` ht="${height}" customHeight="1"`
  return `<row r="${number}"${size}>${cells.map(({ style, text }, column) => textCell(columnLetter(column) + number, style, text)).join('')}</row>`
}
