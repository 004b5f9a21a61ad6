import type { Field } from '@veridict/contract/model/field'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { labelKey } from '@veridict/contract/notation/label'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { portalGuards } from '#limits.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { correctFile } from '#output/corrected-file.ts'
import { openTable } from '#source/open-table.ts'
import { buildWorkbook, worksheet } from './build-workbook.ts'
import { fieldOf } from './fields-of-all-types.ts'
import { bytesSource, joined, testPlatform } from './test-platform.ts'

type Row = readonly string[]
/** The heading row first. */
type Change = (rows: readonly Row[]) => readonly Row[]

/** A fault of the structure of a table. */
type Fault = {
  readonly plant: Change
  /** What a person answers where a copy cannot know it, by the id of the cause. */
  readonly answers?: Readonly<Record<string, CorrectionAnswer>>
  /** What nobody can put back. */
  readonly loses?: Change
  /** How the file is written, if not as CSV in UTF-8. */
  readonly write?: (rows: readonly Row[]) => Uint8Array
}

const FIELDS: readonly Field[] = [
  fieldOf('Claim Id', { type: 'pattern', pattern: 'CLM-[0-9]{8}' }, true),
  fieldOf('Policy No', { type: 'text', minLength: 8, maxLength: 12 }, true),
  fieldOf('First Name', { type: 'text', maxLength: 40 }, true),
  fieldOf('Birth Date', { type: 'date', format: 'dd/MM/yyyy' }, true),
  fieldOf('Service Date', { type: 'date', format: 'dd/MM/yyyy' }, true),
  fieldOf('Paid Date', { type: 'date', format: 'dd/MM/yyyy' }, false),
  fieldOf('Billed Amount', { type: 'number', scale: 2, minimum: 0, maximum: 100_000 }, true),
  fieldOf('Status', { type: 'list', options: ['Received', 'Paid', 'Denied', 'Under review'] }, true),
  fieldOf('Units', { type: 'number', scale: 0, minimum: 1, maximum: 999 }, true),
  fieldOf('Notes', { type: 'text', maxLength: 200 }, false),
]
const [POLICY, FIRST_NAME, PAID_DATE, STATUS, NOTES] = [1, 2, 5, 7, 9]

const RECORDS = 40

/** A table without faults. Tables of different numbers have other values. */
function cleanTable(number: number): readonly Row[] {
  const oneOf = (texts: readonly string[], index: number) => texts[(index * 7 + number) % texts.length]
  const two = (value: number) => String(value).padStart(2, '0')
  const day = (index: number, year: number) =>
    `${two(((index * 5 + number) % 28) + 1)}/${two((index % 12) + 1)}/${year}`
  const records = Array.from({ length: RECORDS }, (_, index) => [
    `CLM-${10_000_000 + number * 1000 + index}`,
    `P${7_000_000 + ((index * 7919 + number) % 99_991)}`,
    oneOf(['Ann', 'Zoë', 'Bob', 'José', 'Müller', 'Dora', 'Cid', 'Eve'], index),
    day(index, 1950 + index),
    day(index + 3, 2024),
    // Beside a cell that was moved, a blank one would leave open which of both is too many.
    index % 5 === 0 ? '' : day(index + 9, 2025),
    `${(index * 137 + number) % 9000}.${two(index % 100)}`,
    oneOf(['Received', 'Paid', 'Denied', 'Under review'], index),
    `${(index % 60) + 1}`,
    oneOf(['', 'second visit', 'paid, then returned', 'said "later"', ''], index),
  ])
  return [FIELDS.map(({ name }) => name), ...records]
}

const same: Change = (rows) => rows
const heading = (change: (name: string) => string): Change => {
  return ([names, ...records]) => [names.map(change), ...records]
}
const noteRows = ([names]: readonly Row[], texts: readonly string[]) =>
  texts.map((text) => names.map((_, column) => (column === 0 ? text : '')))
