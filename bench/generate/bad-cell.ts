import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, TextRule } from '@veridict/contract/model/rule'
import { digits, twoDigits } from './cell-makers.ts'
import type { SeededRandom } from './seeded-random.ts'

/** What is wrong with a generated cell. */
export type Fault =
  | 'required'
  | 'length'
  | 'type'
  | 'scale'
  | 'range'
  | 'calendar'
  | 'format'
  | 'pattern'
  | 'list'
export type BadCell = { text: string; fault: Fault }

/** A cell that is wrong for every compared program. */
export function badCell(field: Field, random: SeededRandom): BadCell {
  if (field.required && random.below(4) === 0) return { text: '', fault: 'required' }
  const { rule } = field
  switch (rule.type) {
    case 'text':
      return { text: badText(rule, random), fault: 'length' }
    case 'number':
      return badNumber(rule, random)
    case 'date':
      return badDate(random)
    case 'pattern':
      return {
        text: random.oneOf(['clm_', '??', 'x-', 'AB 12', '(0) ']) + random.below(1000),
        fault: 'pattern',
      }
    case 'list':
      return { text: random.oneOf(['open', 'Unknown', 'PAID', 'n.a.', 'Opened']), fault: 'list' }
  }
}

function badText({ minLength = 0, maxLength = 0 }: TextRule, random: SeededRandom): string {
  return minLength > 1 && random.below(2) ? 'Pß1' : `long ${'é'.repeat(3)}${'x'.repeat(maxLength)}`
}

function badNumber({ scale = 0, minimum = 0, maximum = 0 }: NumberRule, random: SeededRandom): BadCell {
  switch (random.below(4)) {
    case 0:
      return { text: random.oneOf(['abc', 'N/A', '12,50', '1.2.3', '--5']), fault: 'type' }
    case 1: {
      const whole = random.below(99)
      const decimals = digits(random, scale)
      // The last digit is not zero: a workbook would drop it, and the number would be right again.
      const text = `${whole}.${decimals}${1 + random.below(9)}`
      return { text, fault: Number(text) < minimum ? 'range' : 'scale' }
    }
    case 2:
      return { text: String(maximum + 1 + random.below(1000)), fault: 'range' }
    default:
      return { text: String(minimum - 1 - random.below(1000)), fault: 'range' }
  }
}

/** All fields have the format dd/MM/yyyy. */
function badDate(random: SeededRandom): BadCell {
  switch (random.below(5)) {
    case 0:
      return { text: `31/02/20${twoDigits(random.below(24))}`, fault: 'calendar' }
    case 1: {
      const year = twoDigits(random.below(24))
      const month = 1 + random.below(9)
      return { text: `20${year}-0${month}-1${random.below(10)}`, fault: 'format' }
    }
    case 2: {
      const day = 1 + random.below(9)
      const month = 1 + random.below(9)
      return { text: `${day}/${month}/20${twoDigits(random.below(24))}`, fault: 'format' }
    }
    case 3:
      return { text: '29/02/2023', fault: 'calendar' }
    default:
      return { text: `${twoDigits(1 + random.below(28))}/13/2022`, fault: 'calendar' }
  }
}
