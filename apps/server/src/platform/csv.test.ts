import { describe, expect, it } from 'vitest'
import { csvFile, csvLine } from '#platform/csv.ts'

describe('A line of CSV', () => {
  it.for([
    { value: 'plain', cell: 'plain', why: 'text as it is' },
    { value: 'a,b', cell: '"a,b"', why: 'a comma' },
    { value: 'a;b', cell: '"a;b"', why: 'a semicolon, which Excel splits at in many countries' },
    { value: 'say "x"', cell: '"say ""x"""', why: 'quotes' },
    { value: 'a\r\nb', cell: '"a\r\nb"', why: 'a line break' },
    { value: '=1+1', cell: `"'=1+1"`, why: 'a formula' },
    { value: '+49 30', cell: `"'+49 30"`, why: 'a plus sign' },
    { value: '- 2', cell: `"'- 2"`, why: 'a minus sign in a text' },
    { value: '-2', cell: '-2', why: 'a negative number as text' },
    { value: '-2,5', cell: '"-2,5"', why: 'one with a decimal comma' },
    { value: '-2+3', cell: `"'-2+3"`, why: 'a formula that begins with a number' },
    { value: 'a;-2|x', cell: `"a;'-2|x"`, why: 'a formula with a number after a separator' },
    { value: `x;=cmd|'/C'!A0;@a.b`, cell: `"x;'=cmd|'/C'!A0;'@a.b"`, why: 'formulas after semicolons' },
    { value: 'x,=1', cell: `"x,'=1"`, why: 'one after a comma' },
    { value: 'x\t=1', cell: `"x\t'=1"`, why: 'one after a tab' },
    { value: 'x\n=1', cell: `"x\n'=1"`, why: 'one on another line' },
    { value: 'x; "=1"', cell: `"x; ""'=1"""`, why: 'one in quotes after a separator' },
    { value: '"=1"', cell: `"""'=1"""`, why: 'one in quotes' },
    { value: ' =1', cell: " '=1", why: 'one after spaces' },
    { value: '@SUM(A1)', cell: `"'@SUM(A1)"`, why: 'a formula of Lotus' },
    { value: '\t=1', cell: `"'\t'=1"`, why: 'a tab' },
    { value: '＝1', cell: `"'＝1"`, why: 'a full-width sign' },
    { value: -2, cell: '-2', why: 'a number' },
    { value: null, cell: '', why: 'nothing' },
  ])('has $why', ({ value, cell }) => expect(csvLine([value, 'end'])).toBe(`${cell},end\r\n`))
})

/** The cells of a line as a spreadsheet that splits at `separator` sees them. */
function cellsOf(line: string, separator: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const character of line) {
    if (character === '"' && (isQuoted || cells.at(-1) === '')) isQuoted = !isQuoted
    else if (character === separator && !isQuoted) cells.push('')
    else cells[cells.length - 1] += character
  }
  return cells
}

describe('A text of hostile parts', () => {
  const parts = ['=1', '+', '-', '@a', ';', ',', '\t', '"', ' ', 'x', '2', "'", '\r\n', '|', '＝']
  it.for([',', ';', '\t'])('is no formula in any cell of a spreadsheet that splits at %j', (separator) => {
    const formulas: [text: string, cell: string][] = []
    let seed = 1
    const next = () => parts[(seed = (seed * 48_271) % 2_147_483_647) % parts.length] ?? ''
    for (let number = 0; number < 20_000; number++) {
      const text = Array.from({ length: 1 + (number % 9) }, next).join('')
      for (const line of csvLine(['first', text, 'last']).split(/\r\n|\r|\n/))
        for (const cell of cellsOf(line, separator)) {
          const isNumber = /^[+-]2+$/.test(text)
          const isFormula = /^["\s]*[=+\-@＝＋－＠]/.test(cell)
          if (isFormula && !isNumber) formulas.push([text, cell])
        }
    }
    expect(formulas).toEqual([])
  })
})

describe('A CSV file', () => {
  it('begins with the byte order mark and the header, also without rows', async () => {
    async function* none() {}
    expect(await Array.fromAsync(csvFile(['A', 'B'], none(), () => []))).toEqual(['\uFEFFA,B\r\n'])
  })
})
