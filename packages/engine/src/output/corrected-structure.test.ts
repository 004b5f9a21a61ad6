import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { portalGuards } from '#limits.ts'
import { correctFile, findCausesBelow } from '#output/corrected-file.ts'
import { openTable } from '#source/open-table.ts'
import { findCauses } from '#validate-table.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { fieldOf } from '../../test/fields-of-all-types.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

type Row = readonly string[]
type File = { bytes: Uint8Array; fileName: string; fields: readonly Field[] }

const field = (name: string, rule: Rule, required = true) => fieldOf(name, rule, required)
const FIELDS = [
  field('Member ID', { type: 'pattern', pattern: 'M[0-9]{3}' }),
  field('Name', { type: 'text' }),
  field('Birth date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('State', { type: 'list', options: ['Open', 'Paid', 'Closed'] }),
  field('Amount', { type: 'number', scale: 2 }),
  field('Note', { type: 'text' }, false),
]
const HEADING = FIELDS.map(({ name }) => name)
const RECORDS: readonly Row[] = [
  ['M001', 'Ann', '01/02/1990', 'Open', '1.5', 'first'],
  ['M002', 'Bob', '13/04/1985', 'Paid', '20', ''],
  ['M003', 'Cid "the first"', '30/11/1971', 'Closed', '0.25', 'a, b; c'],
  ['M004', 'Dora', '28/02/2001', 'Paid', '7', ''],
]
const TABLE = [HEADING, ...RECORDS]

const csvOf = (rows: readonly Row[], delimiter = ',', lineEnd = '\r\n', fields = FIELDS): File => {
  const cell = (text: string) => (/[",;\n\t|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const text = rows.map((cells) => cells.map(cell).join(delimiter)).join(lineEnd) + lineEnd
  return { bytes: testPlatform().encodeUtf8(text), fileName: 'claims.csv', fields }
}

/** Numbers are numbers, and each cell has a format of its own column. */
const rowTags = (rows: readonly Row[]): string => {
  const tag = (text: string, column: number, row: number) => {
    const place = `r="${columnLetter(column)}${row}" s="${column % 4}"`
    if (/^\d+(?:\.\d+)?$/.test(text)) return `<c ${place}><v>${text}</v></c>`
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
  }
  const tags = rows.map((cells, index) => {
    const written = cells.map((text, column) => (text === '' ? '' : tag(text, column, index + 1)))
    return `<row r="${index + 1}" spans="1:9">${written.join('')}</row>`
  })
  return tags.join('')
}
const PARTS = {
  'xl/styles.xml':
    '<styleSheet xmlns="m"><fills count="2"><fill/><fill/></fills><cellXfs count="4">' +
    `${'<xf numFmtId="0"/>'.repeat(4)}</cellXfs></styleSheet>`,
}
const workbookOf = (rows: readonly Row[], fields = FIELDS): File => ({
  bytes: buildWorkbook({ rows: rowTags(rows), parts: PARTS }),
  fileName: 'claims.xlsx',
  fields,
})

const requestOf = ({ bytes, fileName, fields }: File) => ({
  source: bytesSource(bytes),
  fileName,
  fields,
  platform: testPlatform(),
  limits: portalGuards,
})

async function causesOf(file: File) {
  const { verdict } = await findCauses(requestOf(file))
  if (verdict.kind === 'passed') return []
  return verdict.kind === 'rowErrors' ? verdict.causes : (verdict.problem.causes ?? [])
}

/** `kind: yes` of each cause of the structure. */
const kindsOf = async (file: File) =>
  (await causesOf(file)).flatMap(({ kind, correctable }) => (correctable ? [`${kind}: ${correctable}`] : []))

async function correct(
  file: File,
  causes: readonly string[] | null = null,
  answers?: Record<string, CorrectionAnswer>,
) {
  const given = new Map(Object.entries(answers ?? {}))
  const corrected = await correctFile({ ...requestOf(file), causes, answers: given })
  if (corrected.kind !== 'copy') return corrected
  const copy = { ...file, bytes: await joined(corrected.bytes()) }
  return { kind: 'copy' as const, copy, outcome: corrected.outcome() }
}

/** The copy of a correction, which must be one. */
async function copyOf(...given: Parameters<typeof correct>) {
  const corrected = await correct(...given)
  if (corrected.kind !== 'copy') throw new Error(JSON.stringify(corrected))
  if (corrected.copy.fileName.endsWith('xlsx')) expect(checkWorkbook(corrected.copy.bytes)).toEqual([])
  return corrected
}

async function rowsOf(file: File): Promise<Row[]> {
  const table = await openTable(requestOf(file))
  const rows = [[...table.header]]
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => [...cells]))
  return rows.map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1))
}
const filled = (rows: readonly Row[]) =>
  rows.map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1))

