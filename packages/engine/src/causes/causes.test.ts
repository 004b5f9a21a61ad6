import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause, CauseExample } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '#byte-source.ts'
import { ShiftDetector } from '#causes/shifted-row.ts'
import type { DiagnosedCell } from '#causes/diagnosed-cells.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import { findCauses, validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { type DiagnosedRow, diagnosedRows } from '../../test/diagnosed-rows.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'
import { field, PEOPLE, requestFor, verdictOf } from '../../test/verdict-of-rows.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
describe('A cause of whole rows', () => {
  it.for([
    {
      kind: 'shiftedRows',
      detail: 'right',
      row: ',P002,Ann,31/12/2001,12.50,Open',
      cells: 5,
      why: 'a cell was inserted',
    },
    {
      kind: 'shiftedRows',
      detail: 'left',
      row: 'P002,31/12/2001,12.50,Open',
      cells: 3,
      why: 'a cell is missing',
    },
    {
      kind: 'shiftedRows',
      detail: 'right',
      row: ',P002,Ann,31/02/2001,12.50,Open',
      cells: 5,
      why: 'a cell was inserted, and another is bad in its own column, too',
    },
  ])('takes all bad cells of a row: $why', async ({ kind, detail, row, cells }) => {
    const good = 'P001,Bob,25/12/2000,1.50,Closed'
    const { causes, rows } = await verdictOf(PEOPLE, [good, row, row])
    expect(causes).toHaveLength(1)
    expect(causes[0]).toMatchObject({
      id: `rows.${kind}.${detail}`,
      kind,
      columnPosition: null,
      label: null,
      rows: 2,
      firstRow: 3,
      cells: 2 * cells,
      suggestions: 0,
    })
    expect(causes[0].message).toContain('row 3')
    expect(rows[0].columnValidationErrors.map(({ suggestion }) => suggestion)).not.toContain('Open')
  })

  it.for([
    { row: 'P2,Bob,2000-12-25,"1,50",open', why: 'each value nearly fits its own column' },
    { row: ',,,1.50,x', why: 'little is in the row but a value of no column' },
    { row: 'x,Bob,y,z,q', why: 'the values fit no column' },
    { row: 'P002,Bob,12.50,y,Open', why: 'one value stands one column too far left, as one of two' },
    { row: 'x,P002,y,31/12/2001,z,Open', why: 'half of the values fit no neighbour' },
  ])('is not found where $why', async ({ row }) => {
    const { causes } = await verdictOf(PEOPLE, [row])
    expect(causes.map(({ columnPosition }) => columnPosition)).not.toContain(null)
  })

  const REPORTS = [
    field('Code', { type: 'pattern', pattern: '[A-Z]{2}[0-9]' }, true),
    field('Shade', { type: 'list', options: ['red', 'blue'] }, true),
    field('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
    field('Level', { type: 'list', options: ['low', 'high'] }, true),
    field('Plot', { type: 'pattern', pattern: '[0-9]{1,2}' }),
  ]
  const asWorkbook = (fields: readonly Field[], row: string) => ({
    ...requestFor(fields, []),
    fileName: 'a.xlsx',
    source: bytesSource(
      buildWorkbook({
        rows: [fields.map(({ name }) => name), row.split(',')]
          .map(
            (cells) =>
              `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
          )
          .join(''),
      }),
    ),
  })

  it.for([
    { row: 'XY2,AB1,red,low,7', bad: 'BC', why: 'they fit the columns on their left' },
    { row: 'XY2,blue,red,01/02/2020,7', bad: 'CD', why: 'further right' },
    { row: 'XY2,blue,01/02/2020,01/02/2020,high', bad: 'DE', why: 'in the last columns' },
    { row: 'XY2,AB1,red,01/02/2020,high', bad: 'BCDE', why: 'four of them' },
    { row: ',AB1,red,01/02/2020', fields: 4, bad: 'ABCD', why: 'and no column may be empty behind them' },
    { row: '01/02/2020,01/02/2020,05/06/2020,high', fields: 4, bad: 'AB', why: 'one fits no column' },
    { row: 'red,01/02/2020,05/06/2020,high', fields: 4, bad: 'AB', why: 'they fit those on their right' },
  ])('is not found where a row has all its cells: $why', async ({ row, fields = 5, bad }) => {
    const own = REPORTS.slice(0, fields)
    const workbook = await validateTable(asWorkbook(own, row))
    for (const verdict of [await verdictOf(own, [row]), workbook]) {
      const causes = verdict.kind === 'rowErrors' ? verdict.causes : []
      expect(causes.map(({ columnPosition }) => columnPosition).sort()).toEqual([...bad])
    }
  })

  it.for([
    {
      row: 'XY2,AB1,red,01/02/2020,high,',
      kind: 'shiftedRows',
      detail: 'right',
      why: 'an empty cell too many',
    },
    {
      row: ',AB1,red,01/02/2020,high',
      kind: 'shiftedRows',
      detail: 'right',
      why: 'after an empty cell, before room',
    },
    { row: 'red,01/02/2020,high,', kind: 'shiftedRows', detail: 'left', why: 'it ends too early' },
    { row: 'red,01/02/2020,high,7,', kind: 'shiftedRows', detail: 'left', why: 'its last cell is empty' },
    {
      row: 'red,01/02/2020,high,',
      fields: 4,
      kind: 'shiftedRows',
      detail: 'left',
      why: 'its last, required cell is empty',
    },
  ])('is found where a row has room for it: $why', async ({ row, fields, kind }) => {
    const { causes } = await verdictOf(REPORTS.slice(0, fields), [row])
    expect(causes.map((cause) => cause.kind)).toEqual([kind])
  })

  it('is found where each of its bad cells is known by itself', async () => {
    const stamp = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
    const fields = [
      field('Code', { type: 'pattern', pattern: '[A-Z]{2}[0-9]' }, true),
      field('Stamp', { type: 'pattern', pattern: stamp }, true),
      field('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
      field('Level', { type: 'list', options: ['low', 'high'] }, true),
      field('Note', { type: 'text' }),
    ]
    const good = ['AB1', '2024-02-03', '25/12/2020', 'low', 'x']
    const isoDays = Array.from({ length: 9 }, (_, index) => `2001-12-1${index}`)
    const days = ['', ...isoDays]
    const bad = [['Total', ''], [''], days, ['', '31/12/2001']]
    const known = bad.flatMap((values, column) =>
      values.map((value) =>
        good
          .with((column + 1) % 4, 'z')
          .with(column, value)
          .join(','),
      ),
    )
    const rows = Object.entries({
      shiftedRows: 'AB1,,2001-12-31,31/12/2001,low',
      nearlyEmpty: ',,,,x',
      totalsRow: 'Total,,,low,x',
    })
    const whole = rows.map(([, row]) => row)
    const request = requestFor(fields, [known, known, known, whole, whole, whole].flat())
    const verdict = await validateTable({ ...request, maxErrorRows: 1, maxCauseRows: 1 })
    const causes = verdict.kind === 'rowErrors' ? verdict.causes : []
    const ofRows = causes.filter(({ columnPosition }) => columnPosition === null)
    expect(ofRows.map(({ kind, rows: count }) => [kind, count]).sort()).toEqual(
      rows.map(([kind]) => [kind, 3]).sort(),
    )
  })

  it('is found in a row of names that are known by themselves', async () => {
    const fields = ['Speed', 'Height'].map((name) => field(name, { type: 'number' }))
    const known = ['Speed,x', 'x,Height']
    const request = requestFor(fields, [known, known, known, Array(3).fill('Speed,Height')].flat())
    const verdict = await validateTable({ ...request, maxErrorRows: 1, maxCauseRows: 1 })
    expect(verdict).toMatchObject({ causes: [{}, {}, { kind: 'secondHeading', rows: 3 }] })
  })

  it('is not found where neighbouring lists have options in common', async () => {
    const times = [1, 2, 3, 4].map((hour) =>
      field(`Time ${hour}`, { type: 'list', options: [0, 1, 2].map((later) => `${hour + later}:00`) }),
    )
    const { causes } = await verdictOf(times, ['1:00,1:00,2:00,3:00'])
    expect(causes.map(({ columnPosition }) => columnPosition).sort()).toEqual(['B', 'C', 'D'])
  })

  it.for([
    { rule: { type: 'date', format: 'dd/MM/yyyy' }, value: '45291', kind: 'excelSerial' },
    { rule: { type: 'list', options: ['Yes', 'No'] }, value: '1', kind: 'variant' },
  ] as const)('is not found where numbers stand beside each number column: $kind', async (other) => {
    const fields = [1, 2, 3, 4].flatMap((visit) => [
      field(`Score ${visit}`, { type: 'number' }),
      field(`Visit ${visit}`, { ...other.rule }),
    ])
    const row = Array.from({ length: 4 }, () => `7.5,${other.value}`).join(',')
    for (const ordered of [fields, fields.toReversed()]) {
      const { causes } = await verdictOf(ordered, [
        ordered === fields ? row : row.split(',').reverse().join(),
      ])
      expect(causes.map(({ kind }) => kind)).toEqual(Array(4).fill(other.kind))
    }
  })

  it('is asked for once for each value', async () => {
    let checks = 0
    const [born, status] = [PEOPLE[2], PEOPLE[4]]
    const fields = [born, status, { ...born, name: 'Died' }]
    const compiled = await compileColumns(fields, { kind: 'csv', delimiter: 0x2c }, platform)
    const columns = compiled.map((column) => ({
      ...column,
      check: (text: string) => (checks++, column.check(text)),
    }))
    const detector = new ShiftDetector(columns)
    const cells = ['', '31/12/2001', 'Open'].flatMap((value, column) => {
      const fault = compiled[column].check(value)
      if (fault === null) return []
      return [{ column, fault, value, memo: null }]
    })
    checks = 0
    const row = { isTooLong: () => true }
    for (let times = 0; times < 2; times++) expect(detector.shiftOf(cells, row)).toBe(1)
    // By both neighbours, and by the only one of the last column; an empty cell by none.
    expect(checks).toBe(3)
  })
})

describe('A cause', () => {
  it('says that all values of a column are written in another format', async () => {
    const born = field('Date of birth', { type: 'date', format: 'dd/MM/yyyy' }, true)
    const rows = Array.from(
      { length: 500 },
      (_, index) => `1980-05-${String(1 + (index % 28)).padStart(2, '0')}`,
    )
    const { causes } = await verdictOf([born], rows)
    expect(causes).toMatchObject([{ id: 'A.dateFormat.yyyy-MM-dd', cells: 500, suggestions: 500 }])
    expect(causes[0].message).toBe('All 500 values of "Date of birth" are written yyyy-MM-dd.')
  })

  it('says how many swapped dates pass with a wrong meaning', async () => {
    const born = field('Born', { type: 'date', format: 'dd/MM/yyyy' }, true)
    const swapped = ['12/25/2024', '01/31/2024', '03/04/2024', '11/02/2024', '05/05/2024']
    const { verdict, conclusion } = await findCauses(requestFor([born], swapped))
    expect(conclusion!.passedWrong).toEqual([{ column: 0, label: 'Born', cells: 2 }])
    expect(verdict).toMatchObject({
      causes: [
        {
          kind: 'dateOrder',
          cells: 2,
          passed: 2,
          message: expect.stringContaining('2 other values of "Born" pass'),
        },
      ],
    })
  })

  it('says nothing of values that pass where one valid date shows the right order', async () => {
    const born = field('Born', { type: 'date', format: 'dd/MM/yyyy' }, true)
    const { conclusion } = await findCauses(requestFor([born], ['12/25/2024', '03/04/2024', '25/12/2024']))
    expect(conclusion!.passedWrong).toEqual([])
    expect(conclusion!.causes[0]).not.toHaveProperty('passed')
  })

  it.for([
    { values: ["'1200", "'1300"], find: "find ' and replace it with nothing.", why: 'the sign of quotes' },
    {
      values: ['“1200”', '“1300”'],
      find: 'find “ and replace it with nothing, then ” in the same way.',
      why: 'typographic quotes',
    },
    { values: ['12 mg/dl', '7 mg/dL'], find: 'find mg/dl and replace it with nothing.', why: 'a unit' },
    { values: ['12 m2', '7 m2'], find: 'find m2 and replace it with nothing.', why: 'a unit with a digit' },
    { values: ['12 fl oz'], find: 'find fl oz and replace it with nothing.', why: 'a unit of two words' },
    { values: ['12 kgs.'], find: 'find kgs. and replace it with nothing.', why: 'a unit with a full stop' },
    {
      values: ['12 kg', '7 kgs'],
      find: 'find kgs and replace it with nothing, then kg in the same way.',
      why: 'a unit that is written in two ways',
    },
  ])('names in its advice what to find: $why', async ({ values, find }) => {
    const { causes } = await verdictOf([field('Count', { type: 'number' })], values)
    expect(causes[0].advice).toContain(find)
  })

  it('groups its examples by value, the most frequent first', async () => {
    const rule = { type: 'list', options: ['Professional', 'Private'] } as const
    const rows = ['Privte', 'Profesional', 'Profesional', 'Private', 'Profesional']
    const { causes } = await verdictOf([field('Kind', rule)], rows)
    expect(causes).toHaveLength(1)
    expect(causes[0].examples).toEqual([
      { rowNumber: 3, value: 'Profesional', suggestion: 'Professional', count: 3 },
      { rowNumber: 2, value: 'Privte', suggestion: 'Private', count: 1 },
    ])
  })

  it('names the start that all too long texts have', async () => {
    const { causes } = await verdictOf(
      [field('Code', { type: 'text', maxLength: 5 })],
      ['IDX-12345', 'IDX-77777', 'IDX-00001'],
    )
    expect(causes[0].message).toBe(
      '3 values of "Code" are too long by 4 characters each.'.replace('3', 'All 3'),
    )
    expect(causes[0].advice).toContain('"IDX-"')
  })

  it('names of that start what ends at a separator', async () => {
    const { causes } = await verdictOf(
      [field('Code', { type: 'text', maxLength: 8 })],
      ['KST-CC9045', 'KST-CC6742', 'KST-CC8139'],
    )
    expect(causes[0].advice).toContain('find "KST-" and')
  })

  it('stays with the columns where a row of few columns lacks most values', async () => {
    const fields = ['Id', 'Name', 'City'].map((name) => field(name, { type: 'text' }, true))
    const { causes } = await verdictOf(fields, ['1,Ann,Rome', '2,,'])
    expect(causes.map(({ kind }) => kind)).toEqual(['required', 'required'])
  })

  it.for([
    { last: 'P003,Eve,31/12/2000,1.50,Open', suggestion: '03/04/2001', why: 'of a record' },
    { last: 'Total,,31/12/2000,,', suggestion: null, why: 'not of a total' },
    { last: 'Endsaldo:,,31/12/2000,,', suggestion: null, why: 'not of a balance' },
  ])('of dates takes its order from the valid value $why', async ({ last, suggestion }) => {
    const rows = ['P001,Ann,3/4/2001,1.50,Open', 'P002,Bob,3/4/2001,2.50,Open']
    const { causes } = await verdictOf(PEOPLE, [...rows, last])
    const ofDates = causes.find(({ label }) => label === 'Born')
    expect(ofDates?.examples.map((example) => example.suggestion)).toEqual([suggestion])
  })

  it.for([
    { row: `,,,${',x'.repeat(6)}`, why: 'whose optional values are there' },
    { row: `Total Energies,a,,${',x'.repeat(6)}`, why: 'whose first value only begins with the word' },
    { row: `a,Total,,${',x'.repeat(6)}`, why: 'with the word in another column' },
  ])('stays with the columns in a row $why', async ({ row }) => {
    const code: Rule = { type: 'pattern', pattern: '[a-z]' }
    const required = ['A', 'B', 'C', 'D'].map((name) => field(name, code, true))
    const optional = ['E', 'F', 'G', 'H', 'I', 'J'].map((name) => field(name, code))
    const good = Array.from({ length: 10 }, () => 'x').join()
    const { causes } = await verdictOf([...required, ...optional], [good, row, good])
    expect(causes.map(({ id }) => id).filter((id) => id.startsWith('rows.'))).toEqual([])
  })

  it('of rows that lack most values does not take them for totals where most rows do', async () => {
    const fields = ['Id', 'Name', 'City', 'Street', 'Phone'].map((name) =>
      field(name, { type: 'text' }, true),
    )
    const { causes } = await verdictOf(fields, ['1,,,,', '2,,,,', '3,Ann,Rome,Via Roma,1'])
    expect(causes.map(({ kind, message, advice }) => [kind, message, advice.split('.')[0]])).toEqual([
      ['nearlyEmpty', '2 rows lack most required values, the first is row 2.', 'Fill in the empty cells'],
    ])
  })

  it('says which percentages have no suggestion, and why', async () => {
    const share = field('Share', { type: 'number', scale: 4, minimum: 0, maximum: 1 })
    const { causes } = await verdictOf([share], ['1%', '0%', '12%', '55%'])
    expect(causes[0]).toMatchObject({ kind: 'percent', cells: 4, suggestions: 3 })
    expect(causes[0].advice).toBe(
      'Write plain numbers: 0 instead of 0%. 1 other value has no certain number, as 1% may be 1 or ' +
        '0.01: correct it by hand.',
    )
  })

  it('names a unit as the file writes it', async () => {
    const { causes } = await verdictOf([field('Units', { type: 'number' })], ['3 units', '1 unit', '12 pcs'])
    expect(causes[0].message).toBe('All 3 values of "Units" are written with the unit "units".')
  })

  it('of a pattern says first what the description of the field says', async () => {
    const code = field('Code', { type: 'pattern', pattern: '[A-Z]{2}' }, true, 'Two capital letters')
    const { causes } = await verdictOf([code], ['1', '2'])
    expect(causes[0].message).toBe(
      'Both values of "Code" have another form than required: Two capital letters.',
    )
  })

  it('is known in a second reading for every bad cell', async () => {
    const rows = [
      'P001,Bob,2000-12-25,"1,50",open',
      ',P002,Ann,31/12/2001,12.50,Open',
      'P3,,3/4/2001,x,Closd',
    ]
    const request = requestFor(PEOPLE, rows)
    const { verdict, conclusion } = await findCauses(request)
    if (verdict.kind !== 'rowErrors') throw new Error('No errors')
    const table = await openTable({ ...request, limits: portalGuards })
    const columns = await compileColumns(PEOPLE, table.terminators, platform, table.firstColumn)
    const again = await diagnosedRows(table, columns, conclusion!)
    expect(
      again.map(({ rowNumber, cells }) => [
        rowNumber,
        cells.map(({ cause, suggestion }) => [cause, suggestion]),
      ]),
    ).toEqual(
      verdict.rows.map(({ rowNumber, columnValidationErrors }) => [
        rowNumber,
        columnValidationErrors.map(({ cause, suggestion }) => [cause, suggestion]),
      ]),
    )
  })

  it.for([
    { why: 'beside an empty cell', required: false, other: '1' },
    { why: 'beside an empty cell that is required', required: true, other: '1' },
    { why: 'not beside another bad cell', required: true, other: 'x' },
  ])('counts cells without a suggestion where their row would be blank: $why', async (given) => {
    const { required, other } = given
    const [a, b, c] = ['A', 'B', 'C'].map((name) => field(name, { type: 'number' }))
    const fields = [a, { ...b, required }, c]
    const rows = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 'N/A,,' : `N/A,${other},`))
    const verdict = await validateTable({ ...requestFor(fields, rows), maxErrorRows: 1 })
    const ofPlaceholders = expect.objectContaining({ kind: 'placeholder', cells: 200, suggestions: 100 })
    expect(verdict).toMatchObject({ causes: expect.arrayContaining([ofPlaceholders]) })
  })

  it('is not that of the same text with another fault', async () => {
    const cell = (type: string, row: number) =>
      `<row r="${row}"><c r="A${row}" t="${type}"><v>#N/A</v></c></row>`
    const source = bytesSource(
      buildWorkbook({
        rows: '<row r="1"><c r="A1" t="str"><v>Speed</v></c></row>' + cell('str', 2) + cell('e', 3),
      }),
    )
    const fields = [field('Speed', { type: 'number' })]
    const verdict = await validateTable({ source, fileName: 'a.xlsx', fields, platform })
    expect(verdict).toMatchObject({ causes: [{ kind: 'placeholder' }, { kind: 'errorCell' }] })
  })

  it('has an id that needs no escape in an address', async () => {
    const rows = ['31/12/2024', '3 Dec 2024', 'Dec 3rd, 2024', '2024-12-31 10:00', '12,5', '5 km/h', '#####']
    const fields = [field('Day', { type: 'date', format: 'yyyy-MM-dd' }), field('Speed', { type: 'number' })]
    const { causes } = await verdictOf(
      fields,
      rows.map((text) => `"${text}","${text}"`),
    )
    for (const { id } of causes) expect(encodeURIComponent(id)).toBe(id)
  })
})

describe('Dates of a workbook that a spreadsheet took for its own order', () => {
  const SERIAL_2024_03_04 = 45_355
  const SERIAL_2024_04_25 = 45_407
  /** Texts are the dates that it could not take. */
  async function causeOf(cells: readonly (string | number)[], format = 'MM/dd/yyyy') {
    const rows = cells.map((cell, index) => {
      const at = `A${index + 2}`
      return typeof cell === 'number'
        ? `<row r="${index + 2}"><c r="${at}" s="1"><v>${cell}</v></c></row>`
        : `<row r="${index + 2}"><c r="${at}" t="str"><v>${cell}</v></c></row>`
    })
    const header = '<row r="1"><c r="A1" t="str"><v>Born</v></c></row>'
    const verdict = await validateTable({
      source: bytesSource(
        buildWorkbook({ rows: header + rows.join(''), formats: '<xf numFmtId="0"/><xf numFmtId="14"/>' }),
      ),
      fileName: 'a.xlsx',
      fields: [field('Born', { type: 'date', format })],
      platform,
    })
    if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
    return verdict.causes[0]
  }

  it('are swapped where no true date has a day above 12: those pass with a wrong meaning', async () => {
    const { kind, message } = await causeOf(['25/12/2024', SERIAL_2024_03_04, '31/01/2024'])
    expect([kind, message]).toEqual(['dateOrder', expect.stringContaining('1 other value')])
  })

  it('are right where a true date has a day above 12', async () => {
    const { message } = await causeOf(['25/12/2024', SERIAL_2024_03_04, SERIAL_2024_04_25])
    expect(message).not.toContain('wrong meaning')
  })

  describe('where the format begins with the year', () => {
    const texts = ['25/12/2024', '31/1/2024', '13/5/2024']
    /** 1 March to 9 March 2024, which were 3 January to 3 September: only 3 March is the same day. */
    const early = Array.from({ length: 9 }, (_, index) => SERIAL_2024_03_04 - 3 + index)

    it('are swapped, too, and the advice is to read the first file again', async () => {
      const { kind, passed, message, advice } = await causeOf([...texts, ...early], 'yyyy-MM-dd')
      expect({ kind, passed }).toEqual({ kind: 'dateFormat', passed: 8 })
      expect(message).toContain('8 other values of "Born" pass with a wrong meaning: a spreadsheet took')
      expect(advice).toContain('a country whose dates are written d/M/yyyy')
    })

    it.for([
      { why: 'a true date has a day above 12', cells: [...texts, ...early, SERIAL_2024_04_25] },
      { why: 'a text has two meanings', cells: [...texts, ...early, '3/4/2024'] },
      { why: 'a text is in the format of the field', cells: [...texts, ...early, '2024-03-04'] },
      { why: 'there are few true dates', cells: [...texts, ...early.slice(0, 7)] },
      {
        why: 'the true dates are few different days',
        cells: [...texts, ...early.map(() => SERIAL_2024_03_04)],
      },
      { why: 'there are few texts', cells: [...texts.slice(0, 2), ...early] },
    ])('are right where $why', async ({ cells }) => {
      const { message } = await causeOf(cells, 'yyyy-MM-dd')
      expect(message).not.toContain('wrong meaning')
    })
  })
})

describe('The figures of causes', () => {
  const fields = [
    field('Id', { type: 'pattern', pattern: 'CLM-[0-9]{2}' }),
    field('Quoted', { type: 'pattern', pattern: 'A"[0-9]+' }),
    field('Code', { type: 'pattern', pattern: '[0-9]{4}' }, true),
    field('Amount', { type: 'number', scale: 2, minimum: 0, maximum: 500_000 }),
    field('Born', { type: 'date', format: 'dd/MM/yyyy' }),
    field('Status', { type: 'list', options: ['Open', 'Closed', 'Paid'] }),
    field('Name', { type: 'text', maxLength: 4 }, true),
  ]
  const common = [
    'N/A',
    '-',
    '',
    ' ',
    'x-1',
    'clm-12',
    'CLM 12',
    'CLM-12',
    '12,5',
    '12.345',
    '-5',
    '950000',
    '00',
  ]
  const others = [
    '13/04/2020',
    '3/4/2020',
    'open',
    'Opne',
    'Nothing',
    '1234',
    '12',
    'long name',
    'may-1',
    '"a"',
  ]
  const digits = fc.integer({ min: 0, max: 9999 })
  const values = fc.oneof(
    fc.constantFrom(...common, ...others),
    digits.map((number) => `x-${number}`),
    digits.map((number) => `no ${number}`),
    digits.map((number) => `${number / 1000 - 2}`),
  )
  const day = fc.integer({ min: 1, max: 31 })
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  const dates = fc
    .tuple(day, day)
    .map((numbers) => numbers.map(twoDigits))
    .chain(([d, m]) => fc.constantFrom(`${d}.${m}.2020`, `2020-${m}-${d}`))
  const decimals = fc.oneof(
    {
      weight: 30,
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }))
        .map(([whole, further]) => `${whole}.${String(further).padStart(3, '0')}`),
    },
    // Of a column with points between thousands: what 12.345 means then.
    fc.constant('1.234.567'),
  )
  const quoted = fc.tuple(fc.constantFrom('A', 'a', 'b'), digits)
  /** By column, values that have a class. */
  const own = [
    digits.map((number) => `x-${number}`),
    quoted.map(([letter, number]) => (letter === 'b' ? `b-${number}` : `"${letter}""${number}"`)),
    values,
    decimals,
    dates,
    values,
    values,
  ]
  const good = ['CLM-12', '"A""1"', '1234', '5', '01/02/2020', 'Open', 'Name']
  const oneBad = fc
    .nat(good.length - 1)
    .chain((column) => own[column].map((value) => good.with(column, value).join()))
  const anyRow = fc
    .tuple(
      fc.tuple(...own.map((ofColumn) => fc.oneof({ weight: 3, arbitrary: ofColumn }, values))),
      fc.option(values, { freq: 6 }),
    )
    .map(([cells, extra]) => (extra === null ? cells : [...cells, extra]).join(','))
  const rowOf = fc.oneof(anyRow, oneBad)
  // Few different rows that repeat: what is known of a cell is used again.
  const tables = fc
    .array(rowOf, { minLength: 2, maxLength: 60, size: 'max' })
    .chain((rows) =>
      fc
        .array(fc.nat(rows.length - 1), { minLength: 60, maxLength: 120 })
        .map((order) => order.map((index) => rows[index]).filter((row) => row.trim() !== '')),
    )

  /** A chunk is reported before the next is read, so that what is known of a cell is used early. */
  const inSmallChunks = <R extends { source: ByteSource }>(request: R): R => ({
    ...request,
    source: {
      size: request.source.size,
      read: (into, position) => request.source.read(into.subarray(0, 64), position),
    },
  })

  /** The causes and their first rows, from every bad cell of the file. */
  function ofAll(rows: readonly DiagnosedRow[], causes: readonly Cause[]) {
    const cells = rows.flatMap(({ rowNumber, cells: ofRow }) => ofRow.map((cell) => ({ rowNumber, ...cell })))
    return causes.map(({ id, columnPosition, examples }) => {
      const ofCause = cells.filter(({ cause }) => cause === id)
      const found = new Map<string, CauseExample>()
      for (const { rowNumber, value, suggestion } of ofCause) {
        const known = found.get(value)
        if (known !== undefined) known.count!++
        // Of whole rows, blank cells are no examples.
        else if (columnPosition !== null || value.trim() !== '')
          found.set(value, { rowNumber, value, suggestion, count: 1 })
      }
      const isCounted = examples.some(({ count }) => count !== null)
      const inOrder = isCounted
        ? [...found.values()].sort(
            (one, other) => other.count! - one.count! || one.rowNumber - other.rowNumber,
          )
        : Array.from(found.values(), (example) => ({ ...example, count: null }))
      const firstRows = [...new Set(ofCause.map(({ rowNumber }) => rowNumber))].slice(
        0,
        errorScreenLimits.maxRowsPerCause,
      )
      return {
        id,
        cells: ofCause.length,
        suggestions: ofCause.filter(({ suggestion }) => suggestion !== null).length,
        examples: inOrder.slice(0, errorScreenLimits.maxExamples),
        rows: firstRows.map((row) => ofCause.filter(({ rowNumber }) => rowNumber === row).map(shownCell)),
      }
    })
  }
  const shownCell = ({
    cause,
    value,
    suggestion,
  }: Pick<DiagnosedCell, 'cause' | 'value' | 'suggestion'>) => ({ cause, value, suggestion })

  it('are those of all its cells, whose causes and suggestions a second reading finds as well', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const request = { ...requestFor(fields, rows), maxErrorRows: Infinity, limits: portalGuards }
        const { verdict, conclusion } = await findCauses(request)
        if (verdict.kind !== 'rowErrors') return
        const table = await openTable(request)
        const columns = await compileColumns(fields, table.terminators, platform, table.firstColumn)
        const again = await diagnosedRows(table, columns, conclusion!)
        const errors = verdict.rows.flatMap((row) => row.columnValidationErrors)
        expect(again.flatMap(({ cells }) => cells.map(shownCell))).toEqual(errors.map(shownCell))
        expect(verdict.groups.reduce((sum, { count }) => sum + count, 0)).toBe(errors.length)
        const { causes, causeRows } = verdict
        expect(
          causes.map(({ id, cells, suggestions, examples }, index) => ({
            id,
            cells,
            suggestions,
            examples: examples.map((example) => ({ ...example, label: undefined })),
            rows: causeRows[index].rows.map((row) => row.columnValidationErrors.map(shownCell)),
          })),
        ).toEqual(ofAll(again, causes))
        const few = await validateTable({ ...request, maxCauseRows: 1 })
        const firstRows = (most: number) =>
          causeRows.map(({ cause, rows: all }) => ({ cause, rows: all.slice(0, most) }))
        expect(few).toEqual({ ...verdict, causeRows: firstRows(1) })
        const fewRows = await validateTable({ ...inSmallChunks(request), maxErrorRows: 1, maxCauseRows: 3 })
        expect(fewRows).toEqual({ ...verdict, rows: verdict.rows.slice(0, 1), causeRows: firstRows(3) })
        const none = await validateTable({ ...request, maxCauseRows: 0 })
        expect(none).toEqual({ ...verdict, causeRows: causeRows.map(({ cause }) => ({ cause, rows: [] })) })
      }),
      { numRuns: runs(8) },
    )
  })
})
