import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type DateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { ByteKind, byteKinds, quotedKinds } from '#formats/byte-kinds.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { ByteSet, byteSet } from '#fast-path/byte-set.ts'
import { type ByteAccept, type BytesTest, type CellCheck, NOT_SURE } from '#fast-path/fast-path.ts'
import type { TextPlatform } from '#platform.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { compileRule } from '#rules/compile-rule.ts'
import { composed, mayCompose } from '#rules/composed.ts'
import { needsReference, type PatternReference } from '#rules/pattern.ts'
import type { Terminators } from '#formats/terminators.ts'

/** The format in which a rule checks a true date as text. */
const isoDate: DateFormat = { parts: ['yyyy', 'MM', 'dd'], separator: '-' }

/**
 * One check per column, once per file: what can be decided before the first row is decided here. Fields with
 * the same rule share one compilation: 200 columns with one list build one automaton. Columns left of
 * `firstColumn` must be empty and have a check too, so a check's index is the sheet's column. Loads RE2 only
 * if a pattern needs it. Throws for an invalid date format or pattern, which the contract's forms refuse.
 */
export async function compileColumns(
  fields: readonly Field[],
  terminators: Terminators,
  platform: TextPlatform,
  firstColumn: number = 0,
  blankTexts: readonly string[] = [],
): Promise<ColumnCheck[]> {
  const blanks = blankTextsOf(blankTexts, platform)
  const keys = fields.map(keyOf)
  const distinct = [...new Map(keys.map((key, index) => [key, fields[index]]))]
  const reference = distinct.some(([, { rule }]) => needsReference(rule))
    ? (await import('#rules/re2.ts')).re2
    : null
  const compiled = new Map(
    distinct.map(([key, field]) => [key, compileField(field, terminators, platform, reference, blanks)]),
  )
  const checks = fields.map((field, index) => ({ ...compiled.get(keys[index])!, field }))
  return firstColumn === 0
    ? checks
    : [...Array<ColumnCheck>(firstColumn).fill(marginCheck(terminators, firstColumn)), ...checks]
}

/** Fields with the same key have the same check. */
function keyOf({ rule, required, description }: Field): string {
  const hasDescription = rule.type === 'pattern' || rule.type === 'list'
  return JSON.stringify([rule, required, hasDescription && description])
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
    acceptQuoted: neverSure,
    expected,
  }
}

/** Compiles one field. `compilePattern` says when `reference` may be null. */
export function compileField(
  field: Field,
  terminators: Terminators,
  platform: TextPlatform,
  reference: PatternReference | null,
  blanks: BlankTexts | null = null,
): ColumnCheck {
  const rule = compileRule(field, platform, reference)
  const blank: CellFault | null = field.required
    ? { code: 'required', error: cellErrors.required, expected: rule.expected }
    : null
  const check = checkOf(rule, blank, blanks)
  return {
    field,
    check,
    // A text that counts as blank may fit the rule.
    describe: blanks !== null && field.required ? undefined : rule.describe,
    mayFitRewritten: rule.mayFitRewritten,
    withSeparators: rule.withSeparators,
    prefix: rule.prefix,
    listMeaning: rule.listMeaning,
    checkDay: rule.checkDay ?? ((year, month, day) => check(writeDate(isoDate, year, month, day))),
    accept: withBlanks(rule.fastPath(byteKinds(terminators), field.required), blanks, field),
    acceptQuoted: withBlanks(
      terminators.kind === 'csv' ? rule.fastPath(quotedKinds, field.required) : neverSure,
      blanks,
      field,
    ),
    expected: rule.expected,
    ...(blanks !== null && { blankTexts: blanks.texts }),
  }
}

/** Trims (no-break spaces too), handles blank cells, applies the rule. See docs/BEHAVIOUR.md#cells. */
function checkOf(rule: CompiledRule, blank: CellFault | null, blanks: BlankTexts | null): CellCheck {
  return (raw) => {
    const text = raw.trim()
    return text === '' || blanks?.texts.has(composed(text)) ? blank : rule.check(text)
  }
}

/** Whole texts of cells that count as blank, composed. */
type BlankTexts = { readonly texts: ReadonlySet<string>; readonly inBytes: ByteSet }

function blankTextsOf(texts: readonly string[], platform: TextPlatform): BlankTexts | null {
  if (texts.length === 0) return null
  const known = texts.map((text) => composed(text.trim()))
  return { texts: new Set(known), inBytes: byteSet(known, platform) }
}

/** A fast path that is not sure of texts that may count as blank where a value is required. */
function withBlanks(accept: ByteAccept, blanks: BlankTexts | null, { required }: Field): ByteAccept {
  if (blanks === null || !required) return accept
  const mayBeBlank: BytesTest = (bytes, from, to) =>
    blanks.inBytes.find(bytes, from, to) >= 0 || mayCompose(bytes, from, to)
  return (bytes, position) => {
    const end = accept(bytes, position)
    return end > position && mayBeBlank(bytes, position, end) ? NOT_SURE : end
  }
}