const move = (row: Row, columns: readonly number[]) => columns.map((column) => row[column] ?? '')
const renamed = (names: Record<string, string>) => [HEADING.map((name) => names[name] ?? name), ...RECORDS]

type Planted = {
  why: string
  table: readonly Row[]
  /** The causes of the structure that the file has at first. */
  kinds: string[]
  /** The table of the copy; null where nothing is sure, so that it stays. */
  right?: readonly Row[] | null
  answers?: Record<string, CorrectionAnswer>
  fields?: readonly Field[]
  /** Rows of a workbook do not end early, and rarely shift. */
  isOfCsv?: boolean
}

const reversed = [5, 4, 3, 2, 1, 0]
const withoutNote = TABLE.map((row) => row.slice(0, 5))

const amountAfterText = [1, 4, 2, 3, 0].map((column) => FIELDS[column])
const withAmount = (cells: string[]) => [
  amountAfterText.map(({ name }) => name),
  [...cells, '13/04/1985', 'Paid', 'M002'],
  ...RECORDS.slice(2).map((row) => move(row, [1, 4, 2, 3, 0])),
]
const divided = (...name: string[]) => TABLE.with(2, ['M002', ...name, ...RECORDS[1].slice(2)])

const optionalName = FIELDS.with(1, field('Name', { type: 'text' }, false))

