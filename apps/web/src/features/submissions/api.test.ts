import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { expect, it } from 'vitest'
import { pollInterval } from './api.ts'

const { InProcess, IngestionSuccess, IngestionFailed, ValidationPassed } = SubmissionStatus
it.for([
  { statuses: undefined, isLive: false, interval: false, why: 'not before the page is loaded' },
  { statuses: [], isLive: false, interval: false, why: 'not for an empty page' },
  {
    statuses: [IngestionSuccess, IngestionFailed],
    isLive: false,
    interval: false,
    why: 'not when all rows are settled',
  },
  {
    statuses: [IngestionSuccess, InProcess],
    isLive: false,
    interval: 10_000,
    why: 'often without a live connection',
  },
  { statuses: [ValidationPassed], isLive: true, interval: 60_000, why: 'rarely with a live connection' },
])('polls $why', ({ statuses, isLive, interval }) => {
  expect(
    pollInterval(
      statuses?.map((status) => ({ status })),
      isLive,
    ),
  ).toBe(interval)
})
