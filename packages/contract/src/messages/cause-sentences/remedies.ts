import type { CauseKind } from '#model/cause.ts'
import {
  cell,
  type ExcelFormula,
  inserted,
  lower,
  round,
  substitute,
  textOf,
  trim,
  upper,
} from '#notation/excel-formula.ts'
import { invisible } from '#notation/invisible.ts'

/** What people can do in a spreadsheet with all cells of a cause, as bits. */
export const Remedy = {
  /** What the sentence of the kind says: steps of a menu, or to type the values. */
  Own: 1,
  Spaces: 2,
  NoSpaces: 4,
  Upper: 8,
  Lower: 16,
  /** A form of digits, or a sign between the others; see `Remedies.form`. */
  Form: 32,
  Round: 64,
  /** Find and replace: each value by its suggestion. */
  Each: 128,
  /** Find and replace: signs and units by nothing. */
  Remove: 256,
} as const

/** What makes valid values of the cells of a cause. */
export type Remedies = {
  /** A set of `Remedy`: each gives every cell its suggestion. */
  readonly works: number
  /** Spaces and invisible characters that a formula replaces, or what Find and replace removes. */
  readonly signs: readonly string[]
  /** As `TEXT` takes it, or where a sign belongs: "2-" for AB-12; '' for none. */
  readonly form: string
}

/** With more, a formula is too long to type. */
const MOST_SIGNS = 20
/** The longest value that the advice has people enter in a dialog. */
export const LONGEST_FOUND = 60
const INVISIBLE = new RegExp(`[${invisible}]`)
/** Also white space that TRIM does not remove. */
const ODD = new RegExp(`[${invisible}]|[^\\S ]`, 'g')

const formulas = new Map<string, ExcelFormula>()
const MOST_FORMULAS = 200

/** The formula of a remedy. It is shown in the advice, and every cell of the cause is tried with it. */
export function formulaOf(remedy: number, remedies: Remedies, decimals = 0): ExcelFormula {
  const key = `${remedy} ${decimals} ${remedies.form} ${remedies.signs.join('')}`
  let formula = formulas.get(key)
  if (formula === undefined) {
    formula = newFormula(remedy, remedies, decimals)
    if (formulas.size >= MOST_FORMULAS) formulas.clear()
    formulas.set(key, formula)
  }
  return formula
}

function newFormula(remedy: number, { signs, form }: Remedies, decimals: number): ExcelFormula {
  const single = signs
    .filter((sign) => sign !== ' ')
    .reduce((formula, sign) => substitute(formula, sign, INVISIBLE.test(sign) ? '' : ' '), cell)
  if (remedy === Remedy.NoSpaces) return substitute(single, ' ', '')
  const tidy = signs.includes(' ') || signs.some((sign) => !INVISIBLE.test(sign)) ? trim(single) : single
  if (remedy === Remedy.Upper) return upper(tidy)
  if (remedy === Remedy.Lower) return lower(tidy)
  if (remedy === Remedy.Round) return round(tidy, decimals)
  if (remedy !== Remedy.Form) return tidy
  const at = Number.parseInt(form, 10)
  return at > 0 ? inserted(tidy, form.slice(String(at).length), at) : textOf(tidy, form)
}

/** What may help with the cells of a kind; of other kinds what their own sentence says. */
function candidatesOf(kind: CauseKind, detail: string): number {
  switch (kind) {
    case 'spaces':
      return Remedy.Spaces | Remedy.NoSpaces
    case 'letterCase':
      return Remedy.Upper | Remedy.Lower | Remedy.Each
    case 'lostZeros':
      return Remedy.Form
    case 'variant':
      if (detail === 'separators') return Remedy.Form | Remedy.Own
      return detail === '' ? Remedy.Each : Remedy.Own
    case 'punctuation':
    case 'quotes':
      return Remedy.Remove | Remedy.Each
    case 'unit':
      return Remedy.Remove
    case 'floatNoise':
      return Remedy.Round
    case 'misspelt':
    case 'placeholder':
      return Remedy.Each
    case 'brokenLetters':
      return detail === 'html' ? Remedy.Each : Remedy.Own
    default:
      return Remedy.Own
  }
}

const ownRemedy: Remedies = { works: Remedy.Own, signs: [], form: '' }
const allRemedies = Object.values(Remedy)
const noSigns: readonly string[] = []
/** Most values have nothing that a formula must replace. */
const MAY_BE_ODD = /[^ -~]|^ | $| {2}/

