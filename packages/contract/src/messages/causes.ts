import sentences from '#messages/cause-sentences/sentences.json' with { type: 'json' }
import {
  type CauseFacts,
  correctedExample,
  filledIn,
  isInMostRows,
  scaleOf,
} from '#messages/cause-sentences/slots.ts'
import type { CauseKind } from '#model/cause.ts'

export type { CauseFacts }

type Sentence = { readonly message: string; readonly advice: string }
const ofKinds: Readonly<Record<CauseKind, Sentence>> = sentences.kinds
/** What differs from the sentence of the kind, by kind and variant: `currency/mixed`. */
const ofVariants: Readonly<Record<string, Partial<Sentence>>> = sentences.kinds

/** What is wrong with the cells of a cause. Ours. */
export const causeMessage = (facts: CauseFacts): string => sentenceOf(facts, 'message')

/** What to do in a spreadsheet, if that gives every cell its suggestion. Ours. */
export const causeAdvice = (facts: CauseFacts): string =>
  facts.suggestions > 0 && facts.remedies?.works === 0
    ? sentences.phrases.useCopy
    : sentenceOf(facts, 'advice')

function sentenceOf(facts: CauseFacts, part: keyof Sentence): string {
  const ofVariant = ofVariants[`${facts.kind}/${variantOf(facts)}`]?.[part]
  return filledIn(ofVariant ?? ofKinds[facts.kind][part], facts)
}

/** The variant of a kind; one that has no sentence of its own says nothing. */
function variantOf(facts: CauseFacts): string {
  const { kind, detail, cells, suggestions } = facts
  switch (kind) {
    case 'required':
      if (cells === facts.recordsCount) return 'all'
      return isInMostRows(facts) ? 'most' : ''
    case 'nearlyEmpty':
      return isInMostRows(facts) ? 'most' : ''
    case 'placeholder':
      return facts.field?.required ? 'required' : ''
    case 'dateFormat':
    case 'dateSwapped':
      if (kind === 'dateFormat' && facts.isMisread) return 'misread'
      return facts.passed > 0 ? 'swapped' : ''
    case 'tooManyDecimals':
      return scaleOf(facts) === 0 ? 'whole' : ''
    case 'percent':
      if (suggestions === 0) return ''
      return suggestions === cells ? 'sure' : 'some'
    case 'negative': {
      const value = correctedExample(facts)?.value.trim() ?? ''
      if (value.endsWith('-')) return 'trailing'
      return /^[\u2212\u2013]/.test(value) ? 'dash' : ''
    }
    case 'codeAsDate':
      return suggestions === cells ? 'sure' : ''
    default:
      return detail
  }
}
