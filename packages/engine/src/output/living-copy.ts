import { livingTexts } from '@veridict/contract/messages/template-file'
import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import type { Rule } from '@veridict/contract/model/rule'
import { errorFileLimits } from '@veridict/contract/limits'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { type NumberFormat, NumberKind } from '#formats/spreadsheet/read-styles.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import {
  conditionalFormats,
  type LivingColumn,
  livingColumns,
  listRanges,
  unknownLines,
} from '#formulas/living-columns.ts'
import { type Line, linesSheet } from '#output/corrections-sheet.ts'
import type { TableRequest } from '#source/open-table.ts'
import type { TableSource } from '#source/table-source.ts'

/** A sheet that copies add at the end: its name, part and id of its link, with a number where taken. */
export type AddedSheet = { readonly name: string; readonly part: string; readonly id: string }
export const ABOUT: AddedSheet = {
  name: livingTexts.about,
  part: 'xl/worksheets/aboutVeridict.xml',
  id: 'rIdVeridictAbout',
}
/** In characters: of the texts, and of each list. */
const WIDTHS = [7, 28, 60]
const LIST_WIDTH = 28

/** null where the headings do not fit. */
export type CheckedTable = Pick<TableSource, 'headerRowNumber' | 'firstColumn'> | null

/** Rows of marked cells without a gap, from 1. */
type MarkedRange = { readonly first: number; last: number }

/** A data sheet that carries its dictionary, and the sheet that says what programs cannot check. */
export class LivingCopy {
  readonly columns: readonly LivingColumn[]
  /** The sheet about the file, which also holds the options of lists. */
  readonly about: AddedSheet
  readonly #markable: ReadonlyMap<number, { readonly rule: Rule; readonly ranges: MarkedRange[] }>
  #rangeCount = 0

  /** Without a table nothing is checked. */
  constructor(
    { fields, ruleBook = { ...emptyRuleBook, day: '' }, platform }: TableRequest,
    table: CheckedTable,
    about: AddedSheet,
  ) {
    this.about = about
    const lists = { listSheet: about.name, firstListColumn: WIDTHS.length + 1 }
    this.columns = table === null ? [] : livingColumns(fields, ruleBook, { ...lists, table }, platform)
    this.#markable = new Map(
      this.columns.map(({ letter, field }) => [columnIndex(letter), { rule: field.rule, ranges: [] }]),
    )
  }

  /**
   * Called in the order of rows, from 1. Beyond as many as have notes, marks stay as they are, and so do
   * those of cells that may show dates: formulas may not know whether they do.
   */
  mark(row: number, column: number, format: NumberFormat = NumberKind.Plain): void {
    const { rule, ranges } = this.#markable.get(column) ?? {}
    if (ranges === undefined || (format !== NumberKind.Plain && rule?.type !== 'date')) return
    const last = ranges.at(-1)
    if (last?.last === row - 1) last.last = row
    else if (this.#rangeCount++ < errorFileLimits.maxNotes) ranges.push({ first: row, last: row })
  }

  /** Called when all cells are marked. */
  formats(looks: Parameters<typeof conditionalFormats>[1]): string[] {
    return conditionalFormats(this.columns, looks, ({ letter }) =>
      (this.#markable.get(columnIndex(letter))?.ranges ?? []).map(
        ({ first, last }) => `${letter}${first}${last === first ? '' : `:${letter}${last}`}`,
      ),
    )
  }

  /** `leftOut` says what the copy does not have. */
  aboutSheet(leftOut: string | null): NewSheet {
    const { columns, about } = this
    const lists = listRanges(columns)
    const unknown = unknownLines(columns)
    const texts = [
      [livingTexts.about],
      ...(leftOut === null ? [] : [[leftOut]]),
      ...(columns.length === 0 ? [] : livingTexts.howChecked.map((text) => [text])),
      ...(unknown.length === 0 ? [] : [[], livingTexts.unknownHeadings, ...unknown]),
    ]
    const count = Math.max(texts.length, ...lists.map(({ options }) => options.length + 1))
    const lines = Array.from({ length: count }, (_, index): Line => {
      const text = texts[index] ?? []
      const blank = Array<string>(lists.length === 0 ? 0 : WIDTHS.length + 1 - text.length).fill('')
      const ofLists = lists.map(({ heading, options }) =>
        index === 0 ? heading : (options[index - 1] ?? ''),
      )
      const isHeading = index === 0 || text === livingTexts.unknownHeadings
      return { texts: [...text, ...blank, ...ofLists], isHeading }
    })
    return linesSheet(about.name, [...WIDTHS, LIST_WIDTH, ...lists.map(() => LIST_WIDTH)], lines)
  }
}
