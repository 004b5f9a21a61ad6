import { worksheetBounds } from '@veridict/contract/limits'
import {
  needNames,
  templateNoteAuthor,
  templateSheets,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { clipText, MAX_CELL_TEXT, styledRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import type { TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { TemplateStyle, type TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight, wrappedLines } from '#dictionary-file/template/wrapped-height.ts'

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

/** Excel's bound on what a prompt says, in UTF-16 code units; it calls a workbook damaged that has more. */
const MAX_PROMPT = 255

function validationOf({ field, letter, expected, choices }: TemplateColumn): string {
  const cells = `sqref="${letter}2:${letter}${worksheetBounds.maxRows}"`
  if (choices !== null) {
    // Always a range: what a formula lists itself may be 255 characters, and a comma ends a value.
    const range = `${templateSheets.lists}!$${choices.letter}$2:$${choices.letter}$${choices.options.length + 1}`
    const told = `showErrorMessage="1" errorTitle="${templateTexts.notInListTitle}" error="${templateTexts.notInList}"`
    return `<dataValidation type="list" allowBlank="1" ${told} ${cells}><formula1>${range}</formula1></dataValidation>`
  }
  if (field.rule.type !== 'date' && field.rule.type !== 'pattern') return ''
  const prompt = escapeXml(
    ellipsis(templateTexts.expected(expected).replace(/[\s\p{Cc}]+/gu, ' '), MAX_PROMPT),
  )
  return `<dataValidation allowBlank="1" showInputMessage="1" promptTitle="${needOf(field)}" prompt="${prompt}" ${cells}/>`
}

const ellipsis = (text: string, max: number) => (text.length <= max ? text : `${clipText(text, max - 1)}…`)

/** Whether a field must be filled in, in a word. */
export const needOf = ({ required }: { required: boolean }) =>
  required ? needNames.required : needNames.optional

/** Width of a note's box in characters, about, and its heights in rows. */
const NOTE_WIDTH = 46
const [FEWEST_NOTE_ROWS, MOST_NOTE_ROWS] = [4, 24]

/** A note at every heading: whether it is needed, what it means, what is right. */
function headingNotes(columns: readonly TemplateColumn[]): Note[] {
  return columns.map(({ field, expected }, column) => {
    // What is expected of a pattern begins with its description.
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