const planted: Planted[] = [
  { why: 'no heading row', table: RECORDS, kinds: ['headingMissing: yes'] },
  {
    why: 'titles above the heading row',
    table: [['Claims of May'], [], ['Printed by', 'Eve'], ...TABLE],
    kinds: ['titleRows: yes'],
  },
  {
    why: 'a full row above the heading row, which may be a record',
    table: [RECORDS[0], ...TABLE],
    kinds: ['titleRows: choice'],
    right: null,
  },
  {
    why: 'the same, removed by choice',
    table: [RECORDS[0], ...TABLE],
    kinds: ['titleRows: choice'],
    answers: { 'table.titleRows': { choice: 'remove' } },
  },
  {
    why: 'a row above the heading row, half of it filled, which every rule accepts',
    table: [
      ['', 'M001'],
      ['', ...TABLE[0].slice(0, 3)],
      ['', 'M002', 'Bob'],
    ],
    fields: [FIELDS[0], optionalName[1], { ...FIELDS[2], required: false }],
    kinds: ['titleRows: choice'],
    right: null,
  },
  {
    why: 'the same, which one rule refuses',
    table: [
      ['', 'M1'],
      ['', ...TABLE[0].slice(0, 3)],
      ['', 'M002', 'Bob'],
    ],
    fields: [FIELDS[0], optionalName[1], { ...FIELDS[2], required: false }],
    kinds: ['titleRows: yes'],
    right: [
      ['', ...TABLE[0].slice(0, 3)],
      ['', 'M002', 'Bob'],
    ],
  },
  {
    why: 'other spellings of names',
    table: renamed({ 'Member ID': 'member_id', Amount: 'Amount (EUR)', 'Birth date': 'Date of birth' }),
    kinds: ['columnsRenamed: yes'],
  },
  {
    why: 'a name in another language, which may be another date',
    table: renamed({ 'Birth date': 'Aufnahme' }),
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: no'],
    right: null,
  },
  {
    why: 'the same, named by a person',
    table: renamed({ 'Birth date': 'Aufnahme', Note: 'Bemerkung' }),
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: no'],
    answers: {
      'table.columnsRenamed.map': {
        map: new Map([
          ['Aufnahme', 'Birth date'],
          ['bemerkung', 'Note'],
        ]),
      },
    },
  },
  {
    why: 'no name for an optional column, which an empty one must not replace unasked',
    table: renamed({ Name: '' }),
    fields: optionalName,
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: choice'],
    right: null,
  },
  {
    why: 'no names, given by a person',
    table: renamed({ 'Birth date': '', Name: '' }),
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: no'],
    answers: {
      'table.columnsRenamed.map': {
        map: new Map([
          ['column C', 'Birth date'],
          ['Column B', 'Name'],
        ]),
      },
    },
  },
  {
    why: 'names that differ by one letter and mean the opposite',
    table: [['Payer'], ['Ann'], ['Bob']],
    fields: [field('Payee', { type: 'text' })],
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: no'],
    right: null,
  },
  { why: 'another order', table: TABLE.map((row) => move(row, reversed)), kinds: ['columnOrder: yes'] },
  {
    why: 'another order, and other spellings',
    table: renamed({ State: 'STATE_', 'Member ID': 'MemberId' }).map((row) => move(row, reversed)),
    kinds: ['columnsRenamed: yes', 'columnOrder: yes'],
  },
  {
    why: 'a column that the dictionary does not have, which is kept unless a person says otherwise',
    table: TABLE.map(([first, ...rest], row) => [first, row === 0 ? 'Phone' : `07${row}`, ...rest]),
    kinds: ['columnsExtra: choice'],
    right: null,
  },
  {
    why: 'the same, left out by choice, and without an optional column',
    table: withoutNote.map(([first, ...rest], row) => [first, row === 0 ? 'Phone' : `07${row}`, ...rest]),
    kinds: ['columnsRenamed: choice', 'columnsExtra: choice', 'columnsMissing: choice'],
    answers: { 'table.columnsExtra': { choice: 'remove' }, 'table.columnsMissing': { choice: 'add' } },
    right: [HEADING, ...withoutNote.slice(1)],
  },
  {
    why: 'no optional column',
    table: withoutNote,
    kinds: ['columnsMissing: yes'],
    right: [HEADING, ...withoutNote.slice(1)],
  },
  {
    why: 'no required column',
    table: TABLE.map((row) => move(row, [0, 1, 3, 4, 5])),
    kinds: ['columnsMissing: no'],
    right: null,
  },
  {
    why: 'a name twice',
    table: TABLE.map((row) => [...row, row[1]]),
    kinds: ['columnsExtra: choice'],
    answers: { 'table.columnsExtra': { choice: 'remove' } },
  },
  {
    why: 'titles, other spellings and another order together',
    table: [['Claims'], ...renamed({ State: 'STATE_' }).map((row) => move(row, [1, 0, 2, 3, 4, 5]))],
    kinds: ['titleRows: yes'],
  },
  {
    why: 'rows of types and units below the heading row',
    table: [HEADING, ['text', 'text', 'dd/mm/yyyy', 'list', 'EUR', ''], ...RECORDS],
    kinds: ['secondHeading: yes'],
  },
  {
    why: 'the heading row again, and totals',
    table: [HEADING, RECORDS[0], HEADING, ...RECORDS.slice(1), ['Total', '', '', '', '28.75']],
    kinds: ['secondHeading: yes', 'totalsRow: yes'],
  },
  {
    why: 'column names in every column whose rule they break, beside a value',
    table: [...TABLE, HEADING.with(1, 'Smith')],
    kinds: ['secondHeading: no'],
    right: null,
  },
  {
    why: 'the same below a row of column names alone',
    table: [HEADING, RECORDS[0], HEADING.with(5, ''), ...RECORDS.slice(1), HEADING.with(1, 'Smith')],
    kinds: ['secondHeading: yes'],
    right: [...TABLE, HEADING.with(1, 'Smith')],
  },
  {
    why: 'totals of a table that does not begin in the first column',
    table: [...TABLE, ['Total', '', '', '', '28.75']].map((row) => ['', '', ...row]),
    kinds: ['totalsRow: yes'],
    right: TABLE.map((row) => ['', '', ...row]),
  },
  {
    why: 'a row that lacks most values, which may be a record',
    table: [...TABLE, ['Opening balance', '', '', '', '28.75']],
    kinds: ['nearlyEmpty: choice'],
    right: null,
  },
  {
    why: 'notes below a blank row, left out by choice',
    table: [...TABLE, [], ['Preliminary figures'], ['Printed by Eve']],
    kinds: ['nearlyEmpty: choice'],
    answers: { 'rows.nearlyEmpty': { choice: 'remove' } },
  },
  {
    why: 'rows of which most lack nearly all values, so that they are records',
    table: [HEADING, RECORDS[0], ['?'], ['??']],
    kinds: [],
    right: [HEADING, RECORDS[0], ['?'], ['??']],
  },
  {
    why: 'a first record with mistakes',
    table: [HEADING, ['M1', 'text', '1990', 'open', '1,5', ''], ...RECORDS.slice(1)],
    kinds: [],
    right: [HEADING, ['M1', 'text', '1990', 'Open', '1.5', ''], ...RECORDS.slice(1)],
  },
  {
    why: 'a blank cell too many in some rows',
    table: [HEADING, ...RECORDS.map((row, index) => (index % 2 === 0 ? row : [row[0], '', ...row.slice(1)]))],
    kinds: ['shiftedRows: yes'],
  },
  {
    why: 'a cell too few in some rows, where a name may be missing',
    isOfCsv: true,
    table: [HEADING, ...RECORDS.map((row, index) => (index % 2 === 0 ? row : row.toSpliced(1, 1)))],
    kinds: ['shiftedRows: no'],
    right: null,
  },
  {
    why: 'an optional cell too few in some rows',
    isOfCsv: true,
    table: [
      optionalName.map(({ name }) => name),
      ...RECORDS.map((row, index) => (index % 2 === 0 ? row : row.toSpliced(1, 1))),
    ],
    fields: optionalName,
    kinds: ['shiftedRows: yes'],
    right: [HEADING, ...RECORDS.map((row, index) => (index % 2 === 0 ? row : row.with(1, '')))],
  },
  {
    why: 'a value that a separator may have split in two',
    isOfCsv: true,
    table: divided('Bob', ' Jr'),
    kinds: ['shiftedRows: choice'],
    right: null,
  },
  {
    why: 'the same, joined by choice',
    isOfCsv: true,
    table: divided('Bob', ' Jr'),
    kinds: ['shiftedRows: choice'],
    answers: { 'rows.shiftedRows.right': { choice: 'join' } },
    right: TABLE.with(2, RECORDS[1].with(1, 'Bob, Jr')),
  },
  {
    why: 'a text or an amount that a separator may have split in two',
    isOfCsv: true,
    fields: amountAfterText,
    table: withAmount(['Bob', '1', '200.50']),
    kinds: ['shiftedRows: no'],
    right: null,
  },
  {
    why: 'the same, where no amount can be meant',
    isOfCsv: true,
    fields: amountAfterText,
    table: withAmount(['Bob', 'Jr', '200.50']),
    kinds: ['shiftedRows: choice'],
    answers: { 'rows.shiftedRows.right': { choice: 'join' } },
    right: withAmount(['Bob,Jr', '200.50']),
  },
  { why: 'the table as it should be', table: TABLE, kinds: [] },
]

