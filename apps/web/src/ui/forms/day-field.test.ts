import { expect, it } from 'vitest'
import { readDay } from './day-field.tsx'

it.for([
  { text: '21 Nov 2026', day: '2026-11-21' },
  { text: ' 1 february 2024 ', day: '2024-02-01' },
  { text: '2026-11-21', day: '2026-11-21' },
  { text: '29 Feb 2024', day: '2024-02-29' },
  { text: '29 Feb 2023', day: null },
  { text: '31 Jun 2026', day: null },
  { text: '1', day: null },
  { text: '1 Jan 20', day: null },
  { text: '05/06/2026', day: null },
])('"$text" is the day $day', ({ text, day }) => expect(readDay(text)).toBe(day))
