import { dictionaryLimits, nameLimits } from '@veridict/contract/limits'
import { columnsOf, dictionarySheets, type FieldColumn } from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { ruleTypeNames } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { describe, expect, it } from 'vitest'
import { readDictionary } from '#dictionary-file/read-dictionary.ts'
import { textRow } from '#formats/spreadsheet/write-cells.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { portalGuards } from '#limits.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'

const headingsOf = ({ columns }: { columns: Readonly<Record<string, { heading: string }>> }) =>
  Object.values(columns).map(({ heading }) => heading)
const HEADINGS = headingsOf(dictionarySheets.fields).join('|')
/** A row with these cells below their headings. */
const row = (cells: Partial<Record<FieldColumn, string>>): string =>
  columnsOf(dictionarySheets.fields)
    .map((column) => cells[column] ?? '')
    .join('|')

/** The problems of a sheet, its cells parted by bars. */
async function problemsOf(
  lines: readonly string[],
  sheet = 'Fields',
  limits = portalGuards,
): Promise<readonly string[]> {
  const rows = lines.map(
    (line, row) =>
      `<row r="${row + 1}">${line
        .split('|')
        .map((text, column) => cell(text, row, column))
        .join('')}</row>`,
  )
  const sheets = `<sheet name="${sheet}" sheetId="1" r:id="rId1"/>`
  const read = await readDictionary({
    source: bytesSource(buildWorkbook({ rows: rows.join(''), sheets })),
    fileName: 'dictionary.xlsx',
    platform: testPlatform(),
    limits,
  })
  return read.kind === 'problems' ? read.problems : []
}

const cell = (text: string, row: number, column: number) =>
  `<c r="${columnLetter(column)}${row + 1}" t="str"><v>${text}</v></c>`

