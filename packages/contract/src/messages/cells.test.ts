import { expect, it } from 'vitest'
import { cellErrors, cellExpectations } from '#messages/cells.ts'

it.for([
  [1, 'the 1 column of'],
  [3, 'the 3 columns of'],
] as const)('A row beyond %i columns gets a sentence in English', ([count, says]) => {
  expect(cellErrors.extraCell(count)).toContain(says)
})

it('What a pattern expects is its description, without a full stop', () => {
  expect(cellExpectations.pattern('Ten digits.', '[0-9]{10}')).toBe('Ten digits')
})