/** What makes `suggestion` of the value of a cell, as it is in the file. `decimals`: of a number. */
export function remediesOf(
  { kind, detail }: { kind: CauseKind; detail: string },
  value: string,
  suggestion: string,
  decimals?: number,
): Remedies {
  const candidates = candidatesOf(kind, detail)
  const isPlain = !MAY_BE_ODD.test(value)
  if (isPlain && candidates === Remedy.Own) return ownRemedy
  const ofSpaces = isPlain ? noSigns : oddSpaces(value)
  const signs = (candidates & Remedy.Remove) > 0 ? removedSigns(kind, value) : ofSpaces
  const form = (candidates & Remedy.Form) > 0 ? formOf(value, suggestion) : ''
  const remedies = { works: 0, signs, form }
  for (const remedy of allRemedies) if ((candidates & remedy) > 0 && isRight(remedy)) remedies.works |= remedy
  return remedies

  function isRight(remedy: number): boolean {
    switch (remedy) {
      case Remedy.Own:
        // Excel reads no date with other spaces in it, and people do not see what is invisible.
        if (isOfDates(kind) ? hasOdd(value.trim()) : INVISIBLE.test(value)) return false
        return kind !== 'variant' || !looksAlike(value, suggestion)
      case Remedy.Each:
        return value === value.trim() && value.length <= LONGEST_FOUND && !looksAlike(value, suggestion)
      case Remedy.Remove:
        return isRightWithout(signs, value, suggestion) && !NEVER_REMOVED[kind]!.test(suggestion)
      default:
        return formulaOf(remedy, remedies, decimals).of(value) === suggestion
    }
  }
}

/** Of all cells of a cause together; null where there is none yet. */
export function joinedRemedies(one: Remedies | null, other: Remedies | null): Remedies | null {
  if (one === null || other === null) return one ?? other
  const isKnown = one.form === other.form && other.signs.every((sign) => one.signs.includes(sign))
  if (isKnown && (one.works & other.works) === one.works) return one
  const signs = [...new Set([...one.signs, ...other.signs])]
  let works = one.works & other.works
  if (one.form !== other.form) works &= ~Remedy.Form
  return { works: signs.length > MOST_SIGNS ? 0 : works, signs, form: one.form }
}

const isOfDates = (kind: CauseKind): boolean =>
  kind.startsWith('date') || kind === 'timeOfDay' || kind === 'excelSerial'

const hasOdd = (text: string): boolean => text.search(ODD) >= 0

/** What a formula must replace; an ordinary space stands for those that TRIM removes. */
const oddSpaces = (value: string): string[] => [
  ...new Set([...(value.match(ODD) ?? []), ...(/^ | $| {2}/.test(value) ? [' '] : [])]),
]

const NUMBER_BEFORE = /^[-+\d.,'\s]*\d\s*/
/** What a right value must not have, as the dialog would remove it there, too. */
const NEVER_REMOVED: Partial<Record<CauseKind, RegExp>> = {
  quotes: /["'=`\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb]/,
  punctuation: /\D/,
  unit: /[A-Za-z]/,
}

/** Signs and units that Find and replace removes from the whole column. */
function removedSigns(kind: CauseKind, value: string): string[] {
  if (kind === 'unit') return [value.trim().replace(NUMBER_BEFORE, '').toLowerCase()]
  const signs =
    kind === 'quotes'
      ? (value.trim().match(/^[="'`\u201c\u201e\u2018\u00ab]+|["'`\u201c\u201d\u2019\u00bb]+$/g) ?? []).join(
          '',
        )
      : value.trim().replace(/\d/g, '')
  return [...new Set(signs)]
}

/** Whether the value is right without these signs. */
function isRightWithout(signs: readonly string[], value: string, suggestion: string): boolean {
  if (signs.includes('') || signs.some((sign) => sign.length > 1 && /[*?~]/.test(sign))) return false
  if (INVISIBLE.test(value)) return false
  const rest = signs.reduce((text, sign) => text.toLowerCase().replaceAll(sign, ''), value).trim()
  return rest === suggestion.toLowerCase()
}

/** The form in which a spreadsheet writes these digits, or where a sign was added; '' for neither. */
function formOf(value: string, suggestion: string): string {
  const text = value.trim()
  if (/^\d{1,15}(?:\.0+)?$/.test(text))
    return /^[\d() -]+$/.test(suggestion) ? suggestion.replace(/\d/g, '0') : ''
  const at = [...text].findIndex((character, index) => character !== suggestion[index])
  return at > 0 && at < suggestion.length ? `${at}${suggestion[at]}` : ''
}

/** Letters of other alphabets that look like those of Latin, and signs, each beside its likeness. */
const LIKENESSES =
  'АAВBЕEКKМMНHОOРPСCТTХXаaеeоoрpсcуyхxіiІIѕsЅSјjЈJ' +
  'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOοoΡPΤTΥYΧXνv\u2010-\u2011-\u2212-\u2019\u0027'
const likenessOf = new Map<string, string>()
for (let at = 0; at < LIKENESSES.length; at += 2) likenessOf.set(LIKENESSES[at], LIKENESSES[at + 1])

/** Whether people see no difference between two texts. */
function looksAlike(one: string, other: string): boolean {
  if (/^[ -~]*$/.test(one + other)) return false
  const seen = (text: string) =>
    Array.from(
      text.normalize('NFKC').replace(ODD, (sign) => (INVISIBLE.test(sign) ? '' : ' ')),
      (character) => likenessOf.get(character) ?? character,
    )
      .join('')
      .replace(/ +/g, ' ')
      .trim()
  return seen(one) === seen(other)
}
