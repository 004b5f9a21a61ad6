import { counted } from '#notation/count.ts'
import type { CauseKind } from '#model/cause.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import {
  askSource,
  correctedExample,
  lookAt,
  oneOf,
  provesBoth,
  replaceAll,
  select,
  useFormula,
  valuesAre,
  valuesHave,
  writeInForm,
} from '#messages/cause-sentences/phrases.ts'
import { Remedy } from '#messages/cause-sentences/remedies.ts'

/** Without the number of decimals, a spreadsheet shows two, and writes two into a CSV file. */
function formatNumber(facts: CauseFacts): string {
  const { rule } = facts.field ?? {}
  const hasNoScale = rule?.type === 'number' && rule.scale === undefined
  const decimals = hasNoScale ? '' : ` with ${counted(scaleOf(facts), 'decimal place')}`
  return `${select(facts)} and set Format Cells > Number${decimals}`
}

function openPercentages({ cells, suggestions }: CauseFacts): string {
  const count = cells - suggestions
  if (count === 0) return ''
  return (
    ` ${counted(count, 'other value')} ${count === 1 ? 'has' : 'have'} no certain number, as 1% may be 1 ` +
    `or 0.01: correct ${count === 1 ? 'it' : 'them'} by hand.`
  )
}

const OPEN_COMMA = 'a comma that could be a decimal comma'

const scaleOf = ({ field }: CauseFacts): number => (field?.rule.type === 'number' && field.rule.scale) || 0

/** As the file writes it: the detail EUR is €, too. */
const currencyOf = ({ examples }: CauseFacts): string =>
  /[^-+\d\s.,()'\u2019]{1,8}\.?/.exec(examples[0]?.value ?? '')?.[0] ?? 'the currency'

/** A number and the unit after it: 5 kg, 5 m2, 5 fl oz. */
const WITH_UNIT = /^[-+\d.,'\s]*\d\s*(?<unit>[^-+\d.,'\s]+(?:\s(?:oz|m|ft|ounces?)(?![A-Za-z]))?2?(?:\.$)?)/i

/** As the file writes it: the detail is one name for units, unit and pcs. */
const unitIn = (value: string): string | undefined => WITH_UNIT.exec(value)?.groups!.unit

const unitOf = ({ detail, examples }: CauseFacts): string => unitIn(examples[0]?.value ?? '') ?? detail

/** kgs before kg, its beginning. The dialog finds them without regard to case. */
const unitsOf = ({ remedies, detail }: CauseFacts): string[] =>
  remedies?.signs.toSorted((one, other) => other.length - one.length) ?? [detail]

