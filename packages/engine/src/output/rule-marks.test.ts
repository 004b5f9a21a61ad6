import type { RuleBook } from '@veridict/contract/model/row-rule'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { writeErrorsFile } from '#output/errors-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { validateTable } from '#validate-table.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Id', { type: 'text' }, true),
  field('Status', { type: 'list', options: ['Denied', 'Paid'] }),
  field('Reason', { type: 'text' }),
  field('A', { type: 'number' }),
  field('B', { type: 'number' }),
  field('Total', { type: 'number' }),
]
const BOOK: RuleBook = {
  rules: [
    {
      name: 'Denial',
      severity: 'error',
      when: { all: [{ column: 'Status', is: 'oneOf', values: ['Denied'] }] },
      then: [{ column: 'Reason', is: 'filled' }],
      otherwise: [{ column: 'Reason', is: 'blank' }],
    },
    {
      name: 'Total',
      severity: 'error',
      from: '2027-01-01',
      then: [{ column: 'Total', is: 'equal', than: { sum: ['A', 'B'] } }],
    },
    { name: 'Key', severity: 'error', then: [{ columns: ['Id'], is: 'unique' }] },
  ],
  exempt: null,
  blankTexts: [],
  lists: [],
}
const CSV = 'Id,Status,Reason,A,B,Total\n1,Denied,,1,2,4\n2,Paid,why,1,,1\n1,,,,,\n3,Paid,,1,1,3\n'

const requestOf = (day: string, csv = CSV) => ({
  source: bytesSource(testPlatform().encodeUtf8(csv)),
  fileName: 'claims.csv',
  fields: FIELDS,
  ruleBook: { ...BOOK, day },
  platform: testPlatform(),
  limits: portalGuards,
})
const [BEFORE, AFTER] = ['2026-12-31', '2027-01-01']

/** The cells of the first sheet with one of the formats. */
const cellsWith = (sheet: string, format: number) =>
  [...sheet.matchAll(/<c r="(\w+)" s="(\d+)"/g)]
    .filter(([, , style]) => Number(style) === format)
    .map(([, ref]) => ref)

describe('Rules between cells', () => {
  it('mark all of their cells in the Highlighted file, warnings in another colour', async () => {
    const parts = readZip(await joined(writeHighlightedFile(requestOf(BEFORE))))
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    expect(cellsWith(sheet, 2)).toEqual(['B2', 'C2', 'B3', 'C3', 'A4'])
    expect(cellsWith(sheet, 6)).toEqual(['D2', 'E2', 'F2', 'D5', 'E5', 'F5'])
    const notes = [...parts.get('xl/comments1.xml')!.matchAll(/ref="(\w+)".*?<t [^>]*>(.*?)<\/t>/gs)]
    expect(notes.map(([, ref]) => ref)).toEqual(['C2', 'F2', 'C3', 'A4', 'F5'])
    expect(notes[0][2]).toContain('so &quot;Reason&quot; must be filled.')
    expect(notes[3][2]).toContain('row 2 has the same')
  })

  it('mark and clear the cells of a workbook, too', async () => {
    const first = await joined(writeHighlightedFile(requestOf(BEFORE)))
    const again = { ...requestOf(AFTER), source: bytesSource(first), fileName: 'claims.xlsx' }
    const sheet = readZip(await joined(writeHighlightedFile(again))).get('xl/worksheets/sheet1.xml')!
    // The yellow cells are red now, and no cell is yellow.
    expect(cellsWith(sheet, 6)).toEqual([])
    expect(cellsWith(sheet, 2)).toEqual(['B2', 'C2', 'D2', 'E2', 'F2', 'B3', 'C3', 'A4', 'D5', 'E5', 'F5'])
  })

  it('have warnings on a sheet of their own in the Errors file', async () => {
    const sheetsOf = async (day: string, csv?: string) => {
      const parts = readZip(await joined(writeErrorsFile(requestOf(day, csv))))
      const names = [...parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]*)"/g)].map(
        ([, name]) => name,
      )
      const rows = [...parts].flatMap(([name, xml]) =>
        name.startsWith('xl/worksheets/') ? [(xml.match(/<row /g) ?? []).length - 1] : [],
      )
      const [, first = '0'] = /activeTab="(\d+)"/.exec(parts.get('xl/workbook.xml')!) ?? []
      return { names, rows: rows.toSorted((one, other) => one - other), opensOn: names[+first] }
    }
    const names = ['Errors', 'Summary', 'Warnings']
    expect(await sheetsOf(BEFORE)).toEqual({ names, rows: [2, 2, 3], opensOn: 'Errors' })
    expect(await sheetsOf(AFTER)).toEqual({ names: ['Errors', 'Summary'], rows: [3, 5], opensOn: 'Errors' })
    const onlyWarnings = 'Id,Status,Reason,A,B,Total\n1,Paid,,1,2,4\n'
    expect(await sheetsOf(BEFORE, onlyWarnings)).toEqual({ names, rows: [0, 0, 1], opensOn: 'Warnings' })
  })

  it('are corrected where only one value of one cell is right', async () => {
    const copy = await correctFile({ ...requestOf(AFTER), causes: null })
    if (copy.kind !== 'copy') throw new Error(copy.kind)
    const bytes = await joined(copy.bytes())
    expect(new TextDecoder().decode(bytes)).toBe(
      'Id,Status,Reason,A,B,Total\n1,Denied,,1,2,3\n2,Paid,,1,,1\n1,,,,,\n3,Paid,,1,1,2\n',
    )
    expect(copy.outcome()).toMatchObject({ corrected: 3, remaining: 2 })
    const verdict = await validateTable({ ...requestOf(AFTER), source: bytesSource(bytes) })
    expect(verdict).toMatchObject({ kind: 'rowErrors', cellErrorCount: 2 })
  })
})

describe('Exempt rows', () => {
  const book: RuleBook = {
    rules: [{ name: 'Reason', severity: 'error', then: [{ column: 'Reason', is: 'filled' }] }],
    exempt: {
      when: {
        all: [
          { column: 'Id', is: 'blank' },
          { column: 'A', is: 'filled' },
        ],
      },
    },
    blankTexts: ['-'],
    lists: [],
  }
  it.for<[row: string, errors: string[], why: string]>([
    [',,,1,,', [], 'the required cell may be blank, also as a part of the condition'],
    ['-,,,1,,', [], 'or hold a text that counts as blank'],
    [',,,1,x,', ['B'], 'what is filled is still checked'],
    [',,,x,,', ['Id', 'A', 'Reason'], 'a cell of the condition with another error means not exempt'],
    [',,,,,1', ['Id', 'Reason'], 'the condition does not hold'],
    ['1,,,1,,', ['Reason'], 'the rules hold for other rows'],
    [',,,1', ['Id', 'B'], 'a row with too few cells is asked nothing'],
    [',,,1,,,7', ['Id', ''], 'nor one with too many'],
  ])('%s', async ([row, errors]) => {
    const request = requestOf(AFTER, `${FIELDS.map(({ name }) => name).join(',')}\n${row}\n`)
    const verdict = await validateTable({ ...request, ruleBook: { ...book, day: AFTER } })
    const found = verdict.kind === 'rowErrors' ? verdict.rows[0].columnValidationErrors : []
    expect(found.map(({ label }) => label)).toEqual(errors)
  })
})
