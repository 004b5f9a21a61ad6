import { counted } from '#notation/count.ts'
import type { CauseKind } from '#model/cause.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import {
  lookAt,
  named,
  oneOf,
  provesBoth,
  select,
  valuesAre,
  valuesHave,
} from '#messages/cause-sentences/phrases.ts'

/** What Data > Text to Columns calls the order of a date format. */
const ORDERS: Readonly<Record<string, string>> = { dMy: 'DMY', Mdy: 'MDY', yMd: 'YMD', ydM: 'YDM' }

function textToColumns(facts: CauseFacts, format: string): string {
  const units = format.replace(/[^dMy]/g, '').replace(/(.)\1*/g, '$1')
  const order = ORDERS[units]
  const steps = order === undefined ? 'Finish' : `Next > Next > Date: ${order} > Finish`
  const ofNames = format.includes('MMM') ? ' Excel reads the names of months only in its own language.' : ''
  return (
    `${select(facts)}, choose Data > Text to Columns > ${steps}. ` +
    `Then set Format Cells > Number > Custom to ${excelFormat(ruleFormat(facts))}.${ofNames}`
  )
}

const ruleFormat = ({ field }: CauseFacts) => (field?.rule.type === 'date' ? field.rule.format : '')

const excelFormat = (format: string) => format.toLowerCase()

const passWrong = ({ passed, label }: CauseFacts) =>
  `${counted(passed, 'other value')} of ${named(label)} ` +
  `${passed === 1 ? 'passes' : 'pass'} with a wrong meaning`

/** A sentence about the values that pass with day and month swapped; '' without any. */
const alsoSwapped = (facts: CauseFacts) =>
  facts.passed === 0
    ? ''
    : ` ${passWrong(facts)}: there day and month are swapped as well, but both are at most 12.`

/** A sentence about the dates that a spreadsheet has made of the other texts. */
const alsoMisread = (facts: CauseFacts) =>
  ` ${passWrong(facts)}: a spreadsheet took the day for the month where it could, and left these as text.`

const readAgain = (facts: CauseFacts) =>
  'Do not correct these cells alone. Open the file that you got first with Data > From Text/CSV > ' +
  `Transform Data, choose Change Type > Using Locale > Date for ${named(facts.label)}, and a country whose ` +
  `dates are written ${facts.detail}. That repairs all of its dates.`

/** The advice to correct those values, too; '' without any. */
const correctAlsoSwapped = ({ passed }: CauseFacts) =>
  passed === 0
    ? ''
    : ' The values that pass must be swapped too: correct the whole column, not only these cells.'

/** Causes of dates. Ours. */
export const dateSentences = {
  notADate: {
    message: (facts) =>
      `${valuesAre(facts)} not ${oneOf(facts, 'a date', 'dates')} in the format ${ruleFormat(facts)}.`,
    advice: lookAt,
  },
  dateFormat: {
    message: (facts) =>
      `${valuesAre(facts)} written ${facts.detail}.` +
      (facts.isMisread ? alsoMisread(facts) : alsoSwapped(facts)),
    advice: (facts) =>
      facts.isMisread ? readAgain(facts) : textToColumns(facts, facts.detail) + correctAlsoSwapped(facts),
  },
  dateOrder: {
    message: (facts) => `${valuesAre(facts)} written ${facts.detail}.`,
    advice: (facts) => textToColumns(facts, facts.detail),
  },
  dateAmbiguous: {
    message: (facts) =>
      `${valuesAre(facts)} written so that day and month could be either way round` +
      (provesBoth(facts)
        ? ', and the column has dates of both orders.'
        : ', and no date with the same separator shows which comes first.'),
    advice: (facts) =>
      'Find out where these dates come from and which comes first, the day or the month. Then write them ' +
      `like ${facts.expected.replace(/^a date like /, '')}.`,
  },
  dateSwapped: {
    message: (facts) => `${valuesHave(facts)} day and month swapped.${alsoSwapped(facts)}`,
    advice: (facts) =>
      textToColumns(
        facts,
        ruleFormat(facts).replace(/d+|M+/g, (unit) => (unit[0] === 'd' ? 'M' : 'd')),
      ) + correctAlsoSwapped(facts),
  },
  dateImpossible: {
    message: (facts) => `${valuesAre(facts)} ${oneOf(facts, 'a day', 'days')} that no calendar has.`,
    advice: () => 'Look up the right dates: the day or the month is too large, as in 31 February.',
  },
  dateShortYear: {
    message: (facts) =>
      `${valuesHave(facts)} a year of two digits that could be ` +
      (facts.detail === 'place' ? 'the first number or the last one.' : 'in the 1900s or in the 2000s.'),
    advice: (facts) =>
      facts.detail === 'place'
        ? 'Find out whether these dates begin with the year or end with it, and write the years with four ' +
          'digits.'
        : 'Write the years with four digits.',
  },
  timeOfDay: {
    message: (facts) =>
      facts.detail === 'zone'
        ? `${valuesHave(facts)} a time of day in another time zone, where it may be another day.`
        : facts.detail === 'open'
          ? `${valuesHave(facts)} a time of day shortly before midnight, as in another time zone or by a ` +
            'clock that was off: the next day may be meant.'
          : `${valuesHave(facts)} a time of day after the date.`,
    advice: (facts) =>
      facts.detail !== ''
        ? 'Export the file again with the dates of your own time zone. Do not only cut off the time: what ' +
          'is left may be the day before or the day after.'
        : `Put =INT(cell) into a free column beside ${named(facts.label)}, fill it down, paste the results ` +
          'over the column as values, and set Format Cells > Number > Custom to ' +
          `${excelFormat(ruleFormat(facts))}.`,
  },
  excelSerial: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a number', 'numbers')} with which Excel counts days: the date ` +
      'format was lost.',
    advice: (facts) =>
      `${select(facts)} and set Format Cells > Number > Custom to ${excelFormat(ruleFormat(facts))}, then ` +
      'save again.',
  },
} satisfies Partial<Record<CauseKind, Sentences>>
