import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, TextRule } from '@veridict/contract/model/rule'
import { digits, twoDigits } from './cell-makers.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A cell that is wrong for every compared program. */
export function badCell(field: Field, random: SeededRandom): string {
  if (field.required && random.below(4) === 0) return ''
  const { rule } = field
  switch (rule.type) {
    case 'text':
      return badText(rule, random)
    case 'number':
      return badNumber(rule, random)
    case 'date':
      return badDate(random)
    case 'pattern':
      return random.oneOf(['clm_', '??', 'x-', 'AB 12', '(0) ']) + random.below(1000)
    case 'list':
      return random.oneOf(['open', 'Unknown', 'PAID', 'n.a.', 'Opened'])
  }
}

/** Whether nothing is wrong but the number of decimals, for which one of the programs has no rule. */
export const isOnlyTooPrecise = ({ rule }: Field, text: string): boolean =>
  rule.type === 'number' && /^\d+\.\d+$/.test(text) && Number(text) >= (rule.minimum ?? 0)

function badText({ minLength = 0, maxLength = 0 }: TextRule, random: SeededRandom): string {
  return minLength > 1 && random.below(2) ? 'Pß1' : `long ${'é'.repeat(3)}${'x'.repeat(maxLength)}`
}

function badNumber({ scale = 0, minimum = 0, maximum = 0 }: NumberRule, random: SeededRandom): string {
  switch (random.below(4)) {
    case 0:
      return random.oneOf(['abc', 'N/A', '12,50', '1.2.3', '--5'])
    case 1: {
      const whole = random.below(99)
      const decimals = digits(random, scale)
      // The last digit is not zero: a workbook would drop it, and the number would be right again.
      return `${whole}.${decimals}${1 + random.below(9)}`
    }
    case 2:
      return String(maximum + 1 + random.below(1000))
    default:
      return String(minimum - 1 - random.below(1000))
  }
}

/** All fields have the format dd/MM/yyyy. */
function badDate(random: SeededRandom): string {
  switch (random.below(5)) {
    case 0:
      return `31/02/20${twoDigits(random.below(24))}`
    case 1: {
      const year = twoDigits(random.below(24))
      const month = 1 + random.below(9)
      return `20${year}-0${month}-1${random.below(10)}`
    }
    case 2: {
      const day = 1 + random.below(9)
      const month = 1 + random.below(9)
      return `${day}/${month}/20${twoDigits(random.below(24))}`
    }
    case 3:
      return '29/02/2023'
    default:
      return `${twoDigits(1 + random.below(28))}/13/2022`
  }
}
