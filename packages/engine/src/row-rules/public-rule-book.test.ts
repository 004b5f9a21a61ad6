import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { type ReadSentence, readCondition, readDemands } from '@veridict/contract/notation/rule-sentence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRuleBook } from '#check-rule-book.ts'
import { validateTable } from '#validate-table.ts'
import records from '../../test/cases/public-rule-book.json' with { type: 'json' }
import { runs } from '../../test/runs.ts'
import { testPlatform } from '../../test/test-platform.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

/**
 * The rules between cells that states follow when they report assistance for needy families (TANF records T1
 * to T6, as the portal of the Administration for Children and Families asked them in 2023): `source` is each
 * rule as published, beside it the sentences of an administrator. Here `source` is asked by itself and must
 * say the same of every row.
 *
 * What sentences cannot say: three rules compare a record with the header of its file or count the records of
 * a case; `olderThan` compares years of birth, a part of a date; T3 and T6 hold several records in one row.
 */
type Texts = Readonly<Record<string, string>>
type PublishedRule = { source: string; if: string; then: string }

const inLimits = (text: string, from: number, to: number) =>
  text !== '' && Number(text) >= from && Number(text) <= to
const among = (text: string, values: readonly string[]) =>
  text !== '' && values.some((value) => Number(value) === Number(text))
const questions: Readonly<Record<string, (text: string, values: string[], row: Texts) => boolean>> = {
  matches: among,
  oneOf: among,
  notMatches: (text, values) => !among(text, values),
  notOneOf: (text, values) => !among(text, values),
  notEmpty: (text) => text !== '',
  isBlank: (text) => text === '',
  isLargerThan: (text, [bound]) => text !== '' && Number(text) > Number(bound),
  isLargerThanOrEqualTo: (text, [bound]) => text !== '' && Number(text) >= Number(bound),
  between: (text, [from, to]) => text !== '' && Number(text) > Number(from) && Number(text) < Number(to),
  isInLimits: (text, [from, to]) => inLimits(text, Number(from), Number(to)),
  sumIsEqual: (text, names, row) => Number(text) === names.reduce((sum, name) => sum + Number(row[name]), 0),
}

/** Whether a row keeps `FIELD question value ... [or question value ...] [and FIELD question ...]`. */
const holds = (published: string, row: Texts): boolean =>
  published.split(' and ').every((part) => {
    const [name = '', ...words] = part.split(' ')
    return words
      .join(' ')
      .split(' or ')
      .some((asked) => {
        const [question = '', ...values] = asked.split(' ')
        return questions[question]!(row[name]!, values, row)
      })
  })
const keeps = (source: string, row: Texts): boolean => {
  const [, condition, demand] = /^(?:if (.*) then )?(.*)$/.exec(source)!
  return condition !== undefined && !holds(condition, row) ? true : holds(demand!, row)
}

const read = <T>(sentence: ReadSentence<T>): T => {
  if (!sentence.ok) throw new Error(`Not read: ${JSON.stringify(sentence.fault)}`)
  return sentence.value
}
const ruleOf = ({ source, if: condition, then }: PublishedRule): RowRule => {
  const when = read(readCondition(condition))
  return { name: source, severity: 'error', ...(when && { when }), then: read(readDemands(then)) }
}

/** Codes of nine digits and dates of eight are texts, all other columns numbers. */
const fieldOf = (name: string): Field =>
  field(name, /^(?:SSN|DATE_OF_BIRTH|CASE_NUMBER)$/.test(name) ? { type: 'text' } : { type: 'number' })
const namesIn = (rules: readonly PublishedRule[]): string[] => [
  ...new Set(rules.flatMap(({ source }) => source.match(/[A-Z][A-Z0-9_]+/g)!)),
]
/** Values that the rules name, their neighbours, and blank. */
const valueOf = (name: string, rules: readonly PublishedRule[]) => {
  if (name.startsWith('NUM_')) return fc.constantFrom('0', '1', '2', '3', '1.0')
  if (name === 'SSN') return fc.constantFrom('', '000000000', '999999999', '333333333', '123456789')
  if (name === 'DATE_OF_BIRTH') return fc.constantFrom('', '99999999', '19800131')
  const numbers = rules
    .filter(({ source }) => source.includes(name))
    .flatMap(({ source }) => source.match(/ \d{1,2}\b/g) ?? [])
  return fc.constantFrom('', '0', '6', '-1', ...numbers.map((number) => number.trim()))
}

describe('A public rule book', () => {
  it.for(Object.entries(records))('says of every row of %s what its publisher says', async ([, rules]) => {
    const fields = namesIn(rules).map(fieldOf)
    const given = { rules: rules.map(ruleOf), exempt: null, blankTexts: [], lists: [] }
    expect(checkRuleBook(given, fields, testPlatform())).toMatchObject({ ok: true })
    const ruleBook = { ...given, day: '2026-11-26' }
    const rowOf = fc.record(Object.fromEntries(fields.map(({ name }) => [name, valueOf(name, rules)])))
    const tables = fc.array(rowOf, { minLength: 50, maxLength: 100, size: 'max' })
    const judge = async (rows: readonly Texts[]) => {
      const lines = rows.map((row) => fields.map(({ name }) => row[name]).join(','))
      const verdict = await validateTable({ ...requestFor(fields, lines), ruleBook })
      const reports = verdict.kind === 'rowErrors' ? verdict.rows : []
      return rows.map((_, index) => {
        const report = reports.find(({ rowNumber }) => rowNumber === index + 2)
        return new Set(report?.columnValidationErrors.map(({ rule }) => rule))
      })
    }
    const property = fc.asyncProperty(tables, async (rows) => {
      const asked = rows.filter((row) => Object.values(row).some((text) => text !== ''))
      const broken = asked.map(
        (row) => new Set(rules.flatMap(({ source }) => (keeps(source, row) ? [] : source))),
      )
      expect(await judge(asked)).toEqual(broken)
    })
    await fc.assert(property, { numRuns: runs(8) })
  })
})
