import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withSwappedDates } from '#causes/swapped-dates.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { portalGuards } from '#limits.ts'
import { correctFile, type CorrectionOutcome } from '#output/corrected-file.ts'
import { openTable } from '#source/open-table.ts'
import { findCauses } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { type DiagnosedRow, diagnosedRows } from '../../test/diagnosed-rows.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Id', { type: 'text' }, true),
  field('Born', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Amount', { type: 'number', scale: 2 }),
  field('State', { type: 'list', options: ['Professional', 'Student', 'Retired'] }),
  field('Code', { type: 'pattern', pattern: '[A-Z]{2}[0-9]{3}' }, true),
]

const requestOf = (bytes: Uint8Array, fileName: string) => ({
  source: bytesSource(bytes),
  fileName,
  fields: FIELDS,
  platform: testPlatform(),
  limits: portalGuards,
  maxErrorRows: Infinity,
})
type Request = ReturnType<typeof requestOf>

async function copyOf(
  request: Request,
  causes: readonly string[] | null,
): Promise<Uint8Array & { outcome?: CorrectionOutcome }> {
  const corrected = await correctFile({ ...request, causes })
  if (corrected.kind !== 'copy') throw new Error(`It is a ${corrected.kind}.`)
  const bytes = await joined(corrected.bytes())
  return Object.assign(bytes, { outcome: corrected.outcome() })
}

/** Every cell with text, by its place, such as `B2`. */
async function cellsOf(request: Request): Promise<Map<string, string>> {
  const table = await openTable(request)
  const cells = new Map<string, string>()
  for await (const batch of table.rows())
    for (const row of batch)
      for (const [column, text] of row.cells.entries())
        if (text !== '') cells.set(`${columnLetter(column)}${row.rowNumber}`, text)
  return cells
}

async function diagnosed(request: Request): Promise<DiagnosedRow[]> {
  const { conclusion } = await findCauses(request)
  const table = await openTable(request)
  const columns = await compileColumns(FIELDS, table.terminators, request.platform, table.firstColumn)
  if (conclusion === null) return []
  const read = withSwappedDates(columns, conclusion.passedWrong)
  return diagnosedRows(table, columns, conclusion, read)
}

/** The errors of a report, each as its place, its sentence and its value. Causes may change with the rest. */
async function errorsOf(request: Request): Promise<string[]> {
  const { verdict } = await findCauses(request)
  if (verdict.kind === 'fileProblem') throw new Error(verdict.problem.message)
  if (verdict.kind === 'passed') return []
  return verdict.rows.flatMap(({ rowNumber, columnValidationErrors }) =>
    columnValidationErrors.map(
      ({ columnPosition, error, value }) => `${columnPosition}${rowNumber} ${error} ${JSON.stringify(value)}`,
    ),
  )
}

const header = FIELDS.map(({ name }) => name)
const csvOf = (rows: readonly (readonly string[])[]) => {
  const lines = [header, ...rows].map((cells) =>
    cells.map((cell) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';'),
  )
  return requestOf(new Uint8Array(Buffer.from(lines.join('\r\n'))), 'claims.csv')
}
/** With these, a plain workbook keeps the rules of spreadsheet programs. */
const VALID_PARTS = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="r"/><Default Extension="xml" ContentType="x"/></Types>',
  'xl/styles.xml':
    '<styleSheet xmlns="m"><fills count="2"><fill/><fill/></fills>' +
    '<cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>',
}

const AMOUNT = 2

/** Plain numbers in the column of numbers are numbers. */
const workbookOf = (rows: readonly (readonly string[])[]) => {
  const tags = [header, ...rows].map((cells, index) => {
    const tag = (text: string, column: number) => {
      const reference = `r="${columnLetter(column)}${index + 1}"`
      if (/^\d+(?:\.\d+)?$/.test(text) && column === AMOUNT) return `<c ${reference}><v>${text}</v></c>`
      const inline = `<is><t xml:space="preserve">${escapeXml(text)}</t></is>`
      return `<c ${reference} t="inlineStr">${inline}</c>`
    }
    return `<row r="${index + 1}">${cells.map(tag).join('')}</row>`
  })
  return requestOf(buildWorkbook({ rows: tags.join(''), parts: VALID_PARTS }), 'claims.xlsx')
}

