import { monthNamed } from '#likeness/month-names.ts'

/** Longer texts are no times of day, not even with a date. */
const LONGEST = 48
const CLOCK = new RegExp(
  '^(?<before>.*?)(?<![\\d:])(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d))?(?![\\d:])' +
    '(?: ?(?<half>[apAP])(?:\\.? ?[mM](?![a-z])\\.?|(?![a-z.])))?(?: ?(?:Uhr|h))?(?<after>.*)$',
)
const halves = (letter: string) =>
  [' _.m.', '_.m.', ' _m', '_m', ' _', '_'].map((form) => form.replace('_', letter))
const HALVES: Readonly<Record<string, string[]>> = Object.fromEntries(
  ['a', 'p'].map((letter) => [
    letter,
    [...halves(letter), ...halves(letter).map((form) => form.toUpperCase())],
  ]),
)

/** Without a year, 1.5 may be a number. */
const NUMERIC_DATE =
  /^(?:\d{4}([/.-])\d{1,2}\1\d{1,2}|\d{1,2}([/.-])\d{1,2}\2(?:\d{4}|\d{2})|\d{1,2}[/-]\d{1,2})$/
const NAMED_DATE = new RegExp(
  '^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\b\\.?,? ?)?' +
    '(?:(?<first>[a-z]{3,9})\\.? ?\\d{1,2}|\\d{1,2} ?(?<last>[a-z]{3,9})\\.?)?(?:,? ?\\d{4})?$',
  'i',
)
/** The commonest dates, for whether a pattern allows one beside the time. */
const DATES = ['2000-01-01', '01/01/2000', '01.01.2000', '01-01-2000', '1/1/2000']
const NO_OFFSET = /^\s*\([+-]?00:00\)$/

/** Whether a text beside a time of day is a date, a day of the week or nothing. */
function isDate(beside: string): boolean {
  const text = beside.replace(/^[\s,-]+|[\s,-]+$|(?<=\d)T$/g, '')
  if (text === '' || NUMERIC_DATE.test(text) || NO_OFFSET.test(beside)) return true
  const found = NAMED_DATE.exec(text)?.groups
  if (found === undefined) return false
  const name = found.first ?? found.last
  return name === undefined ? /^[a-z]/i.test(text) : monthNamed(name) > 0
}

/**
 * The time of day in a text as a pattern accepts it: 7:10 a.m. for 7:10AM, 19:10 for 7:10 PM, and without the
 * date beside it. null where several forms or none are accepted, or where half of the day is not known.
 */
export function timeWriting(text: string, accepts: (text: string) => boolean): string | null {
  if (text.length > LONGEST || !text.includes(':') || !/^[\da-z]/i.test(text)) return null
  const found = CLOCK.exec(text)?.groups
  if (found === undefined || !isDate(found.before) || !isDate(found.after)) return null
  const accepted = [...new Set(formsOf(found, accepts))].filter((form) => form !== text && accepts(form))
  if (accepted.length !== 1) return null
  const hasDate = /\d/.test(found.before + found.after)
  return hasDate && mayHaveDate(accepted[0], accepts) ? null : accepted[0]
}

/** Whether a pattern accepts the time with a date, which then must not be lost. */
const mayHaveDate = (time: string, accepts: (text: string) => boolean): boolean =>
  DATES.some((date) => [`${date} ${time}`, `${date}T${time}`, `${time} ${date}`].some(accepts))

/** An hour of twelve is written as in the text, unless the pattern accepts it only in another way. */
function formsOf(
  { hour, minute, second, half }: Record<string, string | undefined>,
  accepts: (text: string) => boolean,
): string[] {
  const clock = second === undefined ? [`:${minute}`] : [`:${minute}:${second}`]
  if (second === '00') clock.push(`:${minute}`)
  const written = Number(hour)
  const isAfternoon = half?.toLowerCase() === 'p'
  if (written > 23 || (half !== undefined && (written === 0 || written > 12))) return []
  const hour24 = half === undefined ? written : (written % 12) + (isAfternoon ? 12 : 0)
  const isMorning = half !== undefined && hour24 === written
  // Without a half, 19:10 and 0:10 say which they are; 7:10 does not. A pattern that accepts 29:10 may be one
  // of twelve hours, or of minutes and seconds.
  const isOfDay = !accepts(`29${clock.at(-1)}`)
  const is24 = half === undefined || isMorning || isOfDay
  const minutes = half === undefined && second === '00' && !isOfDay ? [written * 60 + Number(minute)] : []
  const is12 = half !== undefined || written === 0 || written > 12
  const hour12 = hour24 % 12 || 12
  const letter = hour24 < 12 ? 'a' : 'p'
  const of24 = (hours: string[]) => (is24 ? joined(hours, clock, ['']) : [])
  const of12 = (hours: string[]) => (is12 ? joined(hours, clock, HALVES[letter]) : [])
  const padded = (value: number) => String(value).padStart(2, '0')
  const bare = half !== undefined && hour === String(hour12) ? of12([hour]) : []
  const twelve = bare.some(accepts) ? bare : of12([String(hour12), padded(hour12)])
  // 0:45:00 is 45:00, or 0:45 as a spreadsheet writes it.
  return [
    ...twelve,
    ...of24([padded(hour24), String(hour24)]),
    ...minutes.map((count) => `${padded(count)}:00`),
  ]
}

const joined = (hours: string[], clock: string[], ends: string[]): string[] =>
  hours.flatMap((hour) => clock.flatMap((minutes) => ends.map((end) => hour + minutes + end)))
