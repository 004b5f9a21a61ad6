import { describe, expect, it } from 'vitest'
import { problemOfTest } from './named-tests.ts'
import { checkNumberedTests } from './numbered-tests.ts'

checkNumberedTests('docs/PROBES.md', { prefix: '', last: 81 })

describe('A test that a page names', () => {
  it('is not found if it does not exist', () => {
    const file = 'scripts/guards/probes.test.ts'
    expect(problemOfTest({ file, title: 'is not found if it does not exist' })).toBeNull()
    expect(problemOfTest({ file, title: 'is not found' })).not.toBeNull()
    expect(problemOfTest({ file: 'no-such.test.ts', title: 'x' })).not.toBeNull()
  })
})
