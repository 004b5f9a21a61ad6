import type { Verdict } from '@veridict/contract/model/verdict'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { bytesSource, joined } from '../../test/test-platform.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Tree', { type: 'text' }, true),
  field('Height', { type: 'number' }),
  field('Planted', { type: 'date', format: 'dd/MM/yyyy' }, true),
  field('Health', { type: 'list', options: ['good', 'poor', 'Code'] }),
  field('Tag', { type: 'pattern', pattern: '[A-Z][0-9]{3}' }),
]
const GOOD = ['Oak;12.5;01/02/1990;good;A100', 'Elm;9;11/12/2001;poor;']

/** Rows with semicolons, as a CSV file and as a workbook. */
function requestsFor(rows: readonly string[], fields = FIELDS) {
  const cells = [fields.map(({ name }) => name), ...rows.map((row) => row.split(';'))]
  const tag = (text: string) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  const workbook = buildWorkbook({
    rows: cells
      .map((row) => `<row>${row.map((text) => tag(text.replace('<', '&lt;'))).join('')}</row>`)
      .join(''),
  })
  const csv = requestFor(
    fields,
    cells.slice(1).map((row) => row.map((text) => `"${text}"`).join()),
  )
  return [csv, { ...csv, fileName: 'a.xlsx', source: bytesSource(workbook) }]
}

/** The kinds of the causes of a row. */
function kindsIn(verdict: Verdict, rowNumber: number): string[] {
  if (verdict.kind !== 'rowErrors') return []
  const row = verdict.rows.find((one) => one.rowNumber === rowNumber)
  const ids = new Set(row?.columnValidationErrors.map(({ cause }) => cause))
  return verdict.causes.filter(({ id }) => ids.has(id)).map(({ kind }) => kind)
}

describe('A second heading row', () => {
  it.for([
    { row: 'text;number;date;list;code', why: 'types' },
    { row: 'String;Decimal;DATE;Category;Pattern', why: 'other names of types' },
    { row: 'varchar(50);decimal(5,1);timestamp;enum;char(4)', why: 'types of a database' },
    { row: 'Text (50);Number, 1 decimal;date dd.mm.yyyy;single choice;', why: 'types with more words' },
    { row: 'text*;integer >= 0;yyyy;list;', why: 'types with their bounds' },
    { row: 'Text;Zahl;Datum;Liste;', why: 'types in German' },
    { row: 'texte;nombre;jj/mm/aaaa;liste;', why: 'types in French' },
    { row: ';;dd/mm/yyyy;;', why: 'the form of the dates alone' },
    { row: 'mandatory;optional;mandatory;optional;optional', why: 'what is mandatory' },
    { row: 'Required;;Required;;', why: 'also where the rest is blank' },
    { row: 'text, mandatory;number (optional);date - required;list;', why: 'both' },
    { row: ';m;;;', why: 'a unit' },
    { row: 'Unit;cm;;;', why: 'a unit with its word' },
    { row: '-;m;-;-;-', why: 'a unit beside dashes' },
    { row: ';[m];;;', why: 'a unit in brackets' },
    { row: ';(m);(year);(code);', why: 'others in brackets' },
    { row: ';<km/h>;;;', why: 'a unit of two in brackets' },
    { row: ';hPa;;;', why: 'a unit that stands in headings only' },
    { row: ';no unit;;;', why: 'no unit' },
    { row: ';EUR/m²;;;', why: 'a unit with a power' },
    { row: ';(furlongs);;;', why: 'a unit that is not known, in brackets' },
  ])('is one cause of its row, without corrections: $why', async ({ row }) => {
    for (const request of requestsFor([row, ...GOOD])) {
      const verdict = await validateTable(request)
      expect(verdict).toMatchObject({
        causes: [
          {
            id: 'rows.secondHeading',
            columnPosition: null,
            rows: 1,
            firstRow: 2,
            suggestions: 0,
            message: 'Row 2 is no record but a second heading row: it describes the columns.',
          },
        ],
        rows: [{ rowNumber: 2 }],
      })
    }
  })

  it.for([
    { row: 'Oak;m;;;', why: 'a name beside a unit' },
    { row: 'Oak;many;long ago;fine;x', why: 'nothing but mistakes' },
    { row: ';tall;;fine;', why: 'mistakes without a name' },
    { row: 'text;12;date;list;', why: 'a value among words' },
    { row: 'text;12 m;date;list;', why: 'a value with its unit' },
    { row: 'Date;9;1990;code;A1', why: 'words that are values' },
    { row: 'Unit;;;CODE;', why: 'an item in other letters' },
    { row: ';;;(good);', why: 'an item in brackets' },
    { row: 'n/a;-;unknown;none;', why: 'placeholders' },
    { row: ';(25.00);;;', why: 'a number in brackets' },
    { row: ';12,5;;;', why: 'a decimal comma' },
    { row: 'm;;;m;', why: 'a letter that is a unit elsewhere' },
    { row: 'Year;;;f;', why: 'words that texts may be' },
    { row: ';;01/02;;', why: 'a part of a date' },
    { row: 'Oak;;;text;;text', why: 'a cell outside the table' },
  ])('is none of a first record with mistakes: $why', async ({ row }) => {
    for (const request of requestsFor([row, ...GOOD])) {
      const verdict = await validateTable(request)
      expect(kindsIn(verdict, 2)).not.toContain('secondHeading')
      expect(kindsIn(verdict, 2)).not.toEqual([])
    }
  })

  it('is none below the first record, and none of a column of such words', async () => {
    const units = Array.from({ length: 4 }, () => ';m;;;')
    for (const rows of [[GOOD[0], 'text;number;date;list;code'], units])
      for (const request of requestsFor(rows))
        expect(kindsIn(await validateTable(request), 3)).not.toContain('secondHeading')
  })

  it('may be followed by another one, and by blank rows', async () => {
    const rows = [';;;;', 'text;number;date;list;', ';;;;', ';m;;;', 'Oak;tall;01/02/1990;good;']
    for (const request of requestsFor(rows)) {
      const verdict = await validateTable(request)
      expect([3, 5, 6].map((row) => kindsIn(verdict, row))).toEqual([
        ['secondHeading'],
        ['secondHeading'],
        ['notANumber'],
      ])
      expect(verdict).toMatchObject({
        causes: [
          { message: expect.stringContaining('2 rows from row 3 on are no records'), rows: 2 },
          { cells: 1 },
        ],
      })
    }
  })

  it('is left out by a corrected copy, which corrects the records', async () => {
    const [request] = requestsFor([';m;;N/A;', 'Oak;12,5;27.02.1990;N/A;A100'])
    const copy = await correctFile({ ...request, limits: portalGuards, causes: null })
    if (copy.kind !== 'copy') throw new Error(copy.kind)
    const text = Buffer.from(await joined(copy.bytes())).toString()
    expect(text.split('\n').slice(1)).toEqual(['"Oak","12.5","27/02/1990","","A100"'])
    expect(copy.outcome()).toMatchObject({ corrected: 3, remaining: 0 })
  })
})