describe('The law of the corrected copy', () => {
  const column = (...texts: string[]) => fc.constantFrom(...texts)
  /** Each table leans to one kind of fault in a column, so that there is evidence for a suggestion. */
  const values = [
    fc.constant(column('a', 'b 1', '007', '')),
    fc.constantFrom(
      column('31/12/2024', '2024-12-31', '2024-01-17', '1999-02-03'),
      column('12/31/2024', '01/02/2024', '03/17/2024', '11/25/1999', '"04/05/2024"'),
      column('31.12.2024', '', 'N/A', '17/01/2024'),
      column('31/12/24', 'soon', ' 17/01/2024 ', '2024-13-45'),
    ),
    fc.constantFrom(
      column('12,5', '1,75', '3', '0,5'),
      column('1.234,50', '12.345,00', '7,25'),
      column('1,234.50', '12,345.75', '7.25'),
      column('5 EUR', '€ 7.50', '12.0 oz', 'x'),
      column('12%', '12.5 %', '-', 'null', '1.2E+05', '0.30000000000000004'),
    ),
    fc.constantFrom(
      column('Profesional', 'student', 'RETIRED', 'Student'),
      column(' Student', '"Retired"', 'n/a', 'none', ''),
      column('Proffessional', 'Stud', 'x', 'Retird'),
    ),
    fc.constantFrom(column('AB123', 'ab123', 'AB 123', ''), column('AB12', "'AB123", 'N/A', '"AB123"')),
  ]
  /** Corrected, it could be blank, and then no record. */
  const nearlyBlank = fc.tuple(
    fc.constant(''),
    fc.constantFrom('', 'N/A', '-'),
    fc.constantFrom('', 'null', '12,5'),
    fc.constantFrom('', 'n/a', '\u200b', 'student'),
    fc.constantFrom('', ' '),
  )
  const tables = fc
    .tuple(...values)
    .chain((columns) =>
      fc.array(fc.oneof({ weight: 9, arbitrary: fc.tuple(...columns) }, nearlyBlank), {
        minLength: 1,
        maxLength: 30,
      }),
    )
    .map((rows) => [['z', '31/12/2024', '1', 'Student', 'AB123'], ...rows])
  const ticks = fc.oneof(fc.constant(null), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }))

  it.for([
    { kind: 'CSV file', requestFor: csvOf, numRuns: runs(20) },
    { kind: 'workbook', requestFor: workbookOf, numRuns: runs(20) },
  ])(
    '$kind: its report is the old one without the ticked cells, and all other cells are equal',
    async ({ requestFor, numRuns }) => {
      let corrections = 0
      await fc.assert(
        fc.asyncProperty(tables, ticks, async (rows, ticked) => {
          const request = requestFor(rows)
          const { conclusion } = await findCauses(request)
          const causes =
            ticked === null
              ? null
              : conclusion!.causes
                  // A choice needs an answer: see corrected-structure.test.ts.
                  .filter(({ correctable }, index) => ticked[index] === true && correctable !== 'choice')
                  .map(({ id }) => id)
          const changed = new Map<string, string>()
          let swapped = 0
          // Valid dates are swapped back with the cells of any cause that counts them.
          const swapsBack = conclusion!.causes.some(
            ({ id, passed }) => passed !== undefined && (causes === null || causes.includes(id)),
          )
          for (const { rowNumber, cells } of await diagnosed(request))
            for (const { column: index, cause, suggestion } of cells) {
              const isTicked = cause === null ? swapsBack : causes === null || causes.includes(cause)
              if (suggestion === null || !isTicked) continue
              changed.set(`${columnLetter(index)}${rowNumber}`, suggestion)
              if (cause === null) swapped++
            }
          const counted = conclusion!.passedWrong.reduce((sum, { cells }) => sum + cells, 0)
          expect(swapped).toBe(swapsBack ? counted : 0)
          const bytes = await copyOf(request, causes)
          const copy = { ...request, source: bytesSource(bytes) }

          const expectedCells = await cellsOf(request)
          for (const [place, text] of changed) {
            if (text === '') expectedCells.delete(place)
            else expectedCells.set(place, text)
          }
          expect(await cellsOf(copy)).toEqual(expectedCells)
          const errors = (await errorsOf(request)).filter((error) => !changed.has(error.split(' ')[0]))
          expect(await errorsOf(copy)).toEqual(errors)
          expect(bytes.outcome).toMatchObject({
            corrected: changed.size - swapped,
            remaining: errors.length,
            skipped: 0,
          })
          if (changed.size === 0)
            expect(Buffer.from(bytes).equals(await joined(sourceOf(request)))).toBe(true)
          else if (request.fileName === 'claims.xlsx') expect(checkWorkbook(bytes)).toEqual([])
          corrections += changed.size
        }),
        { numRuns },
      )
      expect(corrections).toBeGreaterThan(numRuns)
    },
  )

  async function* sourceOf({ source }: Request): AsyncGenerator<Uint8Array> {
    const bytes = new Uint8Array(source.size)
    await source.read(bytes, 0)
    yield bytes
  }
})

