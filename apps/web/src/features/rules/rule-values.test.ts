import { everyRowRule, everyTest } from '@veridict/contract/test/every-row-rule'
import type { RowRule, RuleTest } from '@veridict/contract/model/row-rule'
import { formOf, testForms } from '@veridict/contract/notation/rule-sentence'
import { describe, expect, it } from 'vitest'
import {
  bookWith,
  changeForm,
  emptyRule,
  emptyTest,
  formLabel,
  placeFaults,
  proposedNameOf,
  rowsOfText,
  ruleOf,
  sentenceOf,
  textOfRows,
  valuesOfEdited,
  valuesOfRule,
} from './rule-values.ts'

const tests = Object.values(everyTest).flat()
const rule = (name: string): RowRule => ({ name, severity: 'error', then: [{ column: 'A', is: 'filled' }] })
const book = { rules: [rule('One'), rule('Two')], exempt: null, blankTexts: [], lists: [] }

describe('The form of a rule', () => {
  it.for(everyRowRule.map((given) => [given.name, given] as const))('gives back the rule %s', ([, given]) =>
    expect(ruleOf(valuesOfRule(given))).toEqual(given),
  )

  it('puts a changed rule in its place, and a new one at the end', () => {
    const values = { ...emptyRule, name: 'Three' }
    const names = (edited: string | null) =>
      bookWith({ edited: { kind: 'rule', name: edited }, values, book }).rules!.map(({ name }) => name)
    expect(names('One')).toEqual(['Three', 'Two'])
    expect(names(null)).toEqual(['One', 'Two', 'Three'])
    expect(names('deleted by another person')).toEqual(['One', 'Two', 'Three'])
  })

  it('gives an exemption with its condition, and none without a condition', () => {
    const edited = { kind: 'exemption' } as const
    const exempt = { when: { any: [{ column: 'A', is: 'blank' as const }] }, description: 'Why' }
    const values = valuesOfEdited(edited, { ...book, exempt })!
    expect(bookWith({ edited, values, book })).toEqual({ exempt })
    expect(bookWith({ edited, values: { ...values, when: [] }, book })).toEqual({ exempt: null })
  })
})

describe('The name of a rule that is edited', () => {
  const then: RuleTest[] = [{ column: 'A', is: 'filled' }]
  it.for([
    { name: 'A must be filled', shown: '', why: 'it was proposed' },
    { name: 'A must be filled (2)', shown: '', why: 'it was proposed beside another' },
    { name: 'Mine', shown: 'Mine', why: 'a person wrote it' },
  ])('is "$shown" for "$name": $why', ({ name, shown }) => {
    const others = name.endsWith('(2)') ? [rule('A must be filled')] : []
    const rules = [...others, { name, severity: 'error' as const, then }]
    expect(valuesOfEdited({ kind: 'rule', name }, { ...book, rules })!.name).toBe(shown)
  })
})

describe('The sentence so far', () => {
  it.for([
    { says: '"…" is filled.', values: emptyRule },
    { says: '"…" is filled.', values: { ...emptyRule, then: [] } },
    {
      says: 'If "A" is one of "…", then "B" is at most the value of "…" (if all are filled).',
      values: {
        ...emptyRule,
        when: [{ column: 'A', is: 'oneOf' as const, values: [] }],
        then: [{ column: 'B', is: 'atMost' as const, than: { column: '' } }],
      },
    },
    {
      says: '"A" is one of "x", blank.',
      values: { ...emptyRule, then: [{ column: 'A', is: 'oneOf' as const, values: ['x', ''] }] },
    },
  ])('is: $says', ({ says, values }) => expect(sentenceOf('rule', values)).toBe(says))

  it.for(tests)('can be written for %o without its inputs', (test) => {
    const bare = changeForm(emptyTest, formOf(test))
    expect(sentenceOf('rule', { ...emptyRule, then: [bare] })).toContain('…')
  })
})

