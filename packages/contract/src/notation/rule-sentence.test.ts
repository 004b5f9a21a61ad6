import { describe, expect, it } from 'vitest'
import { everyRowRule } from '#test/every-row-rule.ts'
import type { RowRule } from '#model/row-rule.ts'
import { readCondition, readDemands, ruleSentence, ruleSentences } from '#notation/rule-sentence.ts'

const whenOf = (text: string) => {
  const read = readCondition(text)
  return read.ok ? read.value : read.fault
}
const thenOf = (text: string) => {
  const read = readDemands(text)
  return read.ok ? read.value : read.fault
}

describe('The sentences of a rule', () => {
  it.for(everyRowRule)('are read back as they were written: $name', ({ when, then, otherwise = [] }) => {
    const written = ruleSentences({ when, then, otherwise } as RowRule)
    const read = {
      when: whenOf(written.if),
      then: thenOf(written.then),
      otherwise: thenOf(written.otherwise),
    }
    expect(read).toEqual({ when, then, otherwise })
    // The words stay the same whatever their case and the white space between them.
    const spaced = written.if.replace(/ (?=(?:[^"]|"[^"]*")*$)/g, ' \n ').replace(/^either/, 'EITHER')
    expect(whenOf(spaced)).toEqual(when)
  })

  it.for<[text: string, rule: Parameters<typeof ruleSentence>[0]]>([
    [
      'If "Status" is one of "Denied", "Void" and "Paid" is more than "0", then "Reason" is filled.',
      {
        when: {
          all: [
            { column: 'Status', is: 'oneOf', values: ['Denied', 'Void'] },
            { column: 'Paid', is: 'more', than: { value: '0' } },
          ],
        },
        then: [{ column: 'Reason', is: 'filled' }],
      },
    ],
    [
      'If "Kind" is none of "A" (or blank), then "End" is at least the value of "Start" plus 1 month ' +
        '(if all are filled); otherwise "End" is blank.',
      {
        when: { all: [{ column: 'Kind', is: 'noneOf', values: ['A'] }] },
        then: [{ column: 'End', is: 'atLeast', than: { column: 'Start', plus: 1, unit: 'months' } }],
        otherwise: [{ column: 'End', is: 'blank' }],
      },
    ],
    [
      'Unless either "A" is blank or "B" is not equal to "x" (and filled): "C" is filled.',
      {
        when: {
          any: [
            { column: 'A', is: 'blank' },
            { column: 'B', is: 'notEqual', than: { value: 'x' } },
          ],
        },
        then: [],
        otherwise: [{ column: 'C', is: 'filled' }],
      },
    ],
    [
      '"Total" is equal to the sum of "A", "B" within 0.01 (if filled, blanks count as 0).',
      { then: [{ column: 'Total', is: 'equal', than: { sum: ['A', 'B'], tolerance: 0.01 } }] },
    ],
    ['"NPI" is unique.', { then: [{ columns: ['NPI'], is: 'unique' }] }],
  ])('say their blank case where it is not plain: %s', ([text, rule]) => {
    expect(ruleSentence(rule)).toBe(text)
  })

  it('are read without the words of a blank case, and with "or" alone', () => {
    expect(whenOf('"A" is none of "x" or "B" is blank')).toEqual({
      any: [
        { column: 'A', is: 'noneOf', values: ['x'] },
        { column: 'B', is: 'blank' },
      ],
    })
  })

  it.for([
    { text: '"A" is filed', at: 8, nearest: '"Column" is filled' },
    { text: '"A" is filled, "B" is filled', at: 14, nearest: '… and …' },
    { text: '"A" is filled or "B" is filled', at: 15, nearest: '… and …' },
    { text: 'A is filled', at: 1, nearest: '"Column" is filled' },
    { text: '"A" is one of Denied', at: 15, nearest: '"Column" is one of "value", "value"' },
    { text: '"A" is one of "x" (if filled)', at: 19, nearest: '"Column" is one of "value", "value"' },
    { text: '"A" is at most the value of B', at: 29, nearest: '"Column" is at most the value of "Column"' },
    { text: '"A" is less than yesterday', at: 18, nearest: '"Column" is less than "value"' },
    { text: '"A" starts with "x', at: 17, nearest: '"Column" starts with "text"' },
    { text: '"A" is less than today plus 3 days and', at: 39, nearest: '"Column" is filled' },
  ])('are refused with the place and the nearest form: $text', ({ text, at, nearest }) => {
    expect(thenOf(text)).toEqual({ at, nearest })
  })

  it('are refused with the nearest form in a condition, too', () => {
    expect(whenOf('A is filled')).toEqual({ at: 1, nearest: '"Column" is filled' })
  })
})
