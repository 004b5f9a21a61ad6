import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { RuleType } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import type { FieldValues } from '#features/fields/field-values.ts'
import { draftWords } from './draft-words.ts'
import { bodiesOf, draftsOf, faultsOfDrafts, type FieldDraft } from './field-drafts.ts'

const proposed = (itemName: string, ruleType: RuleType, ruleConfig: object = {}) => ({
  itemName,
  description: '',
  category: '',
  ruleType,
  isRequired: true,
  ruleConfig: JSON.stringify(ruleConfig),
  reason: 'Because.',
})
const proposal: DictionaryProposal = {
  name: 'Claims',
  recordsCount: 2,
  fields: [
    proposed('Id', RuleType.Number, { scale: 0 }),
    proposed('Born', RuleType.Date, { format: 'dd/MM/yyyy' }),
    proposed('State', RuleType.List, { optionSetValues: ['Open', 'Closed', 'On hold', 'Void'] }),
  ],
  notes: [],
}

/** The drafts of the proposal, with what was corrected in the one of this letter. */
function corrected(letter: string, changed: Partial<FieldValues>, isIncluded = true): FieldDraft[] {
  return draftsOf(proposal).map((draft) =>
    draft.letter === letter ? { ...draft, isIncluded, values: { ...draft.values, ...changed } } : draft,
  )
}

describe('Proposed fields', () => {
  it('are sent as they came where nothing was corrected', () => {
    const bodies = bodiesOf(draftsOf(proposal))
    expect(bodies.map((body, index) => ({ ...body, reason: proposal.fields[index].reason }))).toEqual(
      proposal.fields,
    )
  })

  it('leave out what is not wanted', () => {
    expect(bodiesOf(corrected('B', {}, false)).map(({ itemName }) => itemName)).toEqual(['Id', 'State'])
  })

  it.for([
    { changed: { itemName: ' ' }, faults: { itemName: fieldMessages.nameRequired }, why: 'no name' },
    {
      changed: { itemName: ' ID' },
      faults: { itemName: fieldMessages.duplicateName },
      why: 'a name that comes twice',
    },
    {
      changed: { ruleType: String(RuleType.Pattern) },
      faults: { regularExpression: fieldMessages.patternRequired },
      why: 'a type without its options',
    },
    { changed: { format: 'DD' }, faults: { format: fieldMessages.dateFormatInvalid }, why: 'a wrong option' },
    { changed: { itemName: 'Date of birth' }, faults: undefined, why: 'nothing' },
  ])('are faulty for $why', ({ changed, faults }) => {
    expect(faultsOfDrafts(corrected('B', changed)).get('B')).toEqual(faults)
  })

  it('have no faults where they are left out', () => {
    expect(faultsOfDrafts(corrected('B', { itemName: 'Id', format: '' }, false)).size).toBe(0)
    expect(faultsOfDrafts(corrected('A', { itemName: 'Born' }, false)).size).toBe(0)
  })
})

describe('The words of a rule', () => {
  const { values } = draftsOf(proposal)[0]
  it.for([
    { changed: {}, words: 'Whole numbers' },
    { changed: { scale: '' }, words: 'Any number' },
    { changed: { scale: 2, hasRange: true, min: 0, max: 9 }, words: '0 to 9, 2 decimals' },
    { changed: { ruleType: String(RuleType.Text) }, words: 'Any length' },
    {
      changed: { ruleType: String(RuleType.Text), hasLengthRange: true, minLength: 8, maxLength: 8 },
      words: 'Exactly 8 characters',
    },
    { changed: { ruleType: String(RuleType.Date), format: 'dd/MM/yyyy' }, words: 'dd/MM/yyyy' },
    { changed: { ruleType: String(RuleType.Pattern), regularExpression: '[a-z]+' }, words: '[a-z]+' },
    { changed: { ruleType: String(RuleType.List), listText: 'Open\nClosed' }, words: 'Open, Closed' },
    { changed: { ruleType: String(RuleType.List), listText: 'a\nb\nc\nd\ne' }, words: 'a, b, c and 2 more' },
  ])('are $words', ({ changed, words }) =>
    expect(draftWords({ ...values, ...changed })).toEqual({ isFaulty: false, words }),
  )

  it('say what it lacks', () => {
    expect(draftWords({ ...values, ruleType: String(RuleType.Date) })).toEqual({
      isFaulty: true,
      words: fieldMessages.dateFormatRequired,
    })
  })
})
