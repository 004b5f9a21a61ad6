import sheets from '#messages/dictionary-sheets.json' with { type: 'json' }

/** The sheets, headings and guide of a dictionary's workbook. See docs/BEHAVIOUR.md#dictionary-workbook. */

/** A sheet of a dictionary's workbook, as it is written and read. */
export type SheetLayout<Column extends string> = {
  readonly name: string
  /** In order. `width` in characters. */
  readonly columns: Readonly<
    Record<Column, { heading: string; meaning: string; example: string; width: number }>
  >
  /** Any other column may be left out. A problem of a whole row is reported at the first. */
  readonly needed: readonly Column[]
  /** Columns whose content may be longer than a cell. */
  readonly continued: readonly Column[]
}
type ColumnsOf<Sheet extends keyof typeof sheets> = keyof (typeof sheets)[Sheet]['columns'] & string
export const dictionarySheets = sheets as {
  readonly [Sheet in keyof typeof sheets]: SheetLayout<ColumnsOf<Sheet>>
}
export type FieldColumn = ColumnsOf<'fields'>
export type RuleColumn = ColumnsOf<'rules'>
export type ListColumn = ColumnsOf<'lists'>
export type SettingColumn = ColumnsOf<'settings'>

export const columnsOf = <Column extends string>({ columns }: SheetLayout<Column>): Column[] =>
  Object.keys(columns) as Column[]

/** Continues what is longer than a cell, after the last column: "List values 2". `number` counts from 2. */
export const furtherColumn = (heading: string, number: number): string => `${heading} ${number}`

/** What stands in the columns that answer a question. */
export const flagNames = { yes: 'Yes', no: 'No' } as const
/** Separators that a cell would not show. */
export const separatorNames: Readonly<Record<string, string>> = { ' ': 'space', '\t': 'tab' }
/** What stands in the column of severities; the last is the exemption, which is no rule. */
export const severityNames = ['error', 'warning', 'exempt'] as const
/** The one setting: a text that counts as blank. */
export const blankTextSetting = 'Counts as blank'

export const dictionaryGuide = {
  name: 'Guide',
  headings: ['Column', 'What it means', 'Example'],
  widths: [24, 90, 60],
  /** Heads each sentence that a rule may have. */
  sentence: 'Sentence',
} as const
