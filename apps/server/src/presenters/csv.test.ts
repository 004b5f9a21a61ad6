import { describe, expect, it } from 'vitest'
import { csvFile, csvLine } from '#presenters/csv.ts'

describe('A line of CSV', () => {
  it.for([
    { value: 'plain', cell: 'plain', why: 'text as it is' },
    { value: 'a,b', cell: '"a,b"', why: 'a comma' },
    { value: 'a;b', cell: '"a;b"', why: 'a semicolon, which Excel splits at in many countries' },
    { value: 'say "x"', cell: '"say ""x"""', why: 'quotes' },
    { value: 'a\r\nb', cell: '"a\r\nb"', why: 'a line break' },
    { value: '=1+1', cell: `"'=1+1"`, why: 'a formula' },
    { value: '+49 30', cell: `"'+49 30"`, why: 'a plus sign' },
    { value: '-2', cell: `"'-2"`, why: 'a minus sign in a text' },
    { value: '@SUM(A1)', cell: `"'@SUM(A1)"`, why: 'a formula of Lotus' },
    { value: '\t=1', cell: `"'\t=1"`, why: 'a tab' },
    { value: '＝1', cell: `"'＝1"`, why: 'a full-width sign' },
    { value: -2, cell: '-2', why: 'a number' },
    { value: null, cell: '', why: 'nothing' },
  ])('has $why', ({ value, cell }) => expect(csvLine([value, 'end'])).toBe(`${cell},end\r\n`))
})

describe('A CSV file', () => {
  it('begins with the byte order mark and the header, also without rows', async () => {
    async function* none() {}
    expect(await Array.fromAsync(csvFile(['A', 'B'], none(), () => []))).toEqual(['\uFEFFA,B\r\n'])
  })
})
