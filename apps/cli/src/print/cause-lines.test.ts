import type { Cause } from '@veridict/contract/model/cause'
import { describe, expect, it } from 'vitest'
import { causeLines } from '#print/verdict-text.ts'

describe('An example of a cause', () => {
  it('is cut between characters', () => {
    const value = `${'x'.repeat(58)}😀😀`
    const cause = {
      id: 'a',
      cells: 1,
      columnPosition: 'B',
      label: 'name',
      message: 'wrong',
      advice: '',
      suggestions: 0,
      firstRow: 2,
      examples: [{ rowNumber: 2, value, suggestion: null, count: null }],
    } as unknown as Cause
    const text = causeLines({ causes: [cause], causesCount: 1, cellErrorCount: 1 }, (_, line) => line).join(
      '\n',
    )
    expect(text).toContain(`${'x'.repeat(58)}…`)
    expect(text.isWellFormed()).toBe(true)
  })
})
