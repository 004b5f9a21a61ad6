import { conditionTests, isEmptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import type { Field } from '@veridict/contract/model/field'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import type { Terminators } from '#formats/terminators.ts'
import type { TextPlatform } from '#platform.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import { needsReference } from '#rules/pattern.ts'

/** A rule book and the day, yyyy-MM-dd, on which a file is checked: that of its upload. */
export type DatedRuleBook = RuleBook & { readonly day: string }

/** A dictionary compiled for one file. */
export type CompiledDictionary = { readonly columns: readonly ColumnCheck[]; readonly rules: RowRules | null }

/**
 * `adapt` may change the checks of the columns before rules read them. Most dictionaries have no rules, whose
 * code is a tenth of what V8 would read at each start.
 */
export async function compileDictionary(
  {
    fields,
    ruleBook,
    platform,
  }: { fields: readonly Field[]; ruleBook?: DatedRuleBook; platform: TextPlatform },
  { terminators, firstColumn }: { terminators: Terminators; firstColumn: number },
  adapt = (columns: readonly ColumnCheck[]): readonly ColumnCheck[] => columns,
): Promise<CompiledDictionary> {
  const compiled = await compileColumns(fields, terminators, platform, firstColumn, ruleBook?.blankTexts)
  const columns = adapt(compiled)
  if (ruleBook === undefined || isEmptyRuleBook({ ...ruleBook, blankTexts: [] }))
    return { columns, rules: null }
  const reference = needsRuleReference(ruleBook) ? (await import('#rules/re2.ts')).re2 : null
  const { compileRules } = await import('#row-rules/rule-compiler.ts')
  const rules = compileRules(ruleBook, columns, terminators.kind === 'xml', platform, reference)
  return { columns: rules.columns, rules }
}

/** The patterns of tests that only RE2 can decide. */
const needsRuleReference = ({ rules, exempt }: RuleBook): boolean =>
  [
    ...rules.flatMap(({ when, then, otherwise = [] }) => [...conditionTests(when), ...then, ...otherwise]),
    ...conditionTests(exempt?.when),
  ].some((test) => 'pattern' in test && needsReference({ type: 'pattern', pattern: test.pattern }))
