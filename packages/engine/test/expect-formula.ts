import { expect } from 'vitest'

/** Functions of Excel 2010 and LibreOffice that read numbers and texts alike in every country. */
const FUNCTIONS = new Set(
  (
    'ABS AND CELL CHAR COUNT COUNTA DATE DAY EDATE EXACT FIND IF IFERROR INT ISERROR ISLOGICAL ISNUMBER ' +
    'ISTEXT LEFT LEN MAX MID MOD NA NOT OR REPT RIGHT ROUND ROW ROWS SUBSTITUTE SUMPRODUCT TRIM VALUE'
  ).split(' '),
)
const MOST_ARGUMENTS = 255
const MOST_LEVELS = 64

/** That it has functions of all programs and countries, and is within the limits of Excel. */
export function expectToBeFormula(formula: string): void {
  expect(formula.length).toBeLessThanOrEqual(8192)
  const bare = formula.replaceAll(/"(?:[^"]|"")*"/g, (text) => {
    expect(text.length - 2).toBeLessThanOrEqual(256)
    return '""'
  })
  expect([...bare.matchAll(/([A-Z0-9]+)\(/g)].filter(([, name]) => !FUNCTIONS.has(name))).toEqual([])
  // No array constants, no other sheets, no other workbooks.
  expect(bare).not.toMatch(/[{}[\]!]/)
  const counts = [0]
  let [levels, most] = [0, 0]
  for (const [sign] of bare.matchAll(/[(),]/g)) {
    if (sign === '(') counts.push(1)
    else if (sign === ')') counts.pop()
    else counts[counts.length - 1]++
    levels = Math.max(levels, counts.length - 1)
    most = Math.max(most, counts.at(-1)!)
  }
  expect(levels).toBeLessThanOrEqual(MOST_LEVELS)
  expect(most).toBeLessThanOrEqual(MOST_ARGUMENTS)
  expect(counts).toHaveLength(1)
}
