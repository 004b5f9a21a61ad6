import { describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { earlierTargetPathsOf, nextTargetPathOf, targetPathOf } from '#submissions/target-path.ts'

const submissionOf = (fileName: string): SubmissionRow =>
  ({
    id: 7,
    fileName,
    storageKey: 'ab12cd34-0000-4000-8000-000000000000',
    createdAt: new Date('2026-11-22T23:59:59Z'),
  }) as SubmissionRow

describe('A target path', () => {
  it.for(['claims.csv', 'ab12cd34_claims.xlsx', '2_.csv'])('follows the one before it: %s', (fileName) => {
    const submission = submissionOf(fileName)
    const paths = [targetPathOf(submission, 'north')]
    for (let attempt = 1; attempt < 12; attempt++) paths.push(nextTargetPathOf(submission, paths.at(-1)!))
    expect(new Set(paths).size).toBe(12)
    for (const [attempt, path] of paths.entries())
      expect(earlierTargetPathsOf(submission, path)).toEqual(paths.slice(0, attempt))
  })

  it('has folder, year and month, id, and from the second on digits of the storage key', () => {
    const submission = submissionOf('May claims.csv')
    const first = targetPathOf(submission, 'north')
    const second = nextTargetPathOf(submission, first)
    expect([first, second, nextTargetPathOf(submission, second)]).toEqual([
      'north/2026/11/7_May_claims.csv',
      'north/2026/11/7_ab12cd34_May_claims.csv',
      'north/2026/11/7_ab12cd34-2_May_claims.csv',
    ])
  })
})
