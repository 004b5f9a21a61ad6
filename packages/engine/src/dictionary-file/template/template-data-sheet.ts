import { worksheetBounds } from '@veridict/contract/limits'
import {
  needNames,
  templateNoteAuthor,
  templateSheets,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import type { TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { TemplateStyle, type TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight, wrappedLines } from '#dictionary-file/template/wrapped-height.ts'
import { clipText, MAX_CELL_TEXT, styledRow } from '#formats/spreadsheet/write-cells.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'

/** In points. */
const HEADING_PADDING = 10

/**
 * The sheet to fill in: headings that are exactly the fields' names, a note at each, and formats and
 * drop-downs for all rows below.
 */
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
    validations: columns.map(validationOf).filter((tag) => tag !== ''),
    rows: [styledRow(1, headings, HEADING_PADDING + height)],
    rowCount: () => worksheetBounds.maxRows,
    notes: { author: templateNoteAuthor, list: () => notes },
  }
}

/** The longest prompt, in UTF-16 code units: Excel calls a workbook with a longer one damaged. */
const MAX_PROMPT = 255

function validationOf({ field, letter, expected, choices }: TemplateColumn): string {
  const cells = `sqref="${letter}2:${letter}${worksheetBounds.maxRows}"`
  if (choices !== null) {
    // Always a range: a list inside a formula has at most 255 characters, and no commas in its values.
    const column = `$${choices.letter}`
    const range = `${templateSheets.lists}!${column}$2:${column}$${choices.options.length + 1}`
    const error = `errorTitle="${templateTexts.notInListTitle}" error="${templateTexts.notInList}"`
    return (
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" ${error} ${cells}>` +
      `<formula1>${range}</formula1></dataValidation>`
    )
  }
  if (field.rule.type !== 'date' && field.rule.type !== 'pattern') return ''
  const prompt = escapeXml(
    ellipsis(templateTexts.expected(expected).replace(/[\s\p{Cc}]+/gu, ' '), MAX_PROMPT),
  )
  const shown = `promptTitle="${needOf(field)}" prompt="${prompt}"`
  return `<dataValidation allowBlank="1" showInputMessage="1" ${shown} ${cells}/>`
}

const ellipsis = (text: string, max: number) => (text.length <= max ? text : `${clipText(text, max - 1)}…`)

/** "Required" or "May be empty". */
export const needOf = ({ required }: { required: boolean }) =>
  required ? needNames.required : needNames.optional

/** Approximate width of a note's box in characters, and the limits of its height in rows. */
const NOTE_WIDTH = 46
const [FEWEST_NOTE_ROWS, MOST_NOTE_ROWS] = [4, 24]

/**
 * A note at every heading: whether the field is required, its description, what is expected, its category.
 */
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
