/** A formula, and what it gives (null: an error), made together: what is shown is what was tested. */
export type ExcelFormula = { readonly text: string; readonly of: (cell: string) => string | null }

export const cell: ExcelFormula = { text: 'cell', of: (text) => text }

/** `follow` gives null for an error; a formula around an error is one, too. */
const around = (
  inner: ExcelFormula,
  write: (text: string) => string,
  follow: (text: string) => string | null,
): ExcelFormula => ({
  text: write(inner.text),
  of(text) {
    const given = inner.of(text)
    return given === null ? null : follow(given)
  },
})

export const substitute = (inner: ExcelFormula, sign: string, by: string): ExcelFormula =>
  around(
    inner,
    (text) => `SUBSTITUTE(${text},${quoted(sign)},${quoted(by)})`,
    (text) => text.replaceAll(sign, by),
  )

/** Only of ordinary spaces. */
export const trim = (inner: ExcelFormula): ExcelFormula =>
  around(
    inner,
    (text) => `TRIM(${text})`,
    (text) => text.replace(/ +/g, ' ').replace(/^ | $/g, ''),
  )

const inCase =
  (name: string, change: (character: string) => string) =>
  (inner: ExcelFormula): ExcelFormula =>
    around(
      inner,
      (text) => `${name}(${text})`,
      (text) => eachCharacter(text, change),
    )
export const upper = inCase('UPPER', (character) => character.toUpperCase())
export const lower = inCase('LOWER', (character) => character.toLowerCase())

/** A number in a form such as 000-0000. Of more than 15 digits a spreadsheet keeps only the first 15. */
export const textOf = (inner: ExcelFormula, form: string): ExcelFormula =>
  around(
    inner,
    (text) => `TEXT(${text},${quoted(form)})`,
    (text) => (/^\d{1,15}(?:\.0+)?$/.test(text) ? inForm(text.split('.')[0], form) : null),
  )

/** `sign` after the first `at` characters. */
export const inserted = (inner: ExcelFormula, sign: string, at: number): ExcelFormula =>
  around(
    inner,
    (text) => `LEFT(${text},${at})&${quoted(sign)}&MID(${text},${at + 1},99)`,
    (text) => text.slice(0, at) + sign + text.slice(at, at + 99),
  )

/** Decimals as they are written; half of the last place rounds away from zero. */
export const round = (inner: ExcelFormula, decimals: number): ExcelFormula =>
  around(
    inner,
    (text) => `ROUND(${text},${decimals})`,
    (text) => (/^[+-]?\d{1,15}(?:\.\d+)?$/.test(text) ? rounded(text, decimals) : null),
  )

/** The digits in the places of the zeros, from the right; those without a zero stand before the first. */
function inForm(digits: string, form: string): string {
  const places = form.replace(/[^0]/g, '').length
  const padded = digits.replace(/^0+(?=\d)/, '').padStart(places, '0')
  let at = padded.length - places
  const further = padded.slice(0, at)
  return form.replace(/0/g, (_, index: number) => (form.indexOf('0') === index ? further : '') + padded[at++])
}

/** A spreadsheet knows no letters that become two, as ß does. */
const eachCharacter = (text: string, change: (character: string) => string): string =>
  /[^\0-\x7f]/.test(text)
    ? Array.from(text, (character) => {
        const changed = change(character)
        return changed.length === character.length ? changed : character
      }).join('')
    : change(text)

function rounded(text: string, decimals: number): string {
  const value = Number(text)
  const size = Number(`${Math.round(Number(`${Math.abs(value)}e${decimals}`))}e-${decimals}`)
  return String(value < 0 ? -size : size)
}

/** A string of a formula; a character that may not be seen or typed by its code. */
const quoted = (text: string): string =>
  text.length === 1 && !/[ -~]/.test(text)
    ? `UNICHAR(${text.charCodeAt(0)})`
    : `"${text.replaceAll('"', '""')}"`
