import { counted } from '#notation/count.ts'
import type { CauseKind } from '#model/cause.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import {
  askSource,
  holdsAnother,
  isOfDigits,
  isRemedy,
  lookAt,
  named,
  oneOf,
  replaceAll,
  replaceEach,
  select,
  useFormula,
  valuesAre,
  valuesHave,
  writeInForm,
} from '#messages/cause-sentences/phrases.ts'
import { Remedy } from '#messages/cause-sentences/remedies.ts'

const addSeparators = (facts: CauseFacts): string =>
  isRemedy(facts, Remedy.Form)
    ? useFormula(facts, Remedy.Form)
    : writeInForm(facts, 'them in the required form')

const otherVariant: Sentences = {
  message: (facts) => `${valuesAre(facts)} written in another way than required.`,
  advice: replaceEach,
}

/** By detail. */
const variants: Readonly<Record<string, Sentences>> = {
  zeros: {
    message: (facts) => `${valuesHave(facts)} leading zeros that do not belong there.`,
    advice: (facts) =>
      `${select(facts)} and choose Data > Text to Columns > Finish: numbers have no leading zeros.`,
  },
  separators: {
    message: (facts) =>
      `${valuesHave(facts)} other signs between ` +
      `${isOfDigits(facts) ? 'the digits' : 'letters and digits'} than required.`,
    advice: addSeparators,
  },
  time: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a time', 'times')} of day in another form than required.`,
    advice: (facts) => writeInForm(facts, 'each time of day alone, in the required form'),
  },
}

function changeCase(facts: CauseFacts): string {
  const remedy = [Remedy.Upper, Remedy.Lower].find((each) => isRemedy(facts, each))
  return remedy === undefined || facts.field?.rule.type === 'list'
    ? replaceEach(facts, 'Match case and Match entire cell contents')
    : useFormula(facts, remedy)
}

const lowerFirst = (text: string) => text[0].toLowerCase() + text.slice(1)

/** ' by 3 characters', where all are too long by the same. */
function excess({ extent, field, cells }: CauseFacts): string {
  if (extent === null || field?.rule.type !== 'text' || cells < 2 || extent.shortest !== extent.longest)
    return ''
  const by = extent.shortest - (field.rule.maxLength ?? 0)
  return by > 0 ? ` by ${counted(by, 'character')} each` : ''
}

/** What all texts begin or end with, if they would be short enough without it. */
function sharedPart({ extent, field, cells, examples }: CauseFacts): string {
  if (extent === null || field?.rule.type !== 'text' || cells < 3) return ''
  const { prefix, suffix, longest } = extent
  // The dialog would also replace it where it stands a second time.
  const isOnce = (part: string) => examples.every(({ value }) => value.split(part).length <= 2)
  const fits = (part: string) =>
    part.trim() !== '' &&
    longest - part.length <= (field.rule as { maxLength?: number }).maxLength! &&
    isOnce(part)
  // "KST-" of KST-CC9045 and KST-CC6742: what is too much ends at a separator.
  const atSeparator = [prefix.replace(/[^\s:/_.-]+$/, ''), suffix.replace(/^[^\s:/_.-]+/, '')]
  const part = [...atSeparator, prefix, suffix].find((text) => text.length < extent.shortest && fits(text))
  return part === undefined ? '' : `"${part}"`
}

const cellsHold = ({ cells, label }: CauseFacts): string =>
  `${counted(cells, 'cell')} of ${named(label)} ${cells === 1 ? 'holds' : 'hold'}`

/** Causes of items of lists, texts and codes. Ours. */
export const textSentences = {
  notInList: {
    message: (facts) => `${valuesAre(facts)} not in the list.`,
    advice: (facts) =>
      `${holdsAnother(facts)}Replace them. Expected: ${facts.expected}. ` +
      'If a value is right, ask the administrator to add it to the list.',
  },
  emptyValue: {
    message: (facts) => `${valuesHave(facts)} a separator without a value beside it.`,
    advice: lookAt,
  },
  tooFewValues: { message: (facts) => `${cellsHold(facts)} too few values.`, advice: lookAt },
  tooManyValues: { message: (facts) => `${cellsHold(facts)} too many values.`, advice: lookAt },
  misspelt: {
    message: (facts) => `${valuesAre(facts)} misspelt.`,
    advice: (facts) => replaceEach(facts),
  },
  letterCase: {
    message: (facts) => `${valuesAre(facts)} written in other letter case.`,
    advice: changeCase,
  },
  variant: {
    message: (facts) => (variants[facts.detail] ?? otherVariant).message(facts),
    advice: (facts) => (variants[facts.detail] ?? otherVariant).advice(facts),
  },
  textTooShort: {
    message: (facts) => `${valuesAre(facts)} too short.`,
    advice: lookAt,
  },
  textTooLong: {
    message: (facts) => `${valuesAre(facts)} too long${excess(facts)}.`,
    advice: (facts) =>
      sharedPart(facts) === ''
        ? lookAt(facts)
        : `If ${sharedPart(facts)} does not belong to the value: ` +
          `${lowerFirst(replaceAll(facts, [sharedPart(facts)]))}`,
  },
  cutText: {
    message: (facts) =>
      `${valuesHave(facts)} a length at which old versions of Excel cut texts: their ends are lost.`,
    advice: () => askSource,
  },
  lostZeros: {
    message: (facts) => `${valuesHave(facts)} too few digits: Excel drops leading zeros.`,
    advice: (facts) => useFormula(facts, Remedy.Form),
  },
  codeAsDate: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a code', 'codes')} that Excel turned into ` +
      oneOf(facts, 'a date', 'dates') +
      (facts.suggestions === facts.cells
        ? '.'
        : oneOf(facts, ': the code is lost.', ': the codes are lost.')),
    advice: () => askSource,
  },
  patternMismatch: {
    message: (facts) =>
      `${valuesHave(facts)} another form than required` +
      (facts.field?.description ? `: ${facts.field.description.replace(/\.$/, '')}.` : '.'),
    advice: lookAt,
  },
  checkDigit: {
    message: (facts) =>
      `${valuesHave(facts)} a check digit that does not fit: a character is wrong or missing.`,
    advice: lookAt,
  },
} satisfies Partial<Record<CauseKind, Sentences>>
