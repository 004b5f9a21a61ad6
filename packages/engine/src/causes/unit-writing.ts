import { namesOfUnit, unitNamed } from '#causes/unit-names.ts'

const HOURS_AND_MINUTES = new RegExp(
  '^(?<hours>\\d{1,3}) ?(?:h|hrs?|hours?|std|stunden?)\\.?,? ?(?:and )?' +
    '(?<minutes>[0-5]?\\d) ?(?:m|mins?|minutes?|minuten)\\.?$',
  'i',
)

/** The minutes of a text such as 1 h 50 min; null for another one. */
export function minutesIn(text: string): string | null {
  const found = HOURS_AND_MINUTES.exec(text)?.groups
  return found === undefined ? null : String(Number(found.hours) * 60 + Number(found.minutes))
}

const HOURS = /^(?<hours>\d{1,3}) ?(?:h|hrs?|hours?|std|stunden?)\.?$/i

const WITH_UNIT = /^(?<number>\d+(?:[.,]\d+)?)(?<space> ?)(?<unit>[A-Za-z°µμ²³]+(?: oz)?)\.?$/

/** Names with another meaning than the others of their unit: an ounce may be a weight, a ton has 2,000 lb. */
const OTHER_AMOUNTS = [/^fl/, /^cal$/, /^tons?$/]

const isSameAmount = (one: string, other: string): boolean =>
  OTHER_AMOUNTS.every((name) => name.test(one.toLowerCase()) === name.test(other))

/**
 * A number with its unit as a pattern accepts it: 110 min for 110 minutes or 1 h 50 min, and 120 min for 2 h
 * where hours are not accepted. null where several writings are accepted, or none.
 */
export function unitWriting(text: string, accepts: (text: string) => boolean): string | null {
  const minutes = minutesIn(text)
  if (minutes !== null) return inMinutes(Number(minutes), accepts)
  const own = writingsOf(WITH_UNIT.exec(text)?.groups, accepts)
  const hours = own.length === 0 ? HOURS.exec(text)?.groups!.hours : undefined
  return hours === undefined ? only(own) : inMinutes(Number(hours) * 60, accepts)
}

const inMinutes = (minutes: number, accepts: (text: string) => boolean): string | null =>
  only(writingsOf({ number: String(minutes), space: ' ', unit: 'min' }, accepts))

const only = (writings: readonly string[]): string | null => (writings.length === 1 ? writings[0] : null)

/** As the pattern accepts the number with a name of its unit, with the space of the text if possible. */
function writingsOf(found: Record<string, string> | undefined, accepts: (text: string) => boolean): string[] {
  const unit = found === undefined ? undefined : unitNamed(found.unit)
  if (found === undefined || unit === undefined) return []
  for (const space of found.space === '' ? ['', ' '] : [' ', '']) {
    const names = namesOfUnit(unit).filter((name) => isSameAmount(found.unit, name))
    const writings = names.flatMap((name) => [name, `${name}.`])
    const accepted = writings.map((name) => found.number + space + name).filter(accepts)
    if (accepted.length > 0) return accepted
  }
  return []
}
