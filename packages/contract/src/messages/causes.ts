import type { CauseKind } from '#model/cause.ts'
import type { CauseFacts, Sentences } from '#messages/cause-sentences/cause-facts.ts'
import { cellSentences } from '#messages/cause-sentences/cell-sentences.ts'
import { useCopy } from '#messages/cause-sentences/phrases.ts'
import { rowSentences } from '#messages/cause-sentences/row-sentences.ts'
import { dateSentences } from '#messages/cause-sentences/date-sentences.ts'
import { numberSentences } from '#messages/cause-sentences/number-sentences.ts'
import { textSentences } from '#messages/cause-sentences/text-sentences.ts'

export type { CauseFacts }

const sentences: { readonly [K in CauseKind]: Sentences } = {
  ...cellSentences,
  ...rowSentences,
  ...dateSentences,
  ...numberSentences,
  ...textSentences,
}

/** What is wrong with the cells of a cause. Ours. */
export const causeMessage = (facts: CauseFacts): string => sentences[facts.kind].message(facts)

/** What to do in a spreadsheet, if that gives every cell its suggestion. Ours. */
export const causeAdvice = (facts: CauseFacts): string =>
  facts.suggestions > 0 && facts.remedies?.works === 0 ? useCopy : sentences[facts.kind].advice(facts)
