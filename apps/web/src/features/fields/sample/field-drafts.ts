import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldFromWire } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { conditionTests, type RuleBook, type RuleTest, testColumns } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { findNamesakes } from '@veridict/contract/notation/label'
import {
  type FieldValues,
  type InputErrors,
  readField,
  readUnnamedField,
  valuesOf,
} from '#features/fields/field-values.ts'
import { settingsSummary } from '#features/fields/rule-summary.ts'

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

/**
 * The proposed rules, without those about fields that were left out or got another name or another rule: they
 * would be refused.
 */
export function rulesOf(
  { fields, rules, exempt, blankTexts, lists }: DictionaryProposal,
  drafts: readonly FieldDraft[],
): RuleBook {
  const now = new Set(fieldsOf(drafts).map(({ name, rule }) => JSON.stringify([name, rule])))
  const same = fields
    .map((field) => fieldFromWire(field))
    .filter(({ name, rule }) => now.has(JSON.stringify([name, rule])))
  const names = new Set(same.map(({ name }) => name))
  const isAboutSame = (tests: readonly RuleTest[]) =>
    tests.flatMap(testColumns).every((column) => names.has(column))
  return {
    rules: rules.filter(({ when, then, otherwise = [] }) =>
      isAboutSame([...conditionTests(when), ...then, ...otherwise]),
    ),
    exempt: exempt !== null && isAboutSame(conditionTests(exempt.when)) ? exempt : null,
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
