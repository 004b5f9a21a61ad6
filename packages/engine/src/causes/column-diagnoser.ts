import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import {
  isHashes,
  isPlaceholder,
  isSheetError,
  withoutQuotes,
  withPlainSpaces,
} from '#likeness/clean-text.ts'
import { dateDiagnoser } from '#causes/diagnose-date.ts'
import type { ListMeaning } from '#likeness/list-meaning.ts'
import { numberDiagnoser } from '#causes/diagnose-number.ts'
import { isPlainMismatch, patternMismatch, textDiagnoser } from '#causes/diagnose-text.ts'
import { corrected, type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { bareGrammars, firstMeaning, LONGEST_DIAGNOSED } from '#causes/grammar.ts'
import { rewriting } from '#causes/rewriting.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell } from '#source/table-source.ts'

export type ColumnDiagnoser = (cell: BadCell) => Diagnosis

export type DiagnoserSettings = {
  readonly currentYear: number
  /** Different values of a list column that are compared with its options. */
  readonly mostValues: number
}

const notInList = unresolved('notInList')
const errorCell = unresolved('errorCell')
const notCalculated = unresolved('notCalculated')
const hashes = unresolved('hashes')
const sheetError = unresolved('errorCell')
const requiredPlaceholder = unresolved('placeholder')
const emptied = corrected('placeholder', '', '')
const requiredInvisible = unresolved('spaces')
const emptiedInvisible = corrected('spaces', '', '')

/** "N = not paid or unknown" may mean the unknown that was found. */
const isWordOf = (word: string, description: string): boolean =>
  /^\p{L}{3,}$/u.test(word) && description.split(/[^\p{L}]+/u).includes(word)

/** What a longer text is, by its fault. */
const longTexts: Partial<Record<CellFault['code'], Diagnosis>> = {
  textTooShort: unresolved('textTooShort'),
  textTooLong: unresolved('textTooLong'),
  patternMismatch: unresolved('patternMismatch'),
  notANumber: unresolved('notANumber'),
  decimalComma: unresolved('notANumber'),
  notADate: unresolved('notADate'),
  timeOfDay: unresolved('notADate'),
  notInList: unresolved('notInList', 'long'),
}

/** Faults that say all themselves, so that no text is made. */
const sureFaults: ReadonlyMap<CellFault['code'], Diagnosis> = new Map(
  (
    [
      'required',
      'extraCell',
      'dateCell',
      'emptyValue',
      'tooFewValues',
      'tooManyValues',
      'checkDigit',
    ] as const
  ).map((code) => [code, unresolved(code)]),
)
/** In a cell with several values only one of them may be wrong. */
const notInListOfSeveral = unresolved('notInList', 'several')

const FIRST_VISIBLE = 0x20
const LAST_ASCII = 0x7e

/** `column` is null for cells beyond the header. */
export function columnDiagnoser(
  column: ColumnCheck | undefined,
  settings: DiagnoserSettings,
): ColumnDiagnoser {
  const field = column?.field ?? null
  if (column === undefined || field === null) return () => sureFaults.get('extraCell')!
  const diagnoseByRule = ruleDiagnoser(field, column, settings)
  const placeholder = field.required ? requiredPlaceholder : emptied
  const description = field.description.toLowerCase()
  const invisible = field.required ? requiredInvisible : emptiedInvisible
  /** null where the text was not rewritten, or where what it was is no better. */
  const diagnoseRewriting = (text: string): Diagnosis | null => {
    const found = text.length > LONGEST_DIAGNOSED ? null : rewriting(text)
    // A pattern's values are not searched for &: see `isPlainMismatch`.
    if (found === null || (found.detail === 'html' && field.rule.type === 'pattern')) return null
    const fault = column.check(found.text)
    if (fault === null) return corrected(found.kind, found.detail, found.text)
    const further = diagnoseByRule(found.text, fault)
    return further.suggestion === null && further.readings === null ? null : further
  }
  const diagnoseValue = (value: string, fault: CellFault): Diagnosis => {
    if (fault.code === 'errorCell') return value === '' ? notCalculated : errorCell
    const text = value.trim()
    const isMismatch = fault.code === 'patternMismatch' && column.mayFitRewritten !== undefined
    if (isMismatch && isPlainMismatch(text, column.mayFitRewritten!)) return patternMismatch
    if (fault.code === 'tooManyDecimals') return diagnoseByRule(text, fault)
    if (isPlaceholder(text)) {
      if (field.rule.type !== 'list') return placeholder
      // With the option Unknown or "9 - Unknown", unknown is that option.
      const listed = diagnoseByRule(text, fault)
      if (listed.suggestion !== null) return listed
      return description !== '' && isWordOf(text.toLowerCase(), description) ? notInList : placeholder
    }
    const code = text.charCodeAt(0)
    if (code === 0x23) {
      if (isHashes(text)) return hashes
      if (isSheetError(text)) return sheetError
    }
    if ((code < FIRST_VISIBLE || code > LAST_ASCII) && withPlainSpaces(text) === '') return invisible
    const found =
      diagnoseRewriting(text) ?? firstMeaning(bareGrammars, text, (bare) => column.check(bare) === null)
    if (found !== null) return found
    if (text.length <= LONGEST_DIAGNOSED) return diagnoseByRule(text, fault)
    // A text may be long only by its spaces or its quotes.
    const bare = withoutQuotes(withPlainSpaces(text))
    if (bare.length > LONGEST_DIAGNOSED) return longTexts[fault.code]!
    const further = column.check(bare)
    return further === null ? corrected('spaces', '', bare) : diagnoseByRule(bare, further)
  }
  /** By value: bad values repeat. Each of 16,384 columns keeps few: 4,000 of each would be gigabytes. */
  const known = new Map<string, { code: CellFault['code']; diagnosis: Diagnosis }>()
  return (cell) => {
    const { fault } = cell
    const { code } = fault
    const sure = sureFaults.get(code)
    if (sure !== undefined) return sure
    if (code === 'numberTooSmall' || code === 'numberTooLarge') return diagnoseByRule('', fault)
    const { value } = cell
    if (value.length > errorScreenLimits.maxValueLength) return shortOnly(diagnoseValue(value, fault))
    const found = known.get(value)
    if (found?.code === code) return found.diagnosis
    const diagnosis = diagnoseValue(value, fault)
    if (known.size < settings.mostValues) known.set(value, { code, diagnosis })
    return diagnosis
  }
}

/**
 * Nobody could compare suggestions longer than a shown value. With one long text in all cells of a wide
 * workbook, a hundred rows would be gigabytes.
 */
function shortOnly(diagnosis: Diagnosis): Diagnosis {
  const isLong = (text: string | null) => text !== null && text.length > errorScreenLimits.maxValueLength
  const { suggestion, readings } = diagnosis
  return isLong(suggestion) || readings?.some(isLong)
    ? { ...diagnosis, suggestion: null, readings: null }
    : diagnosis
}

function ruleDiagnoser(
  { rule }: Field,
  { check, withSeparators, prefix, listMeaning }: ColumnCheck,
  { currentYear, mostValues }: DiagnoserSettings,
): (text: string, fault: CellFault) => Diagnosis {
  switch (rule.type) {
    case 'text':
      return textDiagnoser(check, null)
    case 'pattern':
      return textDiagnoser(check, withSeparators ?? (() => null), prefix)
    case 'number':
      return numberDiagnoser(rule, check)
    case 'date':
      return dateDiagnoser(rule, check, currentYear)
    case 'list':
      return listMeaning === undefined ? () => notInListOfSeveral : listDiagnoser(listMeaning(), mostValues)
  }
}

/**
 * For a value that is not blank. `mostValues` different ones are compared with every option. A column with
 * more has no slips of the keyboard but other values; further ones are `notInList`.
 */
function listDiagnoser(meaning: ListMeaning, mostValues: number): (text: string) => Diagnosis {
  const compared = new Map<string, Diagnosis>()
  return (text) => {
    const meant = meaning.findBySpelling(text)
    if (meant !== null) return corrected(meant.kind, meant.detail, meant.option)
    let diagnosis = compared.get(text)
    if (diagnosis !== undefined) return diagnosis
    if (compared.size >= mostValues) return notInList
    const near = meaning.findByLikeness(text)
    diagnosis = near === null ? notInList : corrected('misspelt', '', near)
    compared.set(text, diagnosis)
    return diagnosis
  }
}
