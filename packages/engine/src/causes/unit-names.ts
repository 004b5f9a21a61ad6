/** The names of each unit; the first one stands for all. */
const UNITS: readonly (readonly string[])[] = [
  'oz|ounce|ounces|floz|fl oz|fluid ounce|fluid ounces',
  'lb|lbs|pound|pounds',
  'g|gr|gram|grams|gramme|grammes|gm',
  'kg|kgs|kilo|kilos|kilogram|kilograms|kilogramme',
  'mg|milligram|milligrams',
  'mcg|µg|μg|ug',
  'ng',
  'pg',
  'mol',
  'mmol',
  'µmol|μmol|umol',
  'nmol',
  'meq',
  't|ton|tons|tonne|tonnes',
  'l|ltr|liter|liters|litre|litres',
  'ml|milliliter|milliliters|millilitre|millilitres',
  'cl',
  'dl',
  'µl|μl|ul',
  'gal|gallon|gallons',
  'pt|pint|pints',
  'mm',
  'cm|centimeter|centimeters|centimetre|centimetres',
  'm|meter|meters|metre|metres',
  'km|kilometer|kilometers|kilometre|kilometres|kms',
  'in|inch|inches',
  'ft|foot|feet',
  'yd|yard|yards',
  'mi|mile|miles',
  'ms',
  's|sec|secs|second|seconds|sekunde|sekunden',
  'min|mins|minute|minutes|minuten',
  'h|hr|hrs|hour|hours|std|stunde|stunden',
  'd|day|days|tag|tage',
  'wk|wks|week|weeks|woche|wochen',
  'mo|mos|month|months|monat|monate',
  'y|yr|yrs|year|years|jahr|jahre',
  'pcs|pc|piece|pieces|unit|units|ea|each|item|items|stk|stück',
  'kwh',
  'kw',
  'w|watt|watts',
  'v|volt|volts',
  'a|amp|amps',
  'hz',
  'mhz',
  'ghz',
  'kb',
  'mb',
  'gb',
  'tb',
  'c|°c|celsius|degc',
  'f|°f|fahrenheit|degf',
  'mph',
  'kmh|km/h|kph',
  'bpm',
  'mmhg',
  'iu',
  'u',
  'kcal|cal|calories',
  'kj',
  'ha|hectare|hectares',
  'acre|acres',
  'sqm|m2|m²|sq m',
  'sqft|ft2|ft²|sq ft',
  'm3|m³',
  'ibu|ibus',
  'pts|point|points',
  'page|pages|pp',
  'people|persons|person|personen',
  'star|stars',
].map((names) => names.split('|'))

/** Units as they are written → one name each. */
const UNIT_NAMES: ReadonlyMap<string, string> = new Map(
  UNITS.flatMap((names) => names.map((name): [string, string] => [name, names[0]])),
)

/** All names of the unit that `unitNamed` gave; none for two units with a slash. */
export const namesOfUnit = (unit: string): readonly string[] => UNITS.find(([name]) => name === unit) ?? []

/**
 * Written so, these are mostly no units: 1.5M is 1.5 million and no length, 1.5G 1.5 billion and no weight,
 * 50c are cents and no degrees, and 12a is a house number.
 */
const NO_UNITS: ReadonlySet<string> = new Set(['M', 'MM', 'T', 'MO', 'G', 'c', 'a'])

/** One name for a unit, or for two with a slash between them, such as mg/dl. */
export function unitNamed(text: string): string | undefined {
  if (NO_UNITS.has(text)) return undefined
  const name = UNIT_NAMES.get(text.toLowerCase())
  if (name !== undefined) return name
  const parts = text.split('/')
  if (parts.length !== 2) return undefined
  const [over, under] = parts.map(unitNamed)
  return over === undefined || under === undefined ? undefined : `${over}/${under}`
}
