import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { ByteKind, byteKinds, quotedKinds } from '#formats/byte-kinds.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type CellCheck, NOT_SURE } from '#fast-path/fast-path.ts'
import type { Platform } from '#platform.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { neverSure } from '#rules/compiled-rule.ts'
import { compileRule } from '#rules/compile-rule.ts'
import { needsReference, type PatternReference } from '#rules/pattern.ts'
import type { Terminators } from '#formats/terminators.ts'

/** The format in which a rule checks a true date as text. */
const isoDate = parseDateFormat('yyyy-MM-dd')!

/**
 * A dictionary → one check per column, once per file: what can be decided before the first row is decided
 * here. Fields with the same rule share one compilation, so 200 columns with the same list build one
 * automaton. `firstColumn` is where the table begins; the columns left of it must be empty and get a check
 * too, so the index of a check is the column of the sheet. Loads RE2 only if a pattern needs it. Throws for
 * an invalid date format or pattern, which the contract's forms refuse.
 */
export async function compileColumns(
  fields: readonly Field[],
  terminators: Terminators,
  platform: Platform,
  firstColumn: number = 0,
): Promise<ColumnCheck[]> {
  const reference = fields.some(({ rule }) => needsReference(rule))
    ? (await import('#rules/re2.ts')).re2
    : null
  const compiled = new Map<string, ColumnCheck>()
  const checks = fields.map((field) => {
    const { rule, required, description } = field
    const hasDescription = rule.type === 'pattern' || rule.type === 'list'
    const key = JSON.stringify([rule, required, hasDescription && description])
    let check = compiled.get(key)
    if (check === undefined)
      compiled.set(key, (check = compileField(field, terminators, platform, reference)))
    return { ...check, field }
  })
  return firstColumn === 0
    ? checks
    : [...Array<ColumnCheck>(firstColumn).fill(marginCheck(terminators, firstColumn)), ...checks]
}

/** The check of a column left of the table, which must be empty. */
function marginCheck(terminators: Terminators, firstColumn: number): ColumnCheck {
  const kinds = byteKinds(terminators)
  const expected = cellExpectations.noCellBefore(columnLetter(firstColumn))
  const fault: CellFault = {
    code: 'extraCell',
    error: cellErrors.cellBefore(columnLetter(firstColumn)),
    expected,
  }
  return {
    field: null,
    check: (raw) => (raw.trim() === '' ? null : fault),
    checkDay: () => fault,
    accept: (bytes, position) => (kinds[bytes[position]] === ByteKind.End ? position : NOT_SURE),
    acceptQuoted: neverSure.accept,
    reject: neverSure.reject,
    expected,
  }
}

/** Compiles one field. `compilePattern` says when `reference` may be null. */
export function compileField(
  field: Field,
  terminators: Terminators,
  platform: Platform,
  reference: PatternReference | null,
): ColumnCheck {
  const rule = compileRule(field, platform, reference)
  const blank: CellFault | null = field.required
    ? { code: 'required', error: cellErrors.required, expected: rule.expected }
    : null
  const check = checkOf(rule, blank)
  const { accept, reject } = rule.fastPath(byteKinds(terminators), field.required)
  return {
    field,
    check,
    mayFitRewritten: rule.mayFitRewritten,
    withSeparators: rule.withSeparators,
    listMeaning: rule.listMeaning,
    checkDay: rule.checkDay ?? ((year, month, day) => check(writeDate(isoDate, year, month, day))),
    accept,
    acceptQuoted: (terminators.kind === 'csv' ? rule.fastPath(quotedKinds, field.required) : neverSure)
      .accept,
    reject: (bytes, start, end) => (start === end ? blank : reject(bytes, start, end)),
    expected: rule.expected,
  }
}

/** Trims (no-break spaces too), handles blank cells, applies the rule. See docs/BEHAVIOUR.md#cells. */
function checkOf(rule: CompiledRule, blank: CellFault | null): CellCheck {
  return (raw) => {
    const text = raw.trim()
    return text === '' ? blank : rule.check(text)
  }
}
