import { expect, it } from 'vitest'
import { programName } from '#platform/live/programs.ts'

it.for([
  ['web', 'vm', 'vm'],
  ['web+worker', 'vm-17.europe.internal.example.com', 'vm-17.eu..example.com'],
  ['worker', 'veridict-worker-7d9c8b6f5d-x2x4k', 'veridict-worke..8b6f5d-x2x4k'],
] as const)('The name of a %s has what tells its machine apart, and fits: %s', ([role, host, short]) => {
  const name = programName(role, host)
  expect(name).toMatch(new RegExp(`^veridict news \\S+ ${role.replace('+', '\\+')} \\S+:${process.pid}$`))
  expect(name.length).toBeLessThanOrEqual(63)
  const [, start, end] = /^(.+)\.\.(.+)$/.exec(short) ?? [short, short, short]
  expect(name).toContain(start)
  expect(name).toContain(`${end}:`)
})
