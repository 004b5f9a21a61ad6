import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { fieldToBody, type RuleNumber, ruleNumbers } from '@veridict/contract/api/wire-field'
import { describe, expect, it } from 'vitest'
import type { FieldValues } from '#features/fields/field-values.ts'
import {
  fieldsOf,
  draftsOf,
  draftWords,
  errorsOfDrafts,
  type FieldDraft,
  proposedRules,
  rulesOf,
} from './field-drafts.ts'

const proposed = (itemName: string, ruleType: RuleNumber, ruleConfig: object = {}) => ({
  itemName,
  description: '',
  category: '',
  ruleType,
  isRequired: true,
  identifiesRow: false,
  ruleConfig: JSON.stringify(ruleConfig),
  reason: 'Because.',
})
const proposal: DictionaryProposal = {
  name: 'Claims',
  recordsCount: 2,
  fields: [
    proposed('Id', ruleNumbers.number, { scale: 0 }),
    proposed('Born', ruleNumbers.date, { format: 'dd/MM/yyyy' }),
    proposed('State', ruleNumbers.list, { optionSetValues: ['Open', 'Closed', 'On hold', 'Void'] }),
  ],
  ...emptyRuleBook,
  notes: [],
}

/** The drafts of the proposal, with corrections in one of them. */
function corrected(letter: string, changed: Partial<FieldValues>, isIncluded = true): FieldDraft[] {
  return draftsOf(proposal).map((draft) =>
    draft.letter === letter ? { ...draft, isIncluded, values: { ...draft.values, ...changed } } : draft,
  )
}

describe('Proposed fields', () => {
  it('are sent as they were proposed if nothing was corrected', () => {
    const fields = fieldsOf(draftsOf(proposal))
    expect(fields.map((field) => ({ ...fieldToBody(field), reason: 'Because.' }))).toEqual(proposal.fields)
  })

  it('are not sent if they were deselected', () => {
    expect(fieldsOf(corrected('B', {}, false)).map(({ name }) => name)).toEqual(['Id', 'State'])
  })

  it.for([
    { changed: { name: ' ' }, errors: { name: fieldMessages.nameRequired }, why: 'no name' },
    { changed: { name: ' ID' }, errors: { name: fieldMessages.duplicateName }, why: 'a duplicate name' },
    {
      changed: { type: 'pattern' as const },
      errors: { pattern: fieldMessages.patternRequired },
      why: 'a type without its options',
    },
    { changed: { format: 'DD' }, errors: { format: fieldMessages.dateFormatInvalid }, why: 'a wrong option' },
    { changed: { name: 'Date of birth' }, errors: undefined, why: 'nothing' },
  ])('are faulty for $why', ({ changed, errors }) => {
    expect(errorsOfDrafts(corrected('B', changed)).get('B')).toEqual(errors)
  })

  it('have no faults if they were deselected', () => {
    expect(errorsOfDrafts(corrected('B', { name: 'Id', format: '' }, false)).size).toBe(0)
    expect(errorsOfDrafts(corrected('A', { name: 'Born' }, false)).size).toBe(0)
  })
})

describe('The words of a rule', () => {
  const { values } = draftsOf(proposal)[0]
  it.for([
    { changed: {}, words: 'Whole numbers' },
    { changed: { scale: '' }, words: 'Any number' },
    { changed: { scale: 2, hasRange: true, minimum: 0, maximum: 9 }, words: '0 to 9, 2 decimals' },
    { changed: { type: 'text' as const }, words: 'Any length' },
    {
      changed: { type: 'text' as const, hasLengthRange: true, minLength: 8, maxLength: 8 },
      words: 'Exactly 8 characters',
    },
    { changed: { type: 'date' as const, format: 'dd/MM/yyyy' }, words: 'dd/MM/yyyy' },
    { changed: { type: 'pattern' as const, pattern: '[a-z]+' }, words: '[a-z]+' },
    { changed: { type: 'list' as const, options: 'Open\nClosed' }, words: 'Open, Closed' },
    { changed: { type: 'list' as const, options: 'a\nb\nc\nd\ne' }, words: 'a, b, c and 2 more' },
  ])('are $words', ({ changed, words }) =>
    expect(draftWords({ ...values, ...changed })).toEqual({ isFaulty: false, words }),
  )

  it('name the fault of an incomplete rule', () => {
    expect(draftWords({ ...values, type: 'date' as const })).toEqual({
      isFaulty: true,
      words: fieldMessages.dateFormatRequired,
    })
  })
})

describe('Proposed rules', () => {
  const unique = (name: string, ...columns: string[]): RowRule => ({
    name,
    severity: 'error',
    then: [{ columns, is: 'unique' }],
  })
  const rules = [unique('Id', 'Id'), unique('Both', 'Id', 'Born'), unique('Born', 'Born')]
  const ruled = { ...proposal, rules, blankTexts: ['NA'] }
  it.for<{ why: string; drafts: FieldDraft[]; kept: string[] }>([
    { why: 'nothing was corrected', drafts: draftsOf(proposal), kept: ['Id', 'Both', 'Born'] },
    { why: 'a description', drafts: corrected('A', { description: 'x' }), kept: ['Id', 'Both', 'Born'] },
    { why: 'another name', drafts: corrected('A', { name: 'Number' }), kept: ['Born'] },
    { why: 'another rule', drafts: corrected('B', { format: 'yyyy-MM-dd' }), kept: ['Id'] },
    { why: 'left out', drafts: corrected('A', {}, false), kept: ['Born'] },
  ])('stay where their fields do: $why', ({ drafts, kept }) => {
    const book = rulesOf(ruled, drafts, [])
    expect([book.rules.map(({ name }) => name), book.blankTexts]).toEqual([kept, ['NA']])
    const fitting = proposedRules(ruled, drafts).filter(({ fits }) => fits)
    expect(fitting.map(({ name }) => name)).toEqual(kept)
  })

  it('are left out if they were deselected, the exemption, too', () => {
    const exempt = { when: { all: [{ column: 'Id', is: 'blank' as const }] } }
    const exempted = { ...ruled, exempt }
    const all = proposedRules(exempted, draftsOf(proposal)).map(({ name }) => name)
    expect(rulesOf(exempted, draftsOf(proposal), [])).toMatchObject({ rules, exempt })
    const kept = rulesOf(exempted, draftsOf(proposal), all.slice(1))
    expect(kept).toMatchObject({ rules: [rules[0]], exempt: null })
  })
})
