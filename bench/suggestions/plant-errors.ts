import type { Field } from '@veridict/contract/model/field'
import type { SeededRandom } from '../generate/seeded-random.ts'

/**
 * One kind of error as people and programs make it: a clean cell of the field → what stands in the file, or
 * null if this error does not apply. `share`: of how many cells of the column.
 */
export type PlantedError = {
  readonly name: string
  readonly share: number
  readonly plant: (field: Field, clean: string, random: SeededRandom) => string | null
}

const numbers = (change: (clean: string, random: SeededRandom) => string | null): PlantedError['plant'] => {
  return ({ rule }, clean, random) => (rule.type === 'number' ? change(clean, random) : null)
}

/** Dates in another format, of fields whose format is dd/MM/yyyy. */
const dates = (format: string): PlantedError['plant'] => {
  return ({ rule }, clean) => {
    const isDate = rule.type === 'date' && rule.format === 'dd/MM/yyyy'
    const [dd, MM, yyyy] = isDate ? clean.split('/') : []
    if (yyyy === undefined) return null
    const month = Number(MM)
    const MMMM = inGerman.format(new Date(2024, month - 1))
    const parts = { dd, MM, yyyy, MMMM, d: Number(dd), M: month, yy: yyyy.slice(2), MMM: MONTHS[month - 1] }
    return format.replace(/y+|M+|d+/g, (part) => String(parts[part as keyof typeof parts]))
  }
}

const options = (change: (clean: string, random: SeededRandom) => string | null): PlantedError['plant'] => {
  return ({ rule }, clean, random) => {
    const planted = rule.type === 'list' ? change(clean, random) : null
    return rule.type === 'list' && planted !== null && rule.options.includes(planted) ? null : planted
  }
}

const withThousands = (clean: string, separator: string, point: string): string => {
  const [whole, decimals] = clean.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, separator)
  return decimals === undefined ? grouped : grouped + point + decimals
}

/** A letter is left out, doubled, replaced, or changes places with the next. */
function misspelt(clean: string, random: SeededRandom): string | null {
  if (clean.length < 4) return null
  const at = 1 + random.below(clean.length - 2)
  switch (random.below(4)) {
    case 0:
      return clean.slice(0, at) + clean.slice(at + 1)
    case 1:
      return clean.slice(0, at) + clean[at] + clean.slice(at)
    case 2:
      return clean.slice(0, at) + random.oneOf([...'aeiorst']) + clean.slice(at + 1)
    default:
      return clean.slice(0, at) + clean[at + 1] + clean[at] + clean.slice(at + 2)
  }
}

/** For patterns of digits alone. */
const codes = (change: (clean: string) => string | null): PlantedError['plant'] => {
  return ({ rule }, clean) => (rule.type === 'pattern' && /^\d{4,}$/.test(clean) ? change(clean) : null)
}

const inGerman = new Intl.DateTimeFormat('de-DE', { month: 'long' })
/** What a text becomes whose UTF-8 is read as windows-1252. */
const broken = (clean: string): string =>
  new TextDecoder('windows-1252').decode(new TextEncoder().encode(clean))
const ARABIC_ZERO = 0x660

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const WHOLE = 1
const SOME = 0.05

