import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedTestFiles, namedTests, problemOfTest } from './named-tests.ts'

const PROBES = 66
const page = readFileSync(join(import.meta.dirname, '../../docs/PROBES.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => ({ number: Number(/^\| (\d+) \|/.exec(line)?.[1]), text: line }))

describe('docs/PROBES.md', () => {
  it('has every probe once, in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: PROBES }, (_, at) => at + 1))
  })

  it.for(rows)('names tests that exist for probe $number', ({ text }) => {
    const tests = namedTests(text)
    expect(tests).not.toEqual([])
    expect(tests.map(({ file }) => file)).toEqual(expect.arrayContaining(namedTestFiles(text)))
    expect(tests.map(problemOfTest).filter((problem) => problem !== null)).toEqual([])
  })

  it('would find a test that does not exist', () => {
    const file = 'scripts/guards/probes.test.ts'
    expect(problemOfTest({ file, title: 'has every probe once, in order' })).toBeNull()
    expect(problemOfTest({ file, title: 'has every probe' })).not.toBeNull()
    expect(problemOfTest({ file: 'no-such.test.ts', title: 'x' })).not.toBeNull()
  })
})
