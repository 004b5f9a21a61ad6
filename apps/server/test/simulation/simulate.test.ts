import { expect, it } from 'vitest'
import { simulate, valueOf } from './simulate.ts'

// More lives, other seeds and mutations: simulate.long.test.ts. Long enough for a busy machine.
it('The life of submissions under faults keeps every invariant', { timeout: 180_000 }, async () => {
  const { code, output } = await simulate('--lives', '10', '--seed', '1', '--processes', '1')
  expect(output).toMatch(/^lives: 10$/m)
  expect(valueOf(output, 'violations'), output).toBe('0')
  expect(code).toBe(0)
})
