import type { Field } from '@veridict/contract/model/field'
import type { SeededRandom } from '../generate/seeded-random.ts'

/** A clean cell of the field → what stands in the file, or null if this error does not apply. */
type Plant = (field: Field, clean: string, random: SeededRandom) => string | null
type Change = (clean: string, random: SeededRandom) => string | null

/** One kind of error as people and programs make it. `share`: of how many cells of the column. */
export type PlantedError = { readonly name: string; readonly share: number; readonly plant: Plant }

const numbers = (change: Change): Plant => {
  return ({ rule }, clean, random) => (rule.type === 'number' ? change(clean, random) : null)
}

/** Dates in another format, of fields whose format is dd/MM/yyyy. */
const dates = (format: string): Plant => {
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

const options = (change: Change): Plant => {
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
const codes = (change: (clean: string) => string | null): Plant => {
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

/** Not in texts, where all is right, nor in blank cells. */
const around = (change: (clean: string) => string): Plant => {
  return ({ rule }, clean) => (rule.type === 'text' || clean === '' ? null : change(clean))
}

const errors: readonly (readonly [name: string, share: number, plant: Plant])[] = [
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
  ].map((format) => [`date ${format}`, WHOLE, dates(format)] as const),
  ['some dates yyyy-MM-dd', SOME, dates('yyyy-MM-dd')],
  ['some dates MM/dd/yyyy', SOME, dates('MM/dd/yyyy')],
  ['decimal comma', WHOLE, numbers((clean) => (clean.includes('.') ? clean.replace('.', ',') : null))],
  ['thousands 1,234.50', WHOLE, numbers((clean) => withThousands(clean, ',', '.'))],
  ['thousands 1.234,50', WHOLE, numbers((clean) => withThousands(clean, '.', ','))],
  ['thousands 1 234,50', WHOLE, numbers((clean) => withThousands(clean, '\u00a0', ','))],
  ['thousands 1\u202f234.50', WHOLE, numbers((clean) => withThousands(clean, '\u202f', '.'))],
  [
    'minus after, or brackets',
    SOME,
    numbers((clean, random) =>
      !clean.startsWith('-') ? null : random.isLikely(0.5) ? `${clean.slice(1)}-` : `(${clean.slice(1)})`,
    ),
  ],
  [
    'Arabic digits',
    WHOLE,
    ({ rule }, clean) =>
      rule.type === 'text' || rule.type === 'list'
        ? null
        : clean.replace(/\d/g, (digit) => String.fromCharCode(ARABIC_ZERO + Number(digit))),
  ],
  ['point and zero', WHOLE, codes((clean) => `${clean}.0`)],
  [
    'hyphens between digits',
    WHOLE,
    codes((clean) => (clean.length < 7 ? null : clean.replace(/(\d{3})(\d{3})/, '$1-$2-'))),
  ],
  ['broken letters', WHOLE, options((clean) => broken(clean))],
  ['currency sign', WHOLE, numbers((clean) => `$${clean}`)],
  ['currency code', SOME, numbers((clean) => `${clean} EUR`)],
  ['currency and thousands', SOME, numbers((clean) => `$ ${withThousands(clean, ',', '.')}`)],
  ['unit', WHOLE, numbers((clean) => `${clean} kg`)],
  ['some units', SOME, numbers((clean) => `${clean}oz`)],
  ['per cent', SOME, numbers((clean) => `${clean}%`)],
  [
    'noise of floating point',
    SOME,
    numbers((clean) => (clean.includes('.') ? `${clean}00000000000001` : null)),
  ],
  [
    'exponent',
    SOME,
    numbers((clean) => (Number(clean) >= 1000 ? Number(clean).toExponential(2).replace('e', 'E') : null)),
  ],
  ['letter case', WHOLE, options((clean) => clean.toUpperCase())],
  ['some letter case', SOME, options((clean) => clean.toLowerCase())],
  ['misspelt', SOME, options(misspelt)],
  ['double space', SOME, options((clean) => (clean.includes(' ') ? clean.replace(' ', '  ') : null))],
  ['hyphen for space', SOME, options((clean) => (clean.includes(' ') ? clean.replaceAll(' ', '-') : null))],
  ['quotes around', SOME, around((clean) => `"${clean}"`)],
  ['apostrophe before', SOME, around((clean) => `'${clean}`)],
  [
    'placeholder',
    SOME,
    ({ rule, required }, clean, random) =>
      required || clean !== '' || rule.type === 'text'
        ? null
        : random.oneOf(['N/A', '-', 'null', 'none', 'n.a.', '#N/A', '?']),
  ],
  [
    'unknown value',
    SOME,
    options((_, random) => random.oneOf(['Other', 'Various', 'See notes', 'XYZ', '99'])),
  ],
  ['letter in a number', SOME, numbers((clean) => clean.replace(/\d(?=\D*$)/, 'x'))],
  ['impossible day', SOME, dates('31/02/yyyy')],
]

export const plantedErrors: readonly PlantedError[] = errors.map(([name, share, plant]) => ({
  name,
  share,
  plant,
}))
