import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldFromWire } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { ruleFormMessages } from '@veridict/contract/messages/row-rules'
import { settingsSummary } from '@veridict/contract/messages/rule-summary'
import type { Field } from '@veridict/contract/model/field'
import { conditionTests, type RuleBook, type RuleTest, testColumns } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { findNamesakes } from '@veridict/contract/notation/label'
import { conditionText, ruleSentence } from '@veridict/contract/notation/rule-sentence'
import {
  type FieldValues,
  type InputErrors,
  readField,
  readUnnamedField,
  valuesOf,
} from '#features/fields/field-values.ts'

/** A proposed field with the administrator's corrections, not saved yet. */
export type FieldDraft = {
  /** Letter of its column in the sample. */
  letter: string
  values: FieldValues
  /** Why it was proposed so. */
  reason: string
  isIncluded: boolean
}

export const draftsOf = ({ fields }: DictionaryProposal): FieldDraft[] =>
  fields.map(({ reason, ...field }, index) => ({
    letter: columnLetter(index),
    values: valuesOf(fieldFromWire(field)),
    reason,
    isIncluded: true,
  }))

/** What is wrong with the fields that are included, by letter; a duplicate name at its second field. */
export function errorsOfDrafts(drafts: readonly FieldDraft[]): Map<string, InputErrors> {
  const errors = new Map<string, InputErrors>()
  const namesakeOf = findNamesakes()
  for (const [place, { letter, values, isIncluded }] of drafts.entries()) {
    if (!isIncluded) continue
    const read = readField(values)
    const found: InputErrors = read.ok ? {} : read.errors
    if (namesakeOf(values.name, place) !== undefined) found.name ??= fieldMessages.duplicateName
    if (Object.keys(found).length > 0) errors.set(letter, found)
  }
  return errors
}

/** The included fields. Call it only where there are no errors. */
export const fieldsOf = (drafts: readonly FieldDraft[]): Field[] =>
  drafts.flatMap(({ values, isIncluded }) => {
    const read = isIncluded ? readField(values) : null
    return read?.ok ? [read.field] : []
  })

/** A proposed rule, or the exemption, in words. */
export type ProposedRule = {
  name: string
  sentence: string
  /** Whether its fields are as they were proposed: it would be refused otherwise. */
  fits: boolean
}

export function proposedRules(
  { fields, rules, exempt }: DictionaryProposal,
  drafts: readonly FieldDraft[],
): ProposedRule[] {
  const now = new Set(fieldsOf(drafts).map(({ name, rule }) => JSON.stringify([name, rule])))
  const same = fields
    .map((field) => fieldFromWire(field))
    .filter(({ name, rule }) => now.has(JSON.stringify([name, rule])))
  const names = new Set(same.map(({ name }) => name))
  const fits = (tests: readonly RuleTest[]) => tests.flatMap(testColumns).every((column) => names.has(column))
  const ofRules = rules.map((rule) => ({
    name: rule.name,
    sentence: ruleSentence(rule),
    fits: fits([...conditionTests(rule.when), ...rule.then, ...(rule.otherwise ?? [])]),
  }))
  if (exempt === null) return ofRules
  const sentence = ruleFormMessages.exemptSentence(conditionText(exempt.when))
  return [...ofRules, { name: EXEMPTION, sentence, fits: fits(conditionTests(exempt.when)) }]
}

/** No rule has this name. */
const EXEMPTION = ''

/** The proposed rules that fit and are not left out, by their names. */
export function rulesOf(
  proposal: DictionaryProposal,
  drafts: readonly FieldDraft[],
  leftOut: readonly string[],
): RuleBook {
  const proposed = proposedRules(proposal, drafts).filter(({ name, fits }) => fits && !leftOut.includes(name))
  const taken = new Set(proposed.map(({ name }) => name))
  const { rules, exempt, blankTexts, lists } = proposal
  return {
    rules: rules.filter(({ name }) => taken.has(name)),
    exempt: taken.has(EXEMPTION) ? exempt : null,
    blankTexts,
    lists,
  }
}

/** The settings of a draft in a few words, or what is missing. */
export function draftWords(values: FieldValues): { isFaulty: boolean; words: string } {
  // Whether an expression can be run is checked where it is typed.
  const read = readUnnamedField(values)
  return read.ok
    ? { isFaulty: false, words: settingsSummary(read.field.rule) }
    : { isFaulty: true, words: Object.values(read.errors)[0] }
}
