import { describe, expect, it } from 'vitest'
import { compareReports, type ComparedReport } from '#submissions/compare-reports.ts'

const named = (id: string, message = `About ${id}.`) => ({ id, columnPosition: 'A', label: 'Id', message })
const report = (counts: object, words = (id: string) => named(id)): ComparedReport => ({
  counts: Object.entries(counts) as [string, number][],
  causes: Object.keys(counts).map(words),
})

describe('Two reports', () => {
  it.for([
    { before: { a: 5 }, after: { a: 2 }, expected: [3, 2, 0], why: 'some cells were fixed' },
    { before: { a: 5 }, after: { b: 4 }, expected: [5, 0, 4], why: 'another cause came' },
    { before: { a: 2 }, after: { a: 6 }, expected: [0, 2, 4], why: 'a cause grew' },
    { before: {}, after: { a: 3 }, expected: [0, 0, 3], why: 'the earlier file had passed' },
    { before: { a: 1, b: 2 }, after: { a: 1, b: 2 }, expected: [0, 3, 0], why: 'nothing changed' },
  ])('are compared by the cells of each cause: $why', ({ before, after, expected }) => {
    const changes = compareReports(report(before), report(after))
    expect([changes.fixed, changes.remaining, changes.new]).toEqual(expected)
    const sum = (part: 'fixed' | 'remaining' | 'new') =>
      changes.causes.reduce((total, cause) => total + cause[part], 0)
    expect([sum('fixed'), sum('remaining'), sum('new')]).toEqual(expected)
  })

  it('name a cause as the later one does, and list those of the later one first', () => {
    const earlier = report({ gone: 1, both: 2 }, (id) => named(id, 'Earlier.'))
    const later = report({ both: 1, came: 1 }, (id) => named(id, 'Later.'))
    expect(compareReports(earlier, later).causes.map(({ id, message }) => [id, message])).toEqual([
      ['both', 'Later.'],
      ['came', 'Later.'],
      ['gone', 'Earlier.'],
    ])
  })
})
