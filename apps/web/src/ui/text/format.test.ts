import { expect, it } from 'vitest'
import { fileSize, formatDay, relativeTime, usDateAfter } from './format.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
it.for([
  { at: '2026-11-21T11:59:30Z', text: 'just now' },
  { at: '2026-11-21T12:05:00Z', text: 'just now' },
  { at: '2026-11-21T13:00:00Z', text: 'just now' },
  { at: '2026-11-21T13:00:01Z', text: null },
  { at: '2026-11-21T11:59:00Z', text: '1 minute ago' },
  { at: '2026-11-21T09:10:00Z', text: '2 hours ago' },
  { at: '2026-11-20T11:00:00Z', text: 'yesterday' },
  { at: '2026-11-15T12:00:00Z', text: '6 days ago' },
  { at: '2026-11-14T12:00:00Z', text: null },
])('$at is $text', ({ at, text }) => expect(relativeTime(new Date(at), now)).toBe(text))

it.for([
  { from: new Date(2026, 10, 21, 6, 57), days: 90, date: '02/19/2027', why: 'across the end of a year' },
  { from: new Date(2024, 0, 1, 23, 59), days: 59, date: '02/29/2024', why: 'to a leap day' },
  { from: new Date(2026, 2, 1), days: 90, date: '05/30/2026', why: 'across the change to summer time' },
])('counts days $why', ({ from, days, date }) => expect(usDateAfter(from, days)).toBe(date))

it.for([
  { bytes: 0, size: '0 KB' },
  { bytes: 12, size: '0.1 KB' },
  { bytes: 900, size: '0.9 KB' },
  { bytes: 1024, size: '1 KB' },
  { bytes: 4300, size: '4.2 KB' },
  { bytes: 26_214_400, size: '25 MB' },
  { bytes: 900_000, size: '879 KB' },
])('$bytes is $size', ({ bytes, size }) => expect(fileSize(bytes)).toBe(size))

it.for([
  { day: new Date(2026, 4, 3), text: '3 May', why: 'of this year' },
  { day: new Date(2025, 11, 31), text: '31 December 2025', why: 'of another year' },
  { day: new Date(2026, 0, 1, 9, 5), text: '09:05 today', why: 'of today' },
])('a day $why is $text', ({ day, text }) => expect(formatDay(day, new Date(2026, 0, 1, 17))).toBe(text))