describe('Another form of a test', () => {
  it.for(testForms)('has a form again: $says', (form) => {
    const changed = changeForm({ column: 'A', is: 'filled' }, form)
    expect(changed.is).toBe(form.is)
    expect(formLabel(formOf(changed).says)).not.toMatch(/[{}]/)
  })

  it('keeps the column, and the inputs that both have', () => {
    const form = (is: RuleTest['is']) => testForms.find((one) => one.is === is)!
    const oneOf: RuleTest = { column: 'A', is: 'oneOf', values: ['x'] }
    expect(changeForm(oneOf, form('noneOf'))).toEqual({ column: 'A', is: 'noneOf', values: ['x'] })
    const together = changeForm(oneOf, form('someFilled'))
    expect(together).toEqual({ columns: ['A'], is: 'someFilled' })
    expect(changeForm(together, form('filled'))).toEqual({ column: 'A', is: 'filled' })
  })
})

describe('What the server refuses', () => {
  const errors = {
    'rules[1].when.any[0]': ["Rule 'Two': There is no field 'X'."],
    'rules[1].name': ["Rule 'Two': Rule 1 already has this name."],
    'rules[1]': ["Rule 'Two': At most 10 rules can say that values are unique."],
    'rules[0].then[0]': ["Rule 'One': There is no field 'Y'."],
  }
  it('stands at its input, without the name of the rule', () =>
    expect(
      placeFaults(errors, {
        edited: { kind: 'rule', name: 'Two' },
        values: { ...emptyRule, name: 'Two' },
        book,
      }),
    ).toEqual({
      'when[0]': "There is no field 'X'.",
      name: 'Rule 1 already has this name.',
      then: 'At most 10 rules can say that values are unique.',
      book: "Rule 'One': There is no field 'Y'.",
    }))
})

describe('The name of a rule without one', () => {
  const then: RuleTest[] = [{ column: 'Reason', is: 'filled' }]
  const when: RuleTest[] = [{ column: 'Status', is: 'oneOf', values: ['Denied'] }]
  it('says what it demands, and when', () => {
    expect(proposedNameOf({ ...emptyRule, then }, [])).toBe('Reason must be filled')
    expect(proposedNameOf({ ...emptyRule, when, then }, [])).toBe(
      'Reason must be filled if Status is one of Denied',
    )
  })

  it('begins with a capital, unless a column begins it', () => {
    expect(proposedNameOf({ ...emptyRule, then: [{ columns: ['id', 'line'], is: 'unique' }] }, [])).toBe(
      'The values of id, line must be unique together',
    )
    expect(proposedNameOf({ ...emptyRule, then: [{ column: 'id', is: 'filled' }] }, [])).toBe(
      'id must be filled',
    )
  })

  it('is that of no other rule, and short', () => {
    const taken = ['Reason must be filled', 'Reason must be filled (2)']
    expect(proposedNameOf({ ...emptyRule, then }, taken)).toBe('Reason must be filled (3)')
    expect(
      proposedNameOf({ ...emptyRule, when, then: [{ column: 'x '.repeat(90), is: 'filled' }] }, []).length,
    ).toBeLessThan(82)
  })

  it('is missing while something is not chosen', () => expect(proposedNameOf(emptyRule, [])).toBe(''))
})

describe('Rows as text', () => {
  it.for([
    {
      why: 'as a spreadsheet copies them',
      text: 'A\tB, C\nD\t',
      rows: [
        ['A', 'B, C'],
        ['D', ''],
      ],
    },
    {
      why: 'with semicolons',
      text: 'A; B\n\nC;D',
      rows: [
        ['A', 'B'],
        ['C', 'D'],
      ],
    },
  ])('are read $why', ({ text, rows }) => expect(rowsOfText(text)).toEqual(rows))

  it('are read as they are written', () => {
    const rows = [
      ['A; B', 'C'],
      ['D', 'E'],
    ]
    expect(rowsOfText(textOfRows(rows))).toEqual(rows)
  })
})
