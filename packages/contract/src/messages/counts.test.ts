import { expect, it } from 'vitest'
import { cellErrors, cellExpectations } from '#messages/cells.ts'
import { fieldMessages } from '#messages/fields.ts'
import { fileProblemMessages } from '#messages/file-problems.ts'
import { inferenceNotes, inferenceReasons } from '#messages/inference.ts'
import { noticeMessages } from '#messages/notices.ts'
import { correctedMessages, reportMessages } from '#messages/report.ts'
import { submissionMessages } from '#messages/submissions.ts'

const many = 100_000

it.for([
  { sentence: submissionMessages.firstRowsOf(many), count: 'all 100,000 rows' },
  { sentence: submissionMessages.rowsWithErrors(many, many), count: '100,000 of 100,000 rows' },
  { sentence: reportMessages.rowsOfColumn(40, 1204, 2), count: '40 of 1,204 rows' },
  { sentence: cellErrors.textTooLong(many, 10_000), count: '100,000 characters, at most 10,000' },
  { sentence: cellErrors.extraCell(1204), count: '1,204 columns' },
  { sentence: cellExpectations.list(['A'], 1204), count: 'and 1,204 more' },
  { sentence: cellExpectations.textBetween(1000, 2000), count: '1,000 to 2,000 characters' },
  { sentence: noticeMessages.tooLong(32_767), count: '32,767 characters' },
  { sentence: fieldMessages.tooMany(16_384), count: '16,384 fields' },
  { sentence: fileProblemMessages.tooManyParts(1000), count: '1,000 parts' },
  { sentence: fileProblemMessages.moreDifferences(1204), count: '1,204 more' },
  { sentence: inferenceReasons.list(many, 1204), count: '1,204 different values in 100,000 cells' },
])('A count has a comma between thousands: $count', ({ sentence, count }) =>
  expect(sentence).toContain(count),
)

it.for([
  { text: submissionMessages.rowLabel(10_432), name: 'Row 10432' },
  { text: fileProblemMessages.notUtf8(10_432), name: 'line 10432' },
  { text: inferenceNotes.irregularRows(1, 10_432), name: 'Row 10432' },
  { text: cellErrors.numberTooLarge('100000'), name: 'above 100000' },
])('The number of a row, and a value of a cell, have none: $name', ({ text, name }) =>
  expect(text).toContain(name),
)

it.for([
  [0, 'None of these errors remains.'],
  [1, '1 of these errors remains.'],
  [1204, '1,204 of these errors remain.'],
] as const)('A corrected copy says how many errors remain: %i', ([remaining, end]) =>
  expect(correctedMessages.outcome(5, remaining)).toBe(`5 cells will be changed. ${end}`),
)
