import { logLimits } from '@veridict/contract/limits'
import { expect, it } from 'vitest'
import { createRefusalLines } from '#platform/http/request-log.ts'

it('All addresses together have a limited number of lines, and again in the next minute', () => {
  const lines = createRefusalLines()
  const calls = Array.from({ length: logLimits.refusals + 5 }, (_, address) => lines.add(`${address}`))
  expect(calls.filter(Boolean)).toHaveLength(logLimits.refusals)
  expect(lines.nextMinute()).toBe(5)
  expect(lines.add('0')).toBe(true)
  expect(lines.nextMinute()).toBe(0)
})
