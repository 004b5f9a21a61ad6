import { WrittenDate } from '#causes/written-date.ts'

const CLOCK = new RegExp(
  '^(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d))?' +
    '(?: ?(?<half>[ap])(?:\\.? ?m\\.?)?)?(?: ?(?:Uhr|h))?$',
  'i',
)
const halves = (letter: string) =>
  [' _.m.', '_.m.', ' _m', '_m', ' _', '_'].map((form) => form.replace('_', letter))
const HALVES: Readonly<Record<string, string[]>> = Object.fromEntries(
  ['a', 'p'].map((letter) => [
    letter,
    [...halves(letter), ...halves(letter).map((form) => form.toUpperCase())],
  ]),
)

/** The commonest dates, for whether a pattern allows one beside the time. */
const DATES = ['2000-01-01', '01/01/2000', '01.01.2000', '01-01-2000', '1/1/2000']

/** The time of day after a date. None where a pattern accepts both, because the date must not be lost. */
export function timesAfterDate(text: string, accepts: (text: string) => boolean): string[] {
  const date = new WrittenDate()
  // Of a text with another first letter, only the bytes are looked at: see `mismatchClassifier`.
  if (!/^[\djfmasondtw]/i.test(text) || !date.read(text)) return []
  const time = text.slice(date.end).replace(/^(?:T|,? )/, '')
  const times = new Set(timeWritings(time, accepts).filter(accepts))
  const [only] = times
  const isDated = () => DATES.some((day) => [' ', 'T'].some((sign) => accepts(day + sign + only)))
  return times.size !== 1 || isDated() ? [] : [only]
}

const padded = (value: number): string => String(value).padStart(2, '0')

/**
 * 7:10 a.m. for 7:10AM, 19:10 for 7:10 PM; none where half of the day is unknown. An hour of twelve is
 * written as in the text, unless a pattern accepts it only in another way.
 */
export function timeWritings(text: string, accepts: (text: string) => boolean): string[] {
  const { hour, minute, second, half } = CLOCK.exec(text)?.groups ?? {}
  const written = Number(hour)
  const isOfTwelve = half !== undefined
  if (hour === undefined || written > 23 || (isOfTwelve && (written === 0 || written > 12))) return []
  const clock = second === undefined ? [`:${minute}`] : [`:${minute}:${second}`]
  if (second === '00') clock.push(`:${minute}`)
  const hour24 = isOfTwelve ? (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : written
  // Without a half, 7:10 is open, 19:10 and 0:10 are not. A pattern that accepts 29:10 may have hours of
  // twelve, or minutes and seconds.
  const isOfDay = !accepts(`29${clock.at(-1)}`)
  const is24 = !isOfTwelve || hour24 === written || isOfDay
  const is12 = isOfTwelve || written === 0 || written > 12
  const hour12 = hour24 % 12 || 12
  const ends = HALVES[hour24 < 12 ? 'a' : 'p']
  const bare = isOfTwelve && hour === String(hour12) ? joined([hour], clock, ends) : []
  const twelve = bare.some(accepts) ? bare : joined([String(hour12), padded(hour12)], clock, ends)
  // 0:45:00 is 45:00, or 0:45 as a spreadsheet writes it.
  const isShort = !isOfTwelve && second === '00' && !isOfDay
  return [
    ...(is12 ? twelve : []),
    ...(is24 ? joined([padded(hour24), String(hour24)], clock, ['']) : []),
    ...(isShort ? [`${padded(written * 60 + Number(minute))}:00`] : []),
  ]
}

const joined = (hours: string[], clock: string[], ends: string[]): string[] =>
  hours.flatMap((hour) => clock.flatMap((minutes) => ends.map((end) => hour + minutes + end)))
