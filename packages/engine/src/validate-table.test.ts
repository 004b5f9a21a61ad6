import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import { describe, expect, it } from 'vitest'
import { type ValidationRequest, validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from '../test/test-platform.ts'

const FIELDS: Field[] = [
  { name: 'Id', description: '', category: '', required: true, rule: { type: 'number', scale: 0 } },
  {
    name: 'Status',
    description: '',
    category: '',
    required: true,
    rule: { type: 'list', options: ['Open', 'Closed'] },
  },
]

const validate = (text: string, options: Partial<ValidationRequest> = {}): Promise<Verdict> =>
  validateTable({
    source: bytesSource(testPlatform().encodeUtf8(text)),
    fileName: 'data.csv',
    fields: FIELDS,
    platform: testPlatform(),
    ...options,
  })

async function rowErrors(
  text: string,
  options: Partial<ValidationRequest> = {},
): Promise<Verdict & { kind: 'rowErrors' }> {
  const verdict = await validate(text, options)
  if (verdict.kind !== 'rowErrors') throw new Error(`The verdict is ${verdict.kind}.`)
  return verdict
}

describe('The verdict on a table', () => {
  it('is passed with the number of records', async () => {
    expect(await validate('Id,Status\n1,Open\n\n2,Closed\n')).toEqual({ kind: 'passed', recordsCount: 2 })
  })

  it('shows each bad cell with place, reason, value and cure', async () => {
    const { rows } = await rowErrors('Id,Status\n1,open\n')
    const error = 'The value is not in the list; did you mean "Open"?'
    const cell = {
      columnPosition: 'B',
      label: 'Status',
      error,
      value: 'open',
      expected: 'one of Open, Closed',
      cause: 'B.letterCase',
      suggestion: 'Open',
    }
    expect(rows).toEqual([
      { rowNumber: 2, key: [], totalCount: 1, columnValidationErrors: [expect.objectContaining(cell)] },
    ])
  })

  it('counts every error, keeps the first hundred rows and groups by column and kind', async () => {
    const verdict = await rowErrors(`Id,Status\n${'x,Open\n'.repeat(150)}${'1,\n'.repeat(20)}1,Open\n`)
    expect(verdict).toMatchObject({ recordsCount: 171, errorRowCount: 170, cellErrorCount: 170 })
    expect(verdict.rows.map((row) => row.rowNumber)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 2),
    )
    expect(verdict.groups).toEqual([
      { columnPosition: 'A', label: 'Id', error: 'The value is not a number.', count: 150 },
      { columnPosition: 'B', label: 'Status', error: 'The cell is empty.', count: 20 },
    ])
  })

  it('keeps as many rows as requested, and reports every bad cell to a listener', async () => {
    const reported: number[] = []
    const verdict = await rowErrors(`Id,Status\n${'x,y\n'.repeat(150)}`, {
      maxErrorRows: Infinity,
      onBadCells: (rowNumber, cells) => reported.push(...cells.map(() => rowNumber)),
    })
    expect([verdict.rows.length, reported.length]).toEqual([150, 300])
  })

  it('cuts long values without splitting a character', async () => {
    const { rows } = await rowErrors(`Id,Status\n${'x'.repeat(499)}👍👍,Open\n`)
    expect(rows[0].columnValidationErrors[0].value).toBe('x'.repeat(499))
  })

  it('gives an extra cell a place and no label', async () => {
    const { rows, groups } = await rowErrors('Id,Status\n1,Open,,x\n')
    expect(rows[0].columnValidationErrors[0]).toMatchObject({ columnPosition: 'D', label: '', value: 'x' })
    expect(groups[0]).toMatchObject({ columnPosition: 'C', label: '', count: 1 })
  })

  it.for([
    { text: 'Id,State\nx,y\n', errorType: 1, why: 'a wrong header is reported before any row' },
    { text: 'Status,Id\nx,y\n', errorType: 2, why: 'another order' },
    { text: 'Id,Status\n1,"Open\n', errorType: 3, why: 'a file that cannot be read' },
    { text: 'Id,Status\n , \n', errorType: 4, why: 'no data rows' },
    { text: `Id,Status\n1,${'x'.repeat(40_000)}\n`, errorType: 5, why: 'beyond a limit' },
  ])('is a problem of the file of type $errorType: $why', async ({ text, errorType }) => {
    expect(await validate(text)).toMatchObject({ kind: 'fileProblem', problem: { errorType } })
  })

  it.for([
    { text: 'Report,May\n\n\nId,Status\n1,Open\n', row: 4, why: 'below titles' },
    { text: 'Report,,\n,Id,Status\n,1,Open\n', row: 2, why: 'right of column A' },
    { text: 'Id,State\n1,Open\n', row: null, why: 'nowhere' },
    { text: 'Report,May\n1,"Open\n', row: null, why: 'nowhere before the file breaks off' },
  ])('names the row that has the right columns: $why', async ({ text, row }) => {
    const verdict = await validate(text)
    const [first = ''] = (verdict.kind === 'fileProblem' && verdict.problem.hints) || []
    const hint = /^Row (\d+) has the right column names: delete the rows above it\.$/
    expect(hint.exec(first)?.[1] ?? null).toBe(row && String(row))
  })

  it('is type 6 where the dictionary has no fields, whatever the file is', async () => {
    expect(await validate('', { fields: [] })).toMatchObject({ problem: { errorType: 6 } })
  })

  it('reports its progress, which never decreases', async () => {
    const seen: number[] = []
    await validate(`Id,Status\n${'1,Open\n'.repeat(200_000)}`, { onProgress: (bytes) => seen.push(bytes) })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })
})
