import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Runs it in a process of its own, because the simulation replaces the clock of its process. */
const simulate = (...options: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const program = join(import.meta.dirname, 'main.ts')
    execFile(process.execPath, [program, ...options], { maxBuffer: 2 ** 26 }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: output + errors }),
    )
  })
/** In groups of ten. Each of the 300 takes a third of a second of a processor. */
const LIVES = process.env['TEST_LONG'] === '1' ? '300' : '20'
const valueOf = (output: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(output)?.[1]

// Long enough for a busy machine.
describe('The life of submissions under faults', { timeout: 180_000 }, () => {
  it('keeps every invariant, and is the same in one process and in two', async () => {
    const both = await simulate('--lives', LIVES, '--seed', '1', '--processes', '2')
    expect(both.output).toMatch(new RegExp(`^lives: ${LIVES}$`, 'm'))
    expect(valueOf(both.output, 'violations'), both.output).toBe('0')
    expect(both.code).toBe(0)
    const one = await simulate('--lives', LIVES, '--seed', '1', '--processes', '1')
    expect(valueOf(one.output, 'digest')).toBe(valueOf(both.output, 'digest'))
    const other = await simulate('--lives', LIVES, '--seed', '2', '--processes', '2')
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

describe('The simulation finds it when', { timeout: 180_000 }, () => {
  const withMutation = (mutation: string, ...options: string[]) =>
    simulate('--lives', '10', '--seed', '3', '--mutation', mutation, ...options)

  it.for([
    { invariant: 'I1', mutation: 'noCommit', why: 'a commit is confirmed that was not done' },
    { invariant: 'I2', mutation: 'noDelete', why: 'deleted files stay' },
    { invariant: 'I7', mutation: 'mailTwice', why: 'e-mails are delivered twice' },
  ])('$why ($invariant)', async ({ invariant, mutation }) => {
    const { output, code } = await withMutation(mutation)
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^violation: ${invariant}: `, 'm'))
  })

  it('a submission leaves its final status (I6), again when that life is run alone', async () => {
    const { output } = await withMutation('notFinal')
    const [, violation] = /^violation: (I6: .*)$/m.exec(output) ?? []
    expect(violation, output).toBeDefined()
    const alone = await withMutation('notFinal', '--life', '0')
    expect(alone.code).toBe(1)
    expect(alone.output).toContain(`VIOLATION ${violation}`)
  })
})