export const plantedErrors: readonly PlantedError[] = [
  ...[
    'yyyy-MM-dd',
    'd.M.yyyy',
    'M-d-yyyy',
    'dd.MM.yy',
    'dd-MM-yy',
    'yy-MM-dd',
    'dd-MMM-yyyy',
    'd. MMMM yyyy',
    'yyyy-MM-ddT00:00:00.000Z',
    'yyyyMMdd',
    'dd/MM/yyyy 00:00:00',
    'MM/dd/yyyy',
  ].map((format) => ({ name: `date ${format}`, share: WHOLE, plant: dates(format) })),
  { name: 'some dates yyyy-MM-dd', share: SOME, plant: dates('yyyy-MM-dd') },
  { name: 'some dates MM/dd/yyyy', share: SOME, plant: dates('MM/dd/yyyy') },
  {
    name: 'decimal comma',
    share: WHOLE,
    plant: numbers((clean) => (clean.includes('.') ? clean.replace('.', ',') : null)),
  },
  { name: 'thousands 1,234.50', share: WHOLE, plant: numbers((clean) => withThousands(clean, ',', '.')) },
  { name: 'thousands 1.234,50', share: WHOLE, plant: numbers((clean) => withThousands(clean, '.', ',')) },
  {
    name: 'thousands 1 234,50',
    share: WHOLE,
    plant: numbers((clean) => withThousands(clean, '\u00a0', ',')),
  },
  {
    name: 'thousands 1\u202f234.50',
    share: WHOLE,
    plant: numbers((clean) => withThousands(clean, '\u202f', '.')),
  },
  {
    name: 'minus after, or brackets',
    share: SOME,
    plant: numbers((clean, random) =>
      !clean.startsWith('-') ? null : random.isLikely(0.5) ? `${clean.slice(1)}-` : `(${clean.slice(1)})`,
    ),
  },
  {
    name: 'Arabic digits',
    share: WHOLE,
    plant: ({ rule }, clean) =>
      rule.type === 'text' || rule.type === 'list'
        ? null
        : clean.replace(/\d/g, (digit) => String.fromCharCode(ARABIC_ZERO + Number(digit))),
  },
  { name: 'point and zero', share: WHOLE, plant: codes((clean) => `${clean}.0`) },
  {
    name: 'hyphens between digits',
    share: WHOLE,
    plant: codes((clean) => (clean.length < 7 ? null : clean.replace(/(\d{3})(\d{3})/, '$1-$2-'))),
  },
  { name: 'broken letters', share: WHOLE, plant: options((clean) => broken(clean)) },
  { name: 'currency sign', share: WHOLE, plant: numbers((clean) => `$${clean}`) },
  { name: 'currency code', share: SOME, plant: numbers((clean) => `${clean} EUR`) },
  {
    name: 'currency and thousands',
    share: SOME,
    plant: numbers((clean) => `$ ${withThousands(clean, ',', '.')}`),
  },
  { name: 'unit', share: WHOLE, plant: numbers((clean) => `${clean} kg`) },
  { name: 'some units', share: SOME, plant: numbers((clean) => `${clean}oz`) },
  { name: 'per cent', share: SOME, plant: numbers((clean) => `${clean}%`) },
  {
    name: 'noise of floating point',
    share: SOME,
    plant: numbers((clean) => (clean.includes('.') ? `${clean}00000000000001` : null)),
  },
  {
    name: 'exponent',
    share: SOME,
    plant: numbers((clean) =>
      Number(clean) >= 1000 ? Number(clean).toExponential(2).replace('e', 'E') : null,
    ),
  },
  { name: 'letter case', share: WHOLE, plant: options((clean) => clean.toUpperCase()) },
  { name: 'some letter case', share: SOME, plant: options((clean) => clean.toLowerCase()) },
  { name: 'misspelt', share: SOME, plant: options(misspelt) },
  {
    name: 'double space',
    share: SOME,
    plant: options((clean) => (clean.includes(' ') ? clean.replace(' ', '  ') : null)),
  },
  {
    name: 'hyphen for space',
    share: SOME,
    plant: options((clean) => (clean.includes(' ') ? clean.replaceAll(' ', '-') : null)),
  },
  {
    name: 'quotes around',
    share: SOME,
    plant: ({ rule }, clean) => (rule.type === 'text' || clean === '' ? null : `"${clean}"`),
  },
  {
    name: 'apostrophe before',
    share: SOME,
    plant: ({ rule }, clean) => (rule.type === 'text' || clean === '' ? null : `'${clean}`),
  },
  {
    name: 'placeholder',
    share: SOME,
    plant: ({ rule, required }, clean, random) =>
      required || clean !== '' || rule.type === 'text'
        ? null
        : random.oneOf(['N/A', '-', 'null', 'none', 'n.a.', '#N/A', '?']),
  },
  {
    name: 'unknown value',
    share: SOME,
    plant: options((_, random) => random.oneOf(['Other', 'Various', 'See notes', 'XYZ', '99'])),
  },
  { name: 'letter in a number', share: SOME, plant: numbers((clean) => clean.replace(/\d(?=\D*$)/, 'x')) },
  { name: 'impossible day', share: SOME, plant: dates('31/02/yyyy') },
]
