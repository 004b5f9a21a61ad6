import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Runs a program in a process of its own, because the simulation replaces the clock of its process. */
const run = (program: string, ...options: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, program), ...options], (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: output + errors }),
    )
  })
const simulate = (...options: string[]) => run('main.ts', ...options)
const valueOf = (output: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(output)?.[1]

// Long enough for a busy machine.
describe('The life of submissions under faults', { timeout: 180_000 }, () => {
  it('keeps every invariant, and is the same in one process and in two', async () => {
    const both = await simulate('--lives', '400', '--seed', '1', '--processes', '2')
    expect(both.output).toMatch(/^lives: 400$/m)
    expect(valueOf(both.output, 'violations'), both.output).toBe('0')
    expect(both.code).toBe(0)
    const one = await simulate('--lives', '400', '--seed', '1', '--processes', '1')
    expect(valueOf(one.output, 'digest')).toBe(valueOf(both.output, 'digest'))
    const other = await simulate('--lives', '400', '--seed', '2', '--processes', '2')
    expect(valueOf(other.output, 'violations'), other.output).toBe('0')
    expect(valueOf(other.output, 'digest')).not.toBe(valueOf(both.output, 'digest'))
  })

  it('shows what happens in one life', async () => {
    const { output, code } = await simulate('--lives', '600', '--seed', '1', '--life', '12')
    expect(code).toBe(0)
    expect(output).toContain('uploads file-12-0.csv')
    expect(output).toContain('everything is healthy again')
  })
})

describe('The simulation finds a statement that breaks', { timeout: 180_000 }, () => {
  it.for([
    { mutation: 'noSource', invariant: 'I1', why: 'the sweep treats every source as orphaned' },
    { mutation: 'noStatus', invariant: 'I6', why: 'a run moves a submission in any status' },
    { mutation: 'noOrder', invariant: 'I7', why: 'the e-mails to one person are not sent in their order' },
  ])('$invariant: $why', async ({ mutation, invariant }) => {
    const options = ['--seed', '2', '--lives', '600', '--mutation', mutation]
    const { output } = await run('shard.ts', ...options, '--simulations', '60')
    const { violations } = JSON.parse(output) as { violations: { life: number; text: string }[] }
    const found = violations.find(({ text }) => text.startsWith(invariant))
    expect(found, output).toBeDefined()
    // The violation is reproduced when that life is run alone.
    const alone = await run('shard.ts', ...options, '--simulation', String((found?.life ?? 0) / 10))
    expect(alone.code).toBe(1)
    expect(alone.output).toContain(`VIOLATION ${found?.text}`)
  })
})