const forms = [
  {
    form: 'CSV',
    fileOf: (table: readonly Row[], fields: readonly Field[]) => csvOf(table, ',', '\r\n', [...fields]),
  },
  {
    form: 'workbook',
    fileOf: (table: readonly Row[], fields: readonly Field[]) => workbookOf(table, [...fields]),
  },
]

describe.for(forms)('The structure of a $form', ({ form, fileOf }) => {
  it.for(planted.filter(({ isOfCsv }) => !isOfCsv || form === 'CSV'))(
    'is corrected: $why',
    async ({ table, kinds, right = TABLE, answers, fields = FIELDS }) => {
      const file = fileOf(table, fields)
      expect((await kindsOf(file)).toSorted()).toEqual(kinds.toSorted())
      const corrected = await correct(file, null, answers)
      if (corrected.kind === 'fileProblem') return expect(right).toBeNull()
      if (corrected.kind !== 'copy') throw new Error(JSON.stringify(corrected))
      expect(await rowsOf(corrected.copy)).toEqual(filled(right ?? table))
    },
  )
})

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('The structure of a file', () => {
  it.for([
    { heading: ',', rows: ';', why: 'the heading row has commas, the rows semicolons' },
    { heading: ';', rows: '\t', why: 'the heading row has semicolons, the rows tabs' },
    { heading: ',', rows: ',', why: 'it is right already' },
  ])('gets one delimiter where $why', async ({ heading, rows }) => {
    const lines = (table: readonly Row[], delimiter: string) =>
      table.map(
        (cells) => `${cells.join(delimiter)}
`,
      )
    const records = RECORDS.map((cells) => cells.map((cell) => cell.replace(/[",;]/g, '')))
    const text = [...lines([HEADING], heading), ...lines(records, rows)].join('')
    const file = { bytes: testPlatform().encodeUtf8(text), fileName: 'a.csv', fields: FIELDS }
    expect(await kindsOf(file)).toEqual(heading === rows ? [] : ['delimiter: yes'])
    const { copy } = await copyOf(file)
    expect(Buffer.from(copy.bytes).toString()).toBe(lines([HEADING, ...records], rows).join(''))
  })

  it('names the rows of the file also for what is found below titles', async () => {
    const file = csvOf([['Claims'], [], ...TABLE, ['Preliminary'], ['Total', '', '', '', '2']])
    const below = await findCausesBelow({ ...requestOf(file), causes: null })
    const total = below!.corrected.find(({ kind }) => kind === 'totalsRow')
    expect(total).toMatchObject({ firstRow: 9, message: 'Row 9 is no record but a total.' })
    expect(below!.causes).toMatchObject([
      {
        firstRow: 8,
        message: '1 row is nearly empty, row 8: perhaps a total or a note.',
        question: 'Can row 8 ("Preliminary") be left out, because it is no record?',
        examples: [{ rowNumber: 8 }],
      },
    ])
  })

  it('gets its names also where it cannot be read to its end', async () => {
    const text = (heading: Row) => `${heading.join()}\n${RECORDS[0].join()}\n"M002,Bob\n`
    const file = csvOf([HEADING])
    const bytes = testPlatform().encodeUtf8(text(HEADING.with(0, 'member_id')))
    const { copy } = await copyOf({ ...file, bytes })
    expect(Buffer.from(copy.bytes).toString()).toBe(text(HEADING))
    expect((await findCauses(requestOf(copy))).verdict).toMatchObject({ problem: { errorType: 3 } })
  })

  it('joins the cells that a person was asked about, and moves no others', async () => {
    const table = [...divided('Bob', ' Jr'), ['M005', '', 'Eve', '01/01/2000', 'Open', '1', '']]
    const file = csvOf(table)
    expect(await kindsOf(file)).toEqual(['shiftedRows: choice'])
    const { copy } = await copyOf(file, null, { [SHIFTED]: { choice: 'join' } })
    expect(await rowsOf(copy)).toEqual(filled(table.with(2, RECORDS[1].with(1, 'Bob, Jr'))))
    expect((await rowsOf((await copyOf(copy)).copy)).at(-1)).toEqual(
      table.at(-1)!.toSpliced(1, 1).slice(0, 5),
    )
  })

  it('has no rows of its own where its delimiter is wrong', async () => {
    const rows = csvOf(RECORDS, ';')
    const bytes = new Uint8Array(Buffer.concat([csvOf([HEADING]).bytes, rows.bytes]))
    const { verdict } = await findCauses(requestOf({ ...rows, bytes }))
    if (verdict.kind !== 'rowErrors') throw new Error(verdict.kind)
    expect(verdict.causeRows.find(({ cause }) => cause === 'table.delimiter')).toMatchObject({ rows: [] })
  })

  it('gets quotes around a name that holds the other delimiter', async () => {
    const fields = [field('Name; title', { type: 'text' }), field('State', FIELDS[3].rule)]
    const file = { bytes: bytesOf('Name; title,State\nAnn;Open\nBob;Paid\n'), fileName: 'a.csv', fields }
    expect(Buffer.from((await copyOf(file)).copy.bytes).toString()).toBe(
      '"Name; title";State\nAnn;Open\nBob;Paid\n',
    )
  })

  it('keeps the delimiter that a line above it names', async () => {
    const file = { ...csvOf(TABLE), bytes: bytesOf(`sep=,\n${HEADING.join()}\nM001;Ann;;Open;1;\n`) }
    expect(await kindsOf(file)).toEqual([])
  })

  it('keeps its delimiter where only some rows have another one', async () => {
    const mixed = csvOf(TABLE)
    const bytes = testPlatform().encodeUtf8(
      `${Buffer.from(mixed.bytes).toString()}M005;Eve;01/01/2000;Open;1;\n`,
    )
    expect(await kindsOf({ ...mixed, bytes })).toEqual([])
  })

  it('asks for the columns that are left once a person has named some', async () => {
    const names = { 'Member ID': 'Nr', 'Birth date': 'Born', Note: 'Text' }
    const heading = HEADING.map((name) => (names as Record<string, string>)[name] ?? name)
    const file = csvOf([heading, ...RECORDS])
    const answers = { 'table.columnsRenamed.map': { map: new Map([['Nr', 'Member ID']]) } }
    const below = await findCausesBelow({
      ...requestOf(file),
      causes: [],
      answers: new Map(Object.entries(answers)),
    })
    expect(below!.corrected.map(({ id }) => id)).toEqual(['table.columnsRenamed.map'])
    const extra = below!.causes.find(({ kind }) => kind === 'columnsExtra')!
    expect(extra.question).toBe('Leave out the columns "Born", "Text" with all values?')
    const { copy } = await copyOf(file, [], answers)
    expect((await rowsOf(copy))[0]).toEqual(heading.with(0, 'Member ID'))
    const leftOut = { ...answers, 'table.columnsExtra': { choice: 'remove' } }
    const { outcome } = await copyOf(file, [], leftOut)
    expect(outcome.structure.find(({ kind }) => kind === 'columnsExtra')!.question).toBe(extra.question)
    expect(outcome.removed.map(({ text }) => text)).toEqual(['"Born"', '"Text"'])
  })

  it('adds an optional column that is missing once a person has named all required ones', async () => {
    const names = { 'Member ID': 'Nr', Note: 'Text' }
    const heading = HEADING.map((name) => (names as Record<string, string>)[name] ?? name)
    const file = csvOf([heading, ...RECORDS])
    const answers = {
      'table.columnsRenamed.map': { map: new Map([['Nr', 'Member ID']]) },
      'table.columnsExtra': { choice: 'remove' },
      'table.columnsMissing': { choice: 'add' },
    }
    const given = { causes: [], answers: new Map(Object.entries(answers)) }
    const below = await findCausesBelow({ ...requestOf(file), ...given })
    expect(below?.corrected.map(({ id }) => id)).toEqual(Object.keys(answers))
    const { copy } = await copyOf(file, [], answers)
    expect((await rowsOf(copy))[0]).toEqual(HEADING)
  })

  it('asks for the code page, and shows what its letters would be', async () => {
    const fields = [field('Name', { type: 'text' }), field('State', FIELDS[3].rule)]
    const file = { bytes: bytesOf('Name,State\nM\xfcller,Open\nJos\xe9,paid\n'), fileName: 'a.csv', fields }
    const [cause] = await causesOf(file)
    expect(cause).toMatchObject({
      kind: 'encoding',
      correctable: 'choice',
      question: expect.stringMatching(/\?$/),
    })
    expect(cause.choices!.map(({ label }) => label)).toContain('windows-1252: Müller, José')
    const answers = { 'table.encoding': { choice: 'windows-1252' } }
    const { copy } = await copyOf(file, null, answers)
    expect(Buffer.from(copy.bytes).toString()).toBe('Name,State\nMüller,Open\nJosé,Paid\n')
    expect(await correct(file)).toMatchObject({ kind: 'fileProblem' })
  })

  it('does not ask for the code page of UTF-16 that is cut off', async () => {
    const text = Buffer.from('\ufeffName,State\nM\xfcller,Open\n', 'utf16le')
    expect(await causesOf({ ...csvOf(TABLE), bytes: new Uint8Array(text.subarray(0, -1)) })).toEqual([])
  })

  it('shows the words whose letters tell the code pages apart', async () => {
    const names = ['M\xfcller', 'Zo\xeb', 'Garc\xeda', 'Jos\xe9', 'Andr\xe1s', 'S\xf8rensen', '\xc5sa']
    const file = { ...csvOf(TABLE), bytes: bytesOf(['Name', ...names, ''].join('\n')) }
    const [cause] = await causesOf(file)
    const examples = cause.choices!.map(({ value, label }) => label.replace(`${value}: `, ''))
    expect(examples[0]).toContain('Sørensen')
    expect(new Set(examples).size).toBe(examples.length)
  })

  it('has no code page where parts of it are UTF-8', async () => {
    const file = { ...csvOf(TABLE), bytes: bytesOf('Name\nM\xc3\xbcller\nJos\xe9\n') }
    expect(await causesOf(file)).toEqual([])
  })

  it.for([{ first: [['Read me'], ['Northwind']] }, { first: [] }])(
    'gets the sheet with the right columns to the first place, by choice, before $first',
    async ({ first }) => {
      const sheets = ['Notes', 'Claims', 'Other'].map(
        (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
      )
      const file = workbookOf(first)
      const link = (number: number) =>
        `<Relationship Id="rId${number}" Type="${LINKS}/worksheet" ` +
        `Target="worksheets/sheet${number}.xml"/>`
      const links = [1, 2, 3].map(link)
      const parts = {
        'xl/worksheets/sheet2.xml': worksheet(rowTags(TABLE.with(1, RECORDS[0].with(3, 'open')))),
        'xl/worksheets/sheet3.xml': worksheet(rowTags([['Else']])),
        'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${links.join('')}</Relationships>`,
      }
      const bytes = buildWorkbook({
        rows: rowTags(first),
        sheets: sheets.join(''),
        parts: { ...PARTS, ...parts },
      })
      const [cause] = await causesOf({ ...file, bytes })
      expect(cause).toMatchObject({ kind: 'otherSheet', choices: [{ value: 'Claims' }] })
      const { copy } = await copyOf({ ...file, bytes }, null, { 'table.otherSheet': { choice: 'Claims' } })
      expect(await rowsOf(copy)).toEqual(filled(TABLE))
    },
  )
})

const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const [MAPPING, SHIFTED] = ['table.columnsRenamed.map', 'rows.shiftedRows.right']
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

describe('A copy with another structure', () => {
  it('has the cells of a CSV byte for byte, in their new places', async () => {
    const cell = fc.constantFrom(
      'a',
      '',
      ' b ',
      '"c, ""d"""',
      ' "e" ',
      '"f\ng"',
      'ü',
      '0,5'.replace(',', '.'),
    )
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
    const names = ['One', 'Two', 'Three', 'Four']
    const fields = names.map((name) => field(name, { type: 'text' }, false))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 9 }),
        fc.array(lineEnd, { minLength: 12, maxLength: 12 }),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        async (rows, ends, order, hasTitle, isLastOpen) => {
          fc.pre(order.some((column, index) => column !== index))
          const records = rows.map((cells) => ['x', ...cells.slice(1)])
          const lines = [order.map((column) => names[column]), ...records]
          // Where each field is in the file, in the order of the fields.
          const places = names.map((_, index) => order.indexOf(index))
          const text = (table: readonly Row[]) =>
            table.map(
              (cells, index) =>
                cells.join(',') + (isLastOpen && index === table.length - 1 ? '' : ends[index]),
            )
          const source = (hasTitle ? ['A title\n'] : []).concat(text(lines)).join('')
          const file = { bytes: testPlatform().encodeUtf8(source), fileName: 'a.csv', fields }
          const { copy, outcome } = await copyOf(file)
          const right = text(lines.map((cells) => move(cells, places))).join('')
          expect(Buffer.from(copy.bytes).toString()).toBe(right)
          expect(outcome.structure.map(({ kind }) => kind)).toEqual([
            ...(hasTitle ? ['titleRows'] : []),
            'columnOrder',
          ])
        },
      ),
      { numRuns: runs(25) },
    )
  })

  it('asks about joined cells with the beginning of a long text', async () => {
    const [cause] = await causesOf(csvOf(divided('x'.repeat(9000), ' Jr')))
    expect(cause.question).toBe(`Are two cells of row 3 one value, "${'x'.repeat(80)}…"?`)
  })

  it('has the name and the joined cells that a person ticked, and every other byte of a CSV', async () => {
    const name = fc.constantFrom('a', ' b ', '"c, ""d"""', ' "e" ', '"f\ng"', 'ü')
    const textOf = (raw: string) => (/^ *"/.test(raw) ? raw.trim().slice(1, -1).replaceAll('""', '"') : raw)
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const note = fc.oneof(name, fc.constantFrom('', ' ', '""'))
    const row = fc.record({ names: fc.array(name, { minLength: 1, maxLength: 2 }), note })
    const chosen = fc.record({
      label: fc.constantFrom('', ' ', '""', 'Name'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      isJoined: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 9 }), chosen, async (rows, of) => {
        const { label, end, isJoined } = of
        const written = (heading: string, isCopy: boolean) => {
          const lines = rows.map(({ names, note: last }) => {
            const cells = isCopy && names.length === 2 ? [quoted(names.map(textOf).join())] : names
            return ['M001', ...cells, '01/02/1990', ' Open', '"1.5"', last].join()
          })
          return [HEADING.with(1, heading).join(), ...lines].map((line) => line + end).join('')
        }
        const bytes = testPlatform().encodeUtf8(written(label, false))
        const isDivided = rows.some(({ names }) => names.length === 2)
        const { copy } = await copyOf({ bytes, fileName: 'a.csv', fields: FIELDS }, null, {
          ...(label !== 'Name' && { [MAPPING]: { map: new Map([['column B', 'Name']]) } }),
          ...(isDivided && isJoined && { [SHIFTED]: { choice: 'join' } }),
        })
        const heading = label === '""' ? '"Name"' : 'Name'
        expect(Buffer.from(copy.bytes).toString()).toBe(written(heading, isJoined))
      }),
      { numRuns: runs(25) },
    )
  })

  it('has the cells of a workbook with their formats, in their new places', async () => {
    const file = workbookOf([['Title'], ...TABLE.map((row) => move(row, reversed))])
    const { copy } = await copyOf(file)
    const sheet = Buffer.from(readZip(copy.bytes).get('xl/worksheets/sheet1.xml')!).toString()
    const formats = [...sheet.matchAll(/<c r="([A-F])(\d)" s="(\d)"/g)].map(([, column, row, style]) => [
      column + row,
      style,
    ])
    const expected = TABLE.flatMap((row, index) =>
      row.flatMap((text, column) =>
        text === '' ? [] : [[`${columnLetter(column)}${index + 1}`, String((5 - column) % 4)]],
      ),
    )
    expect(formats).toEqual(expected)
  })

  it('has the widths of a workbook with their columns', async () => {
    const widths = [11, 12, 13, 14, 15, 16]
    const cols = widths.map(
      (width, column) => `<col min="${column + 1}" max="${column + 1}" width="${width}"/>`,
    )
    const sheet = worksheet(rowTags(TABLE.map((row) => move(row, reversed))))
    const parts = {
      ...PARTS,
      'xl/worksheets/sheet1.xml': sheet.replace('<sheetData>', `<cols>${cols.join('')}</cols><sheetData>`),
    }
    const { copy } = await copyOf({ ...workbookOf([]), bytes: buildWorkbook({ parts }) })
    const copied = readZip(copy.bytes).get('xl/worksheets/sheet1.xml')!
    const written = [...copied.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))
    expect(written).toEqual(widths.toReversed())
  })

  it('corrects the cells under the corrected structure, and lists what it leaves out', async () => {
    const [heading, ...records] = TABLE.map((row) => move(row, reversed))
    const wrong = records.map((row) => row.map((text) => text.replace('13/04/1985', '1985-04-13')))
    for (const file of [
      csvOf([['Claims'], heading, ...wrong]),
      workbookOf([['Claims'], heading, ...wrong]),
    ]) {
      const { copy, outcome } = await copyOf(file)
      expect(await rowsOf(copy)).toEqual(filled(TABLE))
      expect(outcome.corrected).toBe(1)
      expect(outcome.removed).toEqual([{ rowNumber: 1, text: 'Claims' }])
      expect((await findCauses(requestOf(copy))).verdict.kind).toBe('passed')
    }
  })

  it('corrects only the causes that are named, also those that only then appear', async () => {
    const titled = [['Claims'], ...TABLE.map((row) => move(row, reversed))]
    const titles = await copyOf(csvOf(titled), ['table.titleRows'])
    expect(await rowsOf(titles.copy)).toEqual(filled(titled.slice(1)))
    const both = await copyOf(csvOf(titled), ['table.titleRows', 'table.columnOrder'])
    expect(await rowsOf(both.copy)).toEqual(filled(TABLE))
    expect(await correct(csvOf(titled), ['table.columnOrder'])).toEqual({
      kind: 'unknownCauses',
      ids: ['table.columnOrder'],
    })
  })

  it('has the items of a list that a person chose for unknown values, and only for these', async () => {
    const states = ['Offen', 'Bezahlt', 'Paid', 'Offen']
    const table = [HEADING, ...RECORDS.map((row, index) => row.with(3, states[index]))]
    for (const file of [csvOf(table), workbookOf(table)]) {
      const [cause] = await causesOf(file)
      expect(cause).toMatchObject({
        id: 'D.notInList',
        correctable: 'choice',
        question: expect.stringMatching(/\?$/),
        choices: ['Open', 'Paid', 'Closed'].map((value) => ({ value, label: value, suggestions: 0 })),
        values: [
          { value: 'Offen', cells: 2 },
          { value: 'Bezahlt', cells: 1 },
        ],
      })
      const { copy, outcome } = await copyOf(file, null, {
        'D.notInList': { map: new Map([['Offen', 'Open']]) },
      })
      const right = states.map((state) => (state === 'Offen' ? 'Open' : state))
      expect(await rowsOf(copy)).toEqual(
        filled([HEADING, ...RECORDS.map((row, index) => row.with(3, right[index]))]),
      )
      expect(outcome).toMatchObject({ corrected: 2, remaining: 1 })
      for (const map of [new Map([['Other', 'Open']]), new Map([['Offen', 'Void']])])
        expect(await correct(file, null, { 'D.notInList': { map } })).toMatchObject({ kind: 'refused' })
    }
  })

  it('names only what it corrects', async () => {
    const moved = TABLE.map((row) => move([...row, row[1]], [...reversed, 6]))
    const kinds = async (causes: readonly string[] | null, answers?: Record<string, CorrectionAnswer>) =>
      (await copyOf(csvOf(moved), causes, answers)).outcome.structure.map(({ kind }) => kind)
    const keep = { 'table.columnsExtra': { choice: 'keep' } }
    expect(await kinds(null, keep)).toEqual(['columnOrder'])
    expect(await kinds(['table.columnOrder'])).toEqual(['columnOrder'])
  })

  it.for<{ why: string; causes?: string[]; answers?: Record<string, CorrectionAnswer> }>([
    { why: 'a choice without its answer', causes: ['table.columnsExtra'] },
    { why: 'an unknown answer', answers: { 'table.columnsExtra': { choice: 'burn' } } },
    { why: 'an answer where nothing is asked', answers: { 'table.columnsMissing': { choice: 'add' } } },
    {
      why: 'a mapping of what is no mapping',
      answers: { 'table.columnsExtra': { map: new Map([['Aufnahme', 'Name']]) } },
    },
    {
      why: 'an unknown column',
      answers: { 'table.columnsRenamed.map': { map: new Map([['Nobody', 'Birth date']]) } },
    },
    {
      why: 'an unknown field',
      answers: { 'table.columnsRenamed.map': { map: new Map([['Aufnahme', 'Name']]) } },
    },
    {
      why: 'one field for two columns',
      answers: {
        'table.columnsRenamed.map': {
          map: new Map([
            ['Aufnahme', 'Birth date'],
            ['Ort', 'Birth date'],
          ]),
        },
      },
    },
  ])('is refused for $why', async ({ causes = null, answers }) => {
    const file = csvOf(renamed({ 'Birth date': 'Aufnahme', Note: 'Ort' }))
    expect(await correct(file, causes, answers)).toMatchObject({ kind: 'refused' })
  })
})