const below = (...texts: string[]): Change => {
  return (rows) => [...rows, ...noteRows(rows, texts)]
}
/** In every fifth row. */
const inSome = (change: (row: Row) => Row): Change => {
  return (rows) => rows.map((row, index) => (index % 5 === 3 ? change(row) : row))
}
const unknownColumn: Change = (rows) => rows.map((row, index) => [...row, index === 0 ? 'Batch' : 'B7'])
const withoutSigns: Change = (rows) => rows.map((row) => row.map((text) => text.replace(/[",;\n]/g, '')))
const ofOneByte: Change = (rows) => rows.map((row) => row.map((text) => text.replace(/[^\0-\xff]/g, 'ü')))

/** In the order in which two of them are planted: records, then columns, then heading rows. */
const faults: Readonly<Record<string, Fault>> = {
  'secondHeading, of types': {
    plant: (rows) =>
      rows.toSpliced(
        1,
        0,
        rows[0].map(() => 'text'),
      ),
  },
  totalsRow: { plant: below('Total') },
  nearlyEmpty: {
    plant: below('', 'Preliminary figures', 'Printed by Eve'),
    answers: { 'rows.nearlyEmpty': { choice: 'remove' } },
  },
  columnsMissing: {
    plant: (rows) => rows.map((row) => row.toSpliced(rows[0].indexOf('Paid Date'), 1)),
    answers: { 'table.columnsMissing': { choice: 'add' } },
    loses: ([names, ...records]) => [names, ...records.map((row) => row.with(PAID_DATE, ''))],
  },
  'columnsRenamed, by words': { plant: heading((name) => name.toLowerCase().replaceAll(' ', '_')) },
  'columnsRenamed, by a unit': { plant: heading((name) => name.replace(/Amount$/, 'Amount (USD)')) },
  'columnsRenamed, asked': {
    plant: heading((name) => name.replace('Policy No', 'Vertrag')),
    answers: { 'table.columnsRenamed.map': { map: new Map([['Vertrag', 'Policy No']]) } },
  },
  columnOrder: { plant: (rows) => rows.map((row) => row.toReversed()) },
  columnsExtra: { plant: unknownColumn, answers: { 'table.columnsExtra': { choice: 'remove' } } },
  'secondHeading, repeated': {
    plant: (rows) => [...rows.slice(0, 20), ...rows.slice(0, 1), ...rows.slice(20)],
  },
  titleRows: { plant: (rows) => [...noteRows(rows, ['Claims of May', '', 'Printed by Eve']), ...rows] },
}

/** Those that are planted alone: they leave open what another one is, or are no rows. */
const loneFaults: Readonly<Record<string, Fault>> = {
  headingMissing: { plant: (rows) => rows.slice(1) },
  shortRows: { plant: inSome((row) => row.slice(0, NOTES)), loses: inSome((row) => row.with(NOTES, '')) },
  shiftedRows: { plant: inSome((row) => row.toSpliced(FIRST_NAME, 0, '')) },
  delimiter: {
    plant: same,
    loses: withoutSigns,
    write: (rows) => {
      const [names, ...records] = withoutSigns(rows).map((row, index) => row.join(index === 0 ? ';' : ','))
      return Buffer.from([names, ...records].join('\n'))
    },
  },
  encoding: {
    plant: same,
    loses: ofOneByte,
    write: (rows) => Buffer.from(Buffer.from(csvOf(ofOneByte(rows))).toString(), 'latin1'),
    answers: { 'table.encoding': { choice: 'windows-1252' } },
  },
  otherSheet: { plant: same, write: onSecondSheet, answers: { 'table.otherSheet': { choice: 'Claims' } } },
}

/** What nobody but a person can correct, so that nothing is changed unasked. */
const controls: Readonly<Record<string, Change>> = {
  'nothing wrong': same,
  'a heading in another language': heading((name) => name.replace('Birth Date', 'Aufnahme')),
  'two of them': heading((name) => name.replace(/^(Birth|Service) Date/, '$1tag')),
  'an unknown column': unknownColumn,
  'no required column': (rows) => rows.map((row) => row.toSpliced(POLICY, 1)),
  'records without most values': inSome((row) => row.map((text, column) => (column <= POLICY ? text : ''))),
  'notes below': below('Preliminary figures', 'Opening balance'),
  'a record above the heading row': ([names, first, ...records]) => [first, names, ...records],
  'a first record with words of headings': (rows) =>
    rows.with(1, rows[1].with(FIRST_NAME, 'text').with(STATUS, 'text')),
  'a name that is a word for totals': inSome((row) => row.with(FIRST_NAME, 'Total').with(STATUS, '')),
  'records that lack a required cell': inSome((row) => row.toSpliced(POLICY, 1)),
  'records with another delimiter': inSome((row) => [row.join(';')]),
}

/** How many were planted, and of how many the copy is the clean table; of a control: nothing is changed. */
export type StructureScore = { planted: number; right: number }

/** Plants each fault, each two of them, and the controls. Returns the scores by what was planted. */
export async function measureStructures(number: number): Promise<ReadonlyMap<string, StructureScore>> {
  const scores = new Map<string, StructureScore>()
  const clean = cleanTable(number)
  const add = (name: string, isRight: boolean) => {
    const { planted, right } = scores.get(name) ?? { planted: 0, right: 0 }
    scores.set(name, { planted: planted + 1, right: right + Number(isRight) })
  }
  const isMended = async (of: readonly Fault[]) => {
    const dirty = of.reduce((rows, { plant }) => plant(rows), clean)
    const right = of.reduce((rows, { loses = same }) => loses(rows), clean)
    const answers = new Map(of.flatMap((fault) => Object.entries(fault.answers ?? {})))
    const copy = await correctedRows((of[0].write ?? csvOf)(dirty), answers)
    return JSON.stringify(copy) === JSON.stringify(comparable(right))
  }
  const combined = Object.entries(faults)
  for (const [name, fault] of [...combined, ...Object.entries(loneFaults)]) add(name, await isMended([fault]))
  for (const [index, [name, one]] of combined.entries())
    for (const [other, fault] of combined.slice(index + 1))
      add(`${name} and ${other}`, await isMended([one, fault]))
  for (const [name, change] of Object.entries(controls))
    add(`control: ${name}`, (await correctedRows(csvOf(change(clean)), new Map())) === null)
  return scores
}

const csvOf = (rows: readonly Row[]): Uint8Array => Buffer.from(rows.map(lineOf).join(''))
const lineOf = (row: Row) => `${row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\r\n`

/** Names as files compare them, and no blank cells at the ends of rows. */
const comparable = ([names, ...records]: readonly Row[]): Row[] =>
  [names.map(labelKey), ...records].map((row) => row.slice(0, row.findLastIndex((text) => text !== '') + 1))

/** The rows of the corrected copy; null where nothing is changed. */
async function correctedRows(
  bytes: Uint8Array,
  answers: ReadonlyMap<string, CorrectionAnswer>,
): Promise<Row[] | null> {
  const request = { fields: FIELDS, platform: testPlatform(), limits: portalGuards, fileName: 'claims' }
  const corrected = await correctFile({ ...request, source: bytesSource(bytes), causes: null, answers })
  if (corrected.kind === 'fileProblem') return null
  if (corrected.kind !== 'copy') {
    // Beside another fault it may be sure, or not be there.
    const isAsked = (id: string) => !JSON.stringify(corrected).includes(id)
    return correctedRows(bytes, new Map([...answers].filter(([id]) => isAsked(id))))
  }
  const copy = await joined(corrected.bytes())
  const { structure, corrected: cells } = corrected.outcome()
  if (structure.length + cells === 0) return null
  const table = await openTable({ ...request, source: bytesSource(copy) })
  const rows = [table.header]
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells: texts }) => texts))
  return comparable(rows)
}

/** A workbook whose first sheet is a note. */
function onSecondSheet(rows: readonly Row[]): Uint8Array {
  const links = [1, 2].map(
    (id) => `<Relationship Id="rId${id}" Type="${LINKS}/worksheet" Target="worksheets/sheet${id}.xml"/>`,
  )
  return buildWorkbook({
    sheets: '<sheet name="Notes" sheetId="1" r:id="rId1"/><sheet name="Claims" sheetId="2" r:id="rId2"/>',
    rows: sheetRows([['Read me']]),
    parts: {
      'xl/worksheets/sheet2.xml': worksheet(sheetRows(rows)),
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${links.join('')}</Relationships>`,
    },
  })
}

const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

const sheetRows = (rows: readonly Row[]): string =>
  rows
    .map((cells, index) => {
      const tags = cells.map(
        (text, column) =>
          `<c r="${columnLetter(column)}${index + 1}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`,
      )
      return `<row r="${index + 1}">${tags.join('')}</row>`
    })
    .join('')
