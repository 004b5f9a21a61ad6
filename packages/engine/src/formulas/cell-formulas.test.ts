import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { cellFormula, type FormulaScope } from '#formulas/cell-formulas.ts'
import { isOneOf, isPartial, literal, NEVER, say } from '#formulas/formula-text.ts'
import { expectToBeFormula } from '../../test/expect-formula.ts'
import { field } from '../../test/verdict-of-rows.ts'
import { comparedFields } from '../../test/compared-cells.ts'

const isRecord = say('isAnyFilled', { range: '$A2:$C2' })
const scope: FormulaScope = { isRecord, isExempt: NEVER, blankTexts: [] }
const formulaOf = (rule: Rule, required = false, more: Partial<FormulaScope> = {}) =>
  cellFormula(field('F', rule, required), '$B2', { ...scope, ...more })

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
    { rule: { type: 'list', options: ['a "b"'] }, part: '|a ""b""|', why: 'quotes are doubled' },
    {
      rule: { type: 'date', format: 'dd/MM/yyyy' },
      part: '$B2<=DATE(9999,12,31)',
      why: 'the last day has another number in workbooks that count from 1904',
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
  ])('$rule: $why', ({ rule, part }) => expect(formulaOf(rule)).toContain(part))

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
  ])('are partial: $why', ({ rule }) => expect(isPartial(formulaOf(rule))).toBe(true))

  it.for<Rule>([
    { type: 'text', minLength: 3 },
    { type: 'pattern', pattern: '\\w{60}' },
    { type: 'list', options: ['A'] },
    { type: 'number', scale: 2, minimum: 0.1 },
    { type: 'date', format: 'MM/yy' },
  ])('know all of %j', (rule) => expect(isPartial(formulaOf(rule))).toBe(false))

  it('call a blank cell wrong in a row that is not blank, if it is required', () => {
    const blank = '),IF(SUMPRODUCT(--ISERROR(FIND(LEFT($A2:$C2&" ")'
    expect(formulaOf({ type: 'text' }, true).replace('=0', ')')).toContain(blank)
    expect(formulaOf({ type: 'text' })).not.toContain('SUMPRODUCT')
    expect(formulaOf({ type: 'text' }, true, { isExempt: '$C2=1' })).toContain('NOT($C2=1)')
  })

  it('are not sure that a required text is there where white space is around it', () => {
    const isSure = `IF(${say('isTrimmed', { cell: '$B2' })},FALSE,NA())`
    expect(formulaOf({ type: 'text' }, true)).toContain(isSure)
    expect(formulaOf({ type: 'text' })).not.toContain(isSure)
  })

  it('know of texts that count as blank', () => {
    expect(formulaOf({ type: 'number' }, false, { blankTexts: ['n/a'] })).toContain('"|n/a|"')
  })

  it.for([
    { text: 'Sa\u0303o', part: '"|Sa\u0303o|São|"' },
    // A text with other letters may be this one, composed.
    { text: 'São', part: 'FALSE,IF(AND(LEN($B2)<=' },
    { text: 'OK', part: 'FALSE,IF(COUNT(FIND("\u212a",$B2)' },
  ])('take the blank text $text with its accents composed or not', ({ text, part }) => {
    const wrong = formulaOf({ type: 'number' }, true, { blankTexts: [text] })
    expect(wrong).toContain(part)
    expectToBeFormula(wrong)
  })

  it.for(['#N/A', 'TRUE', '9'])('are not sure of cells that may be the blank text %s', (text) => {
    const wrong = formulaOf({ type: 'date', format: 'yyyy-MM-dd' }, false, { blankTexts: [text] })
    expect(wrong).toMatch(/^IF\(ISERROR\(\$B2\),NA\(\),/)
    expect(wrong).toMatch(/,NA\(\)\)\)\)$/)
  })

  it('have only functions of all programs and countries, within the limits of Excel', () => {
    for (const one of comparedFields()) {
      const wrong = cellFormula(one, '$B2', scope)
      expectToBeFormula(wrong)
    }
  })

  it('part texts by a character that none has, also where they hold the usual ones and line breaks', () => {
    const found = isOneOf('$B2', ['|;~^\n'])
    expect(found).toContain('FIND("\ue000"&$B2&"\ue000","\ue000|;~^\n\ue000")')
  })

  it('break long texts between characters', () => {
    const text = `${'x'.repeat(254)}👍y`
    expect(literal(text)).toBe(`"${'x'.repeat(254)}"&"👍y"`)
    expect(literal('a_x0041_')).toBe('"a_"&"x0041_"')
  })
})