describe('A corrected copy', () => {
  const rows = [
    ['a', '2024-12-31', '12,5', 'student', 'AB123'],
    ['b', '2024-12-30', '7,25', 'Student', ''],
  ]

  it('names the causes that the file does not have', async () => {
    expect(await correctFile({ ...csvOf(rows), causes: ['Z.other'] })).toEqual({
      kind: 'unknownCauses',
      ids: ['Z.other'],
    })
  })

  it('is the file itself if it passes', async () => {
    const request = csvOf([['a', '31/12/2024', '1', 'Student', 'AB123']])
    const bytes = await copyOf(request, null)
    expect(await cellsOf({ ...request, source: bytesSource(bytes) })).toEqual(await cellsOf(request))
    expect(bytes.outcome).toMatchObject({ corrected: 0, remaining: 0 })
  })

  it('is none for a file that has a problem as a whole', async () => {
    const request = requestOf(new Uint8Array(Buffer.from('Id\na\n')), 'claims.csv')
    expect(await correctFile({ ...request, causes: null })).toMatchObject({
      kind: 'fileProblem',
      problem: { errorType: 1 },
    })
  })

  it.for([
    { row: 'Cup,5', copy: 'Cup,5,,', remaining: 0, why: 'both may be empty' },
    { row: 'Cup,5,red', copy: 'Cup,5,red,', remaining: 0, why: 'the last one' },
    { row: 'Cup,"1,5"', copy: 'Cup,"1.5",,', remaining: 0, why: 'and another is corrected' },
    { row: 'Cup,many', copy: 'Cup,many,,', remaining: 1, why: 'and another is not' },
    { row: 'Cup', copy: 'Cup', remaining: 1, why: 'not where a required one is missing' },
    { row: ',5', copy: ',5,,', remaining: 1, why: 'and a required one is empty' },
  ])('has the cells that a row of a CSV file lacks: $why', async ({ row, copy, remaining }) => {
    const fields = [
      field('Item', { type: 'text' }, true),
      field('Price', { type: 'number' }, true),
      field('Shade', { type: 'list', options: ['red', 'blue'] }),
      field('Sold', { type: 'date', format: 'yyyy-MM-dd' }),
    ]
    const text = (own: string) => `Item,Price,Shade,Sold\r\nPen,"2,5",blue,2024-01-31\r\n${own}\r\n`
    const request = { ...requestOf(new Uint8Array(Buffer.from(text(row))), 'items.csv'), fields }
    const bytes = await copyOf(request, null)
    expect(Buffer.from(bytes).toString()).toBe(text(copy).replace('2,5', '2.5'))
    expect(bytes.outcome).toMatchObject({ remaining, skipped: 0 })
    const { verdict } = await findCauses({ ...request, source: bytesSource(bytes) })
    expect(verdict).toMatchObject(
      remaining === 0 ? { kind: 'passed' } : { kind: 'rowErrors', cellErrorCount: remaining },
    )
  })

  it('has the cells that a row lacks beside a placeholder that stays in an else blank row', async () => {
    const fields = ['Length', 'Width', 'Height'].map((name) => field(name, { type: 'number' }))
    const request = {
      ...requestOf(new Uint8Array(Buffer.from('Length,Width,Height\n1,2\nN/A')), 'a.csv'),
      fields,
    }
    const bytes = await copyOf(request, null)
    expect(Buffer.from(bytes).toString()).toBe('Length,Width,Height\n1,2,\nN/A,,')
    expect(bytes.outcome).toMatchObject({ corrected: 2, remaining: 1 })
  })

  describe('of dates with day and month swapped', () => {
    const us = ['06/21/2020', '08/03/2020', '09/19/2020', '02/07/2020', '05/05/2020', '8/3/2020']
    const right = ['21/06/2020', '03/08/2020', '19/09/2020', '07/02/2020', '05/05/2020', '03/08/2020']
    const withDates = (dates: readonly string[]) => dates.map((date) => ['a', date, '1', '', 'AB123'])
    const datesOf = async (request: Request) =>
      [...(await cellsOf(request))].flatMap(([place, text]) => (place.startsWith('B') ? [text] : []))

    it.for([
      { kind: 'CSV file', requestFor: csvOf },
      { kind: 'workbook', requestFor: workbookOf },
    ])('changes all of the column, also those that pass: $kind', async ({ requestFor }) => {
      const request = requestFor(withDates(us))
      const bytes = await copyOf(request, null)
      const copy = { ...request, source: bytesSource(bytes) }
      expect(await datesOf(copy)).toEqual(right)
      expect(await errorsOf(copy)).toEqual([])
      expect(bytes.outcome).toMatchObject({
        corrected: 3,
        remaining: 0,
        passedWrong: [{ label: 'Born', cells: 2 }],
      })
    })

    it('leaves those that pass where their cause is not ticked', async () => {
      const request = csvOf([...withDates(us), ['b', 'N/A', 'x', 'student', 'AB123']])
      const bytes = await copyOf(request, ['D.letterCase'])
      expect(await datesOf({ ...request, source: bytesSource(bytes) })).toEqual([...us, 'N/A'])
      expect(bytes.outcome).toMatchObject({ corrected: 1, passedWrong: [] })
    })

    it('leaves one in quotes, which in the same order would pass', async () => {
      const request = csvOf(withDates(['06/21/2020', '08/03/2020', "'08/03/2020"]))
      const bytes = await copyOf(request, null)
      const copy = { ...request, source: bytesSource(bytes) }
      expect(await datesOf(copy)).toEqual(['21/06/2020', '03/08/2020', "'08/03/2020"])
    })

    it('leaves those that pass where one of them shows the right order', async () => {
      const request = csvOf(withDates(['06/21/2020', '08/03/2020', '25/12/2020']))
      const bytes = await copyOf(request, null)
      const copy = { ...request, source: bytesSource(bytes) }
      expect(await datesOf(copy)).toEqual(['21/06/2020', '08/03/2020', '25/12/2020'])
    })

    it.for([
      { format: 'yyyy-MM-dd', us: ['2020-21-06', '2020-08-03'], right: ['2020-06-21', '2020-03-08'] },
      { format: 'd.M.yyyy', us: ['6.21.2020', '8.3.2020'], right: ['21.6.2020', '3.8.2020'] },
      { format: 'd.M.yyyy', us: ['06.21.2020', '08.03.2020'], right: ['21.06.2020', '03.08.2020'] },
      { format: 'M-dd-yy', us: ['31-05-99', '8-03-20'], right: ['05-31-99', '3-08-20'] },
      { format: 'MM/dd/yyyy', us: ['21/06/2020', ' 08/03/2020 '], right: ['06/21/2020', '03/08/2020'] },
    ])('is written in the format of the field: $format', async ({ format, us: swapped, right: dates }) => {
      const fields = [field('Born', { type: 'date', format }), field('Id', { type: 'text' })]
      const text = ['Born;Id', ...swapped.map((date) => `${date};1`)].join('\n')
      const request = { ...requestOf(new Uint8Array(Buffer.from(text)), 'a.csv'), fields }
      const bytes = await copyOf(request, null)
      const copied = [...(await cellsOf({ ...request, source: bytesSource(bytes) })).entries()]
      expect(copied.flatMap(([place, date]) => (place.startsWith('A') ? [date] : []))).toEqual(dates)
    })
  })

  it('says on its last sheet what was corrected by cause', async () => {
    const { conclusion } = await findCauses(workbookOf(rows))
    const dates = conclusion!.causes.find(({ columnPosition }) => columnPosition === 'B')!
    const bytes = await copyOf(workbookOf(rows), [dates.id])
    const sheet = readZip(bytes).get('xl/worksheets/sheetVeridict.xml')!
    const lines = [...sheet.matchAll(/<row .*?<\/row>/gs)].map(([row]) =>
      [...row.matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gs)].map(([, text]) => text),
    )
    expect(lines).toContainEqual(['2', 'B', 'Born', escapeXml(dates.message), '0'])
    expect(lines).toContainEqual(['2', 'B', 'Born', '2024-12-31', '31/12/2024'])
    expect(sheet).not.toContain('12,5')
  })
})
