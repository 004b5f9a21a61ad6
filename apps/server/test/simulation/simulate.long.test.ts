import { describe, expect, it } from 'vitest'
import { simulate, valueOf } from './simulate.ts'

// Long enough for a busy machine.
describe('The life of submissions under faults', { timeout: 180_000 }, () => {
  it('keeps every invariant', async () => {
    const { code, output } = await simulate('--lives', '300', '--seed', '1')
    expect(output).toMatch(/^lives: 300$/m)
    expect(valueOf(output, 'violations'), output).toBe('0')
    expect(code).toBe(0)
  })

  it('is the same in one process and in two, and another with another seed', async () => {
    const [one, two, other] = [
      await simulate('--lives', '20', '--seed', '2', '--processes', '1'),
      await simulate('--lives', '20', '--seed', '2', '--processes', '2'),
      await simulate('--lives', '20', '--seed', '3'),
    ]
    expect(valueOf(one.output, 'digest')).toBe(valueOf(two.output, 'digest'))
    expect(valueOf(other.output, 'digest')).not.toBe(valueOf(two.output, 'digest'))
    for (const { output } of [one, two, other]) expect(valueOf(output, 'violations'), output).toBe('0')
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
