import { worksheetBounds } from '@veridict/contract/limits'
import { templateNoteAuthor, templateSheets, templateTexts } from '@veridict/contract/messages/template-file'
import type { TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { TemplateStyle, type TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight, wrappedLines } from '#dictionary-file/template/wrapped-height.ts'
import { clipText, MAX_CELL_TEXT, styledRow } from '#formats/spreadsheet/write-cells.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { conditionalFormats, dataValidations, needOf } from '#formulas/living-columns.ts'

/** In points. */
const HEADING_PADDING = 10

/** Headings that are exactly the fields' names, each with a note; formats, drop-downs and marks below. */
export function dataSheet(columns: readonly TemplateColumn[], styles: TemplateStyles): NewSheet {
  const headings = columns.map(({ field }) => ({
    style: field.required ? TemplateStyle.RequiredHeading : TemplateStyle.OptionalHeading,
    text: field.name,
  }))
  const height = wrappedHeight(columns.map(({ field, width }) => ({ text: field.name, width })))
  const notes = headingNotes(columns)
  return {
    name: templateSheets.data,
    columns: columns.map((column) => ({ width: column.width, style: styles.of(column) })),
    conditionalFormats: () => conditionalFormats(columns, { bad: 0, warning: 1, plain: 2 }),
    validations: dataValidations(columns),
    rows: [styledRow(1, headings, HEADING_PADDING + height)],
    rowCount: () => worksheetBounds.maxRows,
    notes: { author: templateNoteAuthor, list: () => notes },
  }
}

/** Approximate width of a note's box in characters, and the limits of its height in rows. */
const NOTE_WIDTH = 46
const [FEWEST_NOTE_ROWS, MOST_NOTE_ROWS] = [4, 24]

/** Whether the field is required, its description, what is expected, its category. */
function headingNotes(columns: readonly TemplateColumn[]): Note[] {
  return columns.map(({ field, expected }, column) => {
    // The sentence about a pattern begins with the field's description.
    const description = field.rule.type === 'pattern' ? '' : field.description
    const category = field.category === '' ? '' : templateTexts.category(field.category)
    const lines = [needOf(field), description, templateTexts.expected(expected), category].filter(
      (line) => line !== '',
    )
    const text = clipText(lines.join('\n'), MAX_CELL_TEXT)
    return {
      row: 0,
      column,
      text,
      height: Math.min(MOST_NOTE_ROWS, Math.max(FEWEST_NOTE_ROWS, wrappedLines(text, NOTE_WIDTH))),
    }
  })
}