describe('A dictionary that cannot be imported', () => {
  it('names every problem at once, each with its cell', async () => {
    const problems = await problemsOf([
      HEADINGS,
      row({ name: 'Id', type: 'Txt' }),
      row({ type: ' Number ', canBeEmpty: 'Maybe', identifiesRow: '1', minimum: 'x', maximum: '1,5' }),
      row({ name: 'ID', type: 'Text', canBeEmpty: 'Yes', minLength: '1', maxLength: '2', scale: '2' }),
      row({ name: 'Code', type: 'Regular expression', pattern: '(?=a)' }),
    ])
    expect(problems).toEqual([
      `Row 2, Type: 'Txt' is not one of ${Object.values(ruleTypeNames).join(', ')}.`,
      "Row 3, Can be empty: 'Maybe' is not one of Yes, No.",
      "Row 3, Identifies the row: '1' is not one of Yes, No.",
      "Row 3, Min: 'x' is not a number.",
      "Row 3, Max: '1,5' is not a number.",
      "Row 4, Scale: '2' has no meaning for the type Text; leave the cell empty.",
      "Row 4, Field name: 'ID' is already the name of the field in row 2.",
      'Row 5, Regular expression: This regular expression cannot be used: look-ahead and ' +
        'look-behind are not supported.',
    ])
  })

  it('compiles no expression that is too long, and not many that are large', async () => {
    const pattern = (text: string) => row({ name: 'f', type: 'Regular expression', pattern: text })
    const large = (index: number) => pattern(`a{0,1000}b{${index + 100}}`)
    const rows = [
      pattern('('.repeat(2001)),
      pattern('a?'.repeat(900)),
      ...Array.from({ length: 250 }, (_, index) => large(index)),
    ]
    const problems = await problemsOf([
      HEADINGS,
      ...rows.map((line, index) => line.replace('f', `f${index}`)),
    ])
    const reason = fieldMessages.patternsTooLarge
    expect(problems).toEqual([
      `Row 2, Regular expression: ${noticeMessages.tooLong(nameLimits.maxTextLength)}`,
      `Row 3, Regular expression: ${fieldMessages.patternInvalid(fieldMessages.patternTooLarge)}`,
      ...problems.slice(2),
    ])
    expect(problems.length).toBeGreaterThan(3)
    for (const problem of problems.slice(2))
      expect(problem).toMatch(`Regular expression: This regular expression cannot be used: ${reason}`)
  })

  const LONG = 'x'.repeat(30_000)
  it.for<{ why: string; rows: readonly string[]; count: number; first: string }>([
    {
      why: 'rows',
      rows: Array.from({ length: 16_385 }, (_, index) => row({ name: `f${index}`, type: 'Text' })),
      count: 1,
      first: fieldMessages.tooMany(16_384),
    },
    {
      why: 'characters, though one text is stored once',
      rows: Array.from({ length: 200 }, (_, index) => row({ name: `f${index}`, type: LONG })),
      count: 1,
      first: messages.tooManyCharacters(4_194_304),
    },
    {
      why: 'problems',
      rows: Array.from({ length: 12_000 }, (_, index) => row({ name: `f${index}`, type: 'Txt' })),
      count: 10_001,
      first: messages.at(2, 'Type', messages.notOneOf('Txt', Object.values(ruleTypeNames))),
    },
  ])('is not read to its end if it has too many $why', async ({ rows, count, first }) => {
    const problems = await problemsOf([HEADINGS, ...rows])
    expect([problems.length, problems[0]]).toEqual([count, first])
  })

  it('is refused if it has too many columns, and long values are cut in sentences', async () => {
    const columns = await problemsOf([Array.from({ length: 300 }, () => LONG).join('|')], 'Fields', {
      ...portalGuards,
      maxColumns: dictionaryLimits.maxImportColumns,
    })
    expect(columns).toEqual(['The file has more than 256 columns.'])
    const problems = await problemsOf([HEADINGS, row({ name: 'f', type: LONG })])
    expect(problems[0].length).toBeLessThan(250)
  })

  it('names headings that are missing, unknown or duplicate', async () => {
    expect(await problemsOf(['Field nme|Description|Description', 'Id'])).toEqual([
      "Row 1, A: 'Field nme' is not a heading of a data dictionary; did you mean 'Field name'?",
      "Row 1, C: the column 'Description' appears more than once.",
      "Row 1: the column 'Field name' is missing.",
      "Row 1: the column 'Type' is missing.",
    ])
  })

  const RULES = headingsOf(dictionarySheets.rules)
  const FIELDS = [HEADINGS, row({ name: 'Status', type: 'Text' }), row({ name: 'Paid', type: 'Number' })]
  it.for<{ why: string; sheet: string; lines: readonly (readonly string[])[]; problems: readonly string[] }>([
    {
      why: 'a sentence that cannot be read, with its place and the nearest form',
      sheet: 'Rules',
      lines: [RULES, ['A', '', 'error', '', '"Status" is one off "x"', '"Paid" is filled']],
      problems: [
        'Sheet Rules: Row 2, If: This sentence cannot be read from character 17 on. The nearest form is: ' +
          '"Column" is one of "value", "value"',
      ],
    },
    {
      why: 'all that is wrong with all rows',
      sheet: 'Rules',
      lines: [
        RULES,
        ['A', '', 'fatal', '1.2.2027', '', 'x', 'y'],
        ['A', '', 'error', '', '"Stats" is filled', '"Stats" is filled'],
      ],
      problems: [
        "Sheet Rules: Row 2, Severity: 'fatal' is not one of error, warning, exempt.",
        'Sheet Rules: Row 2, Then: This sentence cannot be read from character 1 on. The nearest form is: ' +
          '"Column" is filled',
        'Sheet Rules: Row 2, Otherwise: This sentence cannot be read from character 1 on. The nearest form ' +
          'is: "Column" is filled',
        "Sheet Rules: Row 2, In force from: Rule 'A': The day must be written yyyy-MM-dd.",
        "Sheet Rules: Row 3, If: Rule 'A': There is no field 'Stats'.",
        "Sheet Rules: Row 3, Then: Rule 'A': There is no field 'Stats'.",
        "Sheet Rules: Row 3, Rule: Rule 'A': Rule 1 already has this name.",
      ],
    },
    {
      why: 'what the rule book refuses, at its cell',
      sheet: ' rules',
      lines: [
        RULES,
        ['A', '', 'ERROR', '1.2.2027', '', '"Status" is filled'],
        ['', '', 'warning', '', '"Paid" is equal to "x"', '"Stats" is filled'],
        ['a', '', 'error', '', '', ''],
      ],
      problems: [
        "Sheet Rules: Row 2, In force from: Rule 'A': The day must be written yyyy-MM-dd.",
        'Sheet Rules: Row 3, Rule: Rule 2: A name is required.',
        "Sheet Rules: Row 3, If: Rule 2: 'Paid' cannot hold 'x': This is not a number.",
        "Sheet Rules: Row 3, Then: Rule 2: There is no field 'Stats'.",
        "Sheet Rules: Row 4, Then: Rule 'a': At least one test must be demanded.",
      ],
    },
    {
      why: 'a second exemption, one without a condition, and what it cannot have',
      sheet: 'Rules',
      lines: [
        RULES,
        ['', '', 'exempt', '', '', '"Paid" is filled'],
        ['', '', 'exempt', '', '"Paid" is blank'],
      ],
      problems: [
        `Sheet Rules: Row 2, Then: '"Paid" is filled' has no meaning for an exemption; leave the cell empty.`,
        'Sheet Rules: Row 2, If: A text is required.',
        'Sheet Rules: Row 3, Severity: Row 2 already has the exemption; there can be one.',
      ],
    },
    {
      why: 'headings of the sheet',
      sheet: 'Rules',
      lines: [['Rule', 'Iff', 'Severity', 'If', 'If 2', 'Then'], ['A']],
      problems: ["Sheet Rules: Row 1, B: 'Iff' is not a heading of a data dictionary; did you mean 'If'?"],
    },
    {
      why: 'rows of lists that do not fit',
      sheet: 'Lists',
      lines: [
        ['List', 'Value', 'Value 2', 'Value 3'],
        ['L', 'A', 'B'],
        ['', 'x'],
        ['L', 'x', 'y', 'z'],
      ],
      problems: [
        'Sheet Lists: Row 3, List: A name is required.',
        'Sheet Lists: Row 4, Value: Each row needs 2 values, one for each column.',
      ],
    },
    {
      why: 'a list without rows',
      sheet: 'Lists',
      lines: [
        ['List', 'Value'],
        ['L', 'A'],
      ],
      problems: ["Sheet Lists: Row 2, List: List 'L': At least one column and one row are required."],
    },
    {
      why: 'unknown settings, and texts that come twice',
      sheet: 'Settings',
      lines: [
        ['Setting', 'Value'],
        ['Counts as blanc', 'x'],
        ['Counts as blank', 'x'],
        ['counts as blank', ' x '],
      ],
      problems: ["Sheet Settings: Row 2, Setting: 'Counts as blanc' is not one of Counts as blank."],
    },
    {
      why: 'texts that come twice',
      sheet: 'Settings',
      lines: [
        ['Setting', 'Value'],
        ['Counts as blank', 'x'],
        ['counts as blank', ' x '],
      ],
      problems: [
        'Sheet Settings: Row 3, Value: A text that counts as blank must not be empty, and named once.',
      ],
    },
  ])('names in other sheets $why, also in a hidden one', async ({ sheet, lines, problems }) => {
    for (const isHidden of [false, true]) {
      const sheetOf = (name: string, rows: readonly (readonly string[])[]) => ({
        name,
        columns: [],
        rows: rows.map((texts, index) => textRow(index + 1, 0, texts)),
        rowCount: () => rows.length,
      })
      const fields = sheetOf(
        'Fields',
        FIELDS.map((line) => line.split('|')),
      )
      const sheets = [fields, { ...sheetOf(sheet, lines), isHidden }]
      const workbook = await joined(
        writeWorkbook({ sheets, styles: { fonts: [], fills: [], formats: [{}] } }, testPlatform()),
      )
      const read = await readDictionary({
        source: bytesSource(workbook),
        fileName: 'dictionary.xlsx',
        platform: testPlatform(),
        limits: portalGuards,
      })
      expect(read).toEqual({ kind: 'problems', problems })
    }
  })

  it('names the sheet where another one comes first', async () => {
    expect((await problemsOf(['Id|Name', '1|2'], 'Data'))[0]).toContain("The first sheet is 'Data'")
  })

  it('is no workbook', async () => {
    const source = bytesSource(testPlatform().encodeUtf8('Field name,Type\n'))
    const request = { source, fileName: 'd.xlsx', platform: testPlatform(), limits: portalGuards }
    expect((await readDictionary(request)).kind).toBe('problems')
  })
})
