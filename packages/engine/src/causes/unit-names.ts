import units from '#known/units.json' with { type: 'json' }

/**
 * Mostly no units: 1.5M is 1.5 million and no length, 1.5G 1.5 billion and no weight, 50c are cents and no
 * degrees, and 12a is a house number.
 */
const NO_UNITS: ReadonlySet<string> = new Set(['M', 'MM', 'T', 'MO', 'G', 'c', 'a'])

/** One name for a unit, or for two with a slash between them, such as mg/dl. */
export function unitNamed(text: string): string | undefined {
  if (NO_UNITS.has(text)) return undefined
  const written = text.toLowerCase()
  // Of the names of a unit, the first one stands for all.
  const name = units.find((names) => names.includes(written))?.[0]
  if (name !== undefined) return name
  const parts = text.split('/')
  if (parts.length !== 2) return undefined
  const [over, under] = parts.map(unitNamed)
  return over === undefined || under === undefined ? undefined : `${over}/${under}`
}

const WITH_UNIT = /^(?<number>\d+(?:[.,]\d+)?)(?<space> ?)(?<name>[A-Za-z°µμ²³]+(?: oz)?)\.?$/

/** Names with another meaning than the others of their unit: an ounce may be a weight, a ton has 2,000 lb. */
const OTHER_AMOUNTS = [/^fl/, /^cal$/, /^tons?$/]

const isSameAmount = (one: string, other: string): boolean =>
  OTHER_AMOUNTS.every((name) => name.test(one.toLowerCase()) === name.test(other))

/** A number with the names of its unit that a pattern accepts, with the space of the text if possible. */
export function unitWritings(text: string, accepts: (text: string) => boolean): string[] {
  const { number, space, name = '' } = WITH_UNIT.exec(text)?.groups ?? {}
  const unit = unitNamed(name)
  const names = units.find(([first]) => first === unit) ?? []
  const writings = names.filter((other) => isSameAmount(name, other)).flatMap((other) => [other, `${other}.`])
  const accepted = (between: string) => writings.map((other) => number + between + other).filter(accepts)
  const asWritten = accepted(space)
  return asWritten.length > 0 ? asWritten : accepted(space === '' ? ' ' : '')
}