/** Causes of numbers. Ours. */
export const numberSentences = {
  notANumber: {
    message: (facts) => `${valuesAre(facts)} not ${oneOf(facts, 'a number', 'numbers')}.`,
    advice: lookAt,
  },
  dateCell: {
    message: (facts) =>
      `${valuesAre(facts)} ` +
      oneOf(facts, 'a number in a cell', 'numbers in cells') +
      ' with a date or time format.',
    advice: (facts) => `${formatNumber(facts)}, then save again. Look first whether a date or time is meant.`,
  },
  numberTooSmall: {
    message: (facts) =>
      `${valuesAre(facts)} below ` +
      `${facts.field?.rule.type === 'number' ? facts.field.rule.minimum : 'the minimum'}.`,
    advice: lookAt,
  },
  numberTooLarge: {
    message: (facts) =>
      `${valuesAre(facts)} above ` +
      `${facts.field?.rule.type === 'number' ? facts.field.rule.maximum : 'the maximum'}.`,
    advice: lookAt,
  },
  tooManyDecimals: {
    message: (facts) => {
      const scale = scaleOf(facts)
      return scale === 0
        ? `${valuesHave(facts)} decimals, but only whole numbers are allowed.`
        : `${valuesHave(facts)} more than ${counted(scale, 'decimal')}.`
    },
    advice: (facts) =>
      `Round these numbers if that is allowed: put =ROUND(cell,${scaleOf(facts)}) into a free column, fill ` +
      'it down, and paste the results over the column as values.',
  },
  decimalComma: {
    message: (facts) => `${valuesAre(facts)} written with a decimal comma instead of a point.`,
    advice: (facts) =>
      `${select(facts)}, choose Data > Text to Columns > Next > Next > Advanced, set the decimal separator ` +
      'to a comma and the thousands separator to what these values have between their thousands ' +
      '(if nothing, to a space), then OK > Finish.',
  },
  thousands: {
    message: (facts) => `${valuesAre(facts)} written with a separator between the thousands.`,
    advice: (facts) =>
      `${formatNumber(facts)} and without Use 1000 Separator, then save again. Where the cells are texts, ` +
      'replace the separator with nothing.',
  },
  numberOpen: {
    message: (facts) =>
      `${valuesHave(facts)} ` +
      (facts.detail === 'point' ? 'a point that could be a decimal point' : OPEN_COMMA) +
      ' or a separator between thousands' +
      (provesBoth(facts) ? ': the column has both.' : ', and no other value of the column shows which.'),
    advice: () =>
      'Find out which of the two is meant, and write the numbers without separators and with a decimal ' +
      'point.',
  },
  currency: {
    message: (facts) =>
      facts.detail === 'mixed'
        ? `${valuesAre(facts)} written with a currency, and not all with the same one.`
        : `${valuesAre(facts)} written with the currency ${facts.detail}.`,
    advice: (facts) =>
      facts.detail === 'mixed'
        ? 'Convert the amounts to one currency, and write them as plain numbers.'
        : `${formatNumber(facts)}, then save again. Where the cells are texts, replace ` +
          `${currencyOf(facts)} with nothing.`,
  },
  unit: {
    message: (facts) =>
      facts.detail === 'mixed'
        ? `${valuesAre(facts)} written with units, and not all with the same one.`
        : `${valuesAre(facts)} written with the unit "${unitOf(facts)}".`,
    advice: (facts) =>
      facts.detail === 'mixed'
        ? 'Convert the values to one unit, and write them as plain numbers.'
        : replaceAll(facts, unitsOf(facts)),
  },
  percent: {
    message: (facts) => `${valuesAre(facts)} written with a per cent sign.`,
    advice: (facts) =>
      facts.suggestions > 0
        ? `Write plain numbers: ${correctedExample(facts)?.suggestion ?? facts.expected} instead of ` +
          `${correctedExample(facts)?.value ?? 'the percentage'}.${openPercentages(facts)}`
        : 'Find out whether 12.5% must be written 12.5 or 0.125: the rule of the field does not show it.',
  },
  negative: {
    message: (facts) =>
      `${valuesAre(facts)} negative, but written in brackets or with another sign than a hyphen in front.`,
    advice: (facts) => {
      const value = correctedExample(facts)?.value.trim() ?? ''
      if (value.endsWith('-'))
        return (
          `${select(facts)}, choose Data > Text to Columns > Next > Next > Advanced, set the decimal and ` +
          'the thousands separator to those of these values, choose Trailing minus for negative numbers, ' +
          'then OK > Finish.'
        )
      return /^[\u2212\u2013]/.test(value)
        ? `${select(facts)}, open Home > Find & Select > Replace, find ${value[0]} and replace it with a ` +
            'hyphen.'
        : `${formatNumber(facts)} and the negative form -1234.10, then save again.`
    },
  },
  numberForm: {
    message: (facts) => `${valuesAre(facts)} written in an unusual form instead of as plain numbers.`,
    advice: (facts) => writeInForm(facts, 'plain numbers'),
  },
  exponent: {
    message: (facts) => `${valuesAre(facts)} written with an exponent.`,
    advice: (facts) => `${formatNumber(facts)}, then save again.`,
  },
  floatNoise: {
    message: (facts) => `${valuesHave(facts)} meaningless last digits, left by a calculation.`,
    advice: (facts) => useFormula(facts, Remedy.Round, scaleOf(facts)),
  },
  trailingZeros: {
    message: (facts) => `${valuesHave(facts)} zeros after the point that are not allowed.`,
    advice: (facts) => `${formatNumber(facts)}, then save again.`,
  },
  shortenedNumber: {
    message: (facts) =>
      `${valuesAre(facts)} shortened by Excel, such as ${facts.examples[0]?.value ?? '1.2E+05'}: digits ` +
      'are lost.',
    advice: () => askSource,
  },
} satisfies Partial<Record<CauseKind, Sentences>>
