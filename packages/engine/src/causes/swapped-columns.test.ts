import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { field, PEOPLE, requestFor, verdictOf } from '../../test/verdict-of-rows.ts'

const swap = (texts: readonly string[], one: number, other: number) =>
  texts.map((text) => {
    const cells = text.split(',')
    return cells.with(one, cells[other]).with(other, cells[one]).join()
  })
const people = Array.from(
  { length: 30 },
  (_, index) => `P${100 + index},Bob,2${index % 10}/12/2000,${index}.50,${index % 2 ? 'Open' : 'Closed'}`,
)

describe('Two columns with swapped values', () => {
  it.for([
    { why: 'side by side', rows: swap(people, 3, 4), id: 'D~E', cells: 60, rowsCount: 30 },
    { why: 'with others between them', rows: swap(people, 0, 4), id: 'A~E', cells: 60, rowsCount: 30 },
    {
      why: 'some of them empty',
      rows: swap(people, 2, 4).with(3, 'P103,Bob,Open,3.50,').with(4, 'P104,Bob,,3.50,20/12/2000'),
      id: 'C~E',
      cells: 60,
      rowsCount: 30,
    },
    {
      why: 'but for a row',
      rows: swap(people, 2, 4).with(7, people[7]),
      id: 'C~E',
      cells: 58,
      rowsCount: 29,
    },
  ])('are one cause: $why', async ({ rows, id, cells, rowsCount }) => {
    const verdict = await verdictOf(PEOPLE, rows)
    expect(verdict.causes).toHaveLength(1)
    const [cause] = verdict.causes
    expect(cause).toMatchObject({ id: `rows.swappedColumns.${id}`, columnPosition: null, label: null })
    expect(cause).toMatchObject({ cells, rows: rowsCount, firstRow: 2, suggestions: 0 })
    expect(cause.examples.map(({ rowNumber }) => rowNumber)).toEqual([2, 2, 3, 3, 4])
    const [{ rows: shown }] = verdict.causeRows
    expect(shown.slice(0, 2)).toEqual(verdict.rows.slice(0, 2))
  })

  it('are named wherever the rows are that have other faults', async () => {
    const rows = Array.from({ length: 100 }, () => swap(people, 2, 4)).flat()
    const others = people.slice(0, 20)
    for (const ordered of [
      [...others, ...rows],
      [...rows, ...others],
    ]) {
      const { causes } = await verdictOf(PEOPLE, ordered)
      expect(causes.map(({ kind }) => kind)).toEqual(['swappedColumns'])
    }
    const many = people.concat(rows.slice(0, 300))
    for (const ordered of [many, many.toReversed()])
      expect((await verdictOf(PEOPLE, ordered)).causes.map(({ kind }) => kind)).not.toContain(
        'swappedColumns',
      )
  })

  it.for([
    { why: 'there are only two rows', rows: swap(people, 2, 4).slice(0, 2) },
    { why: 'a tenth of the rows is right', rows: [...swap(people, 2, 4), ...people.slice(0, 3)] },
    { why: 'only one of them is wrong', rows: people.map((row) => row.replace(/..\/12\/2000/, 'Open')) },
  ])('are not named where $why', async ({ rows }) => {
    const { causes } = await verdictOf(PEOPLE, rows)
    expect(causes.map(({ kind }) => kind)).not.toContain('swappedColumns')
  })

  it.for([
    {
      why: 'each is written as the other column is',
      rules: [
        { type: 'list', options: ['Yes', 'No'] },
        { type: 'list', options: ['Y', 'N'] },
      ],
      row: 'Y,Yes',
    },
    {
      why: 'each date has the format of the other column',
      rules: [
        { type: 'date', format: 'dd/MM/yyyy' },
        { type: 'date', format: 'MM.dd.yyyy' },
      ],
      row: '03.04.2020,03/04/2020',
    },
  ] satisfies { why: string; rules: Rule[]; row: string }[])(
    'are not named where $why',
    async ({ rules: [one, other], row }) => {
      const { causes } = await verdictOf([field('One', one), field('Other', other)], Array(9).fill(row))
      expect(causes.map(({ columnPosition }) => columnPosition).sort()).toEqual(['A', 'B'])
    },
  )

  it.for([
    { why: 'there are none', rows: people.map((row) => row.replace(/Open|Closed/, '')), readings: 1 },
    {
      why: 'two columns are empty',
      rows: people.map((row) => row.replace(/,[^,]*,[^,]*$/, ',,')),
      readings: 1,
    },
    { why: 'two columns are swapped', rows: swap(people, 2, 4), readings: 2 },
  ])('are looked for by a second reading only where they may be: $why', async ({ rows, readings }) => {
    const request = requestFor(
      PEOPLE,
      Array.from({ length: 100_000 }, (_, index) => rows[index % rows.length]),
    )
    const { source } = request
    let bytesRead = 0
    const counted: typeof source = {
      ...source,
      async read(into, position) {
        const length = await source.read(into, position)
        bytesRead += length
        return length
      },
    }
    await validateTable({ ...request, source: counted })
    expect(Math.floor(bytesRead / source.size)).toBe(readings)
  })
})
