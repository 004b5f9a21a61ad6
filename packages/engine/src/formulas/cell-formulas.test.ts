import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { cellFormula, type FormulaScope } from '#formulas/cell-formulas.ts'
import { literal } from '#formulas/formula-text.ts'
import { field } from '../../test/verdict-of-rows.ts'
import { comparedFields } from '../../test/compared-cells.ts'

const scope: FormulaScope = { row: '$A2:$C2', hasExemption: false, blankTexts: [] }
const formulaOf = (rule: Rule, required = false, more: Partial<FormulaScope> = {}) =>
  cellFormula(field('F', rule, required), '$B2', { ...scope, ...more })

/** Functions of Excel 2010 and LibreOffice that read numbers and texts alike in every country. */
const FUNCTIONS = new Set(
  (
    'ABS AND CELL CHAR DATE DAY FIND IF IFERROR INT ISERROR ISLOGICAL ISNUMBER ISTEXT LEFT LEN MAX MID MOD ' +
    'NA NOT OR REPT RIGHT ROUND ROW ROWS SUBSTITUTE SUMPRODUCT TRIM VALUE'
  ).split(' '),
)

describe('The formulas of a cell', () => {
  it.for<{ rule: Rule; part: string; why: string }>([
    {
      rule: { type: 'text', maxLength: 5 },
      part: 'LEN($B2)<=5,FALSE,IF(SUMPRODUCT(',
      why: 'so many characters are plain, however the others are counted',
    },
    {
      rule: { type: 'text', minLength: 3 },
      part: 'LEN($B2)<3',
      why: 'no program counts less than the engine',
    },
    {
      rule: { type: 'list', options: ['A|B', 'C'] },
      part: ';A|B;C;',
      why: 'options are parted by a character that none has',
    },
    {
      rule: { type: 'list', options: ['a "b"'] },
      part: '|a ""b""|',
      why: 'quotes are doubled',
    },
    {
      rule: { type: 'number', minimum: 0.5 },
      part: 'IF(OR(LEN(ABS($B2)&"")<=15,ABS($B2-0.5)>5E-14),$B2<0.5,NA())',
      why: 'of numbers that programs may call equal it is not sure',
    },
    {
      rule: { type: 'date', format: 'd.M.yyyy' },
      part: 'OR(LEN(MID($B2,0+1,FIND(".",$B2)-0-1))=1',
      why: 'd takes one or two digits',
    },
    {
      rule: { type: 'pattern', pattern: 'M[01]{2}' },
      part: 'FIND(MID($B2,1,1),"M")+FIND(MID($B2,2,1),"01")+FIND(MID($B2,3,1),"01")',
      why: 'characters one by one',
    },
  ])('$rule: $why', ({ rule, part }) => expect(formulaOf(rule).wrong).toContain(part))

  it.for<{ rule: Rule; why: string }>([
    { rule: { type: 'pattern', pattern: '[^@]+@.*' }, why: 'a pattern of any length' },
    { rule: { type: 'pattern', pattern: 'é{2}' }, why: 'a pattern beyond ASCII' },
    { rule: { type: 'list', options: ['A'], separator: ';' }, why: 'several values in a cell' },
    {
      rule: {
        type: 'list',
        options: Array(900)
          .fill('')
          .map((_, i) => `Option ${i}`),
      },
      why: 'a long list',
    },
    { rule: { type: 'number', maximum: 1e20 }, why: 'a bound of more digits than numbers have' },
  ])('are partial: $why', ({ rule }) => expect(formulaOf(rule).isPartial).toBe(true))

  it.for<Rule>([
    { type: 'text', minLength: 3 },
    { type: 'pattern', pattern: '\\w{60}' },
    { type: 'list', options: ['A'] },
    { type: 'number', scale: 2, minimum: 0.1 },
    { type: 'date', format: 'MM/yy' },
  ])('know all of %j', (rule) => expect(formulaOf(rule).isPartial).toBe(false))

  it('call a blank cell wrong in a row that is not blank, if it is required', () => {
    const blank = '),IF(SUMPRODUCT(--ISERROR(FIND(LEFT($A2:$C2&" ")'
    expect(formulaOf({ type: 'text' }, true).wrong.replace('=""', ')')).toContain(blank)
    expect(formulaOf({ type: 'text' }).wrong).not.toContain('SUMPRODUCT')
    expect(formulaOf({ type: 'text' }, true, { hasExemption: true }).wrong).not.toContain('SUMPRODUCT')
  })

  it('know of texts that count as blank', () => {
    expect(formulaOf({ type: 'number' }, false, { blankTexts: ['n/a'] }).wrong).toContain('"|n/a|"')
  })

  it.for(['#N/A', 'TRUE', '9'])('are not sure of cells that may be the blank text %s', (text) => {
    const { wrong } = formulaOf({ type: 'date', format: 'yyyy-MM-dd' }, false, { blankTexts: [text] })
    expect(wrong).toMatch(/^IF\(ISERROR\(\$B2\),NA\(\),/)
    expect(wrong).toMatch(/,NA\(\)\)\)\)$/)
  })

  it('have only functions of all programs and countries, within the limits of Excel', () => {
    for (const one of comparedFields()) {
      const { wrong } = cellFormula(one, '$B2', scope)
      expect(wrong.length).toBeLessThanOrEqual(8192)
      const bare = wrong.replaceAll(/"(?:[^"]|"")*"/g, (text) => {
        expect(text.length - 2).toBeLessThanOrEqual(256)
        return '""'
      })
      expect([...bare.matchAll(/([A-Z0-9]+)\(/g)].filter(([, name]) => !FUNCTIONS.has(name))).toEqual([])
      // No array constants, no other sheets, no other workbooks.
      expect(bare).not.toMatch(/[{}[\]!]/)
    }
  })

  it('break long texts between characters', () => {
    const text = `${'x'.repeat(254)}👍y`
    expect(literal(text)).toBe(`"${'x'.repeat(254)}"&"👍y"`)
    expect(literal('a_x0041_')).toBe('"a_"&"x0041_"')
  })
})
