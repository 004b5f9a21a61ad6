import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { CheckDigitScheme } from '@veridict/contract/model/rule'
import { NOT_SURE } from '#fast-path/fast-path.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import countries from '#known/iban-lengths.json' with { type: 'json' }

/**
 * Over the bytes of a text without white space; letters are capitals, and spaces and hyphens are part of no
 * code. See docs/BEHAVIOUR.md#check-digits.
 */
type FitsScheme = (bytes: Uint8Array, from: number, to: number) => boolean

const [DIGIT_0, DIGIT_9, LETTER_A, LETTER_Z] = [0x30, 0x39, 0x41, 0x5a]

const isDigit = (byte: number): boolean => byte >= DIGIT_0 && byte <= DIGIT_9
const isLetter = (byte: number): boolean => byte >= LETTER_A && byte <= LETTER_Z

function hasDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isDigit(bytes[at])) return false
  return true
}

/** From the last digit to the first, every second one doubled; digits of tens count 1 more. */
function luhnSum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = to - 1, isDoubled = false; at >= from; at--, isDoubled = !isDoubled) {
    const digit = bytes[at] - DIGIT_0
    sum += !isDoubled ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum
}

const luhnOf =
  (length: number): FitsScheme =>
  (bytes, from, to) =>
    to - from === length && hasDigits(bytes, from, to) && luhnSum(bytes, from, to) % 10 === 0

/** The sum of the digits times their weights, which repeat. */
function weighted(bytes: Uint8Array, from: number, to: number, weights: readonly number[]): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += (bytes[at] - DIGIT_0) * weights[(at - from) % weights.length]
  return sum
}

/** The last digit has weight 1, the one before 3, and so on. */
const eanOf =
  (lengths: readonly number[]): FitsScheme =>
  (bytes, from, to) =>
    lengths.includes(to - from) &&
    hasDigits(bytes, from, to) &&
    weighted(bytes, from, to, (to - from) % 2 === 0 ? [3, 1] : [1, 3]) % 10 === 0

/** A number in which A is 10 and Z is 35, modulo 97; -1 if there are other characters. */
function mod97(bytes: Uint8Array, from: number, to: number, before = 0): number {
  let rest = before
  for (let at = from; at < to; at++) {
    if (isDigit(bytes[at])) rest = (rest * 10 + bytes[at] - DIGIT_0) % 97
    else if (isLetter(bytes[at])) rest = (rest * 100 + bytes[at] - LETTER_A + 10) % 97
    else return -1
  }
  return rest
}

const mod97Of =
  (shortest: number, longest: number): FitsScheme =>
  (bytes, from, to) =>
    to - from >= shortest &&
    to - from <= longest &&
    hasDigits(bytes, to - 2, to) &&
    mod97(bytes, from, to) === 1

/** Countries, separated by spaces, by length, as SWIFT publishes them in the IBAN registry. */
const ibanCountries: Readonly<Record<number, string>> = countries

const iban: FitsScheme = (bytes, from, to) => {
  if (to - from < 15 || !isLetter(bytes[from]) || !isLetter(bytes[from + 1])) return false
  const country = String.fromCharCode(bytes[from], bytes[from + 1])
  if (!ibanCountries[to - from]?.includes(country) || !hasDigits(bytes, from + 2, from + 4)) return false
  const rest = mod97(bytes, from + 4, to)
  // 00, 01 and 99 have the rest of 97, 98 and 02, and are never given out.
  const digits = weighted(bytes, from + 2, from + 4, [10, 1])
  return rest >= 0 && digits >= 2 && digits <= 98 && mod97(bytes, from, from + 4, rest) === 1
}

/** By letter from A: its number in a VIN; I, O and Q do not occur. */
const VIN_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, -1, 1, 2, 3, 4, 5, -1, 7, -1, 9, 2, 3, 4, 5, 6, 7, 8, 9]
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
const VIN_CHECK = 8
const LETTER_X = 0x58

const vin: FitsScheme = (bytes, from, to) => {
  if (to - from !== VIN_WEIGHTS.length) return false
  let sum = 0
  for (const [index, weight] of VIN_WEIGHTS.entries()) {
    const byte = bytes[from + index]
    const number = isDigit(byte) ? byte - DIGIT_0 : isLetter(byte) ? VIN_NUMBERS[byte - LETTER_A] : -1
    if (number < 0) return false
    sum += number * weight
  }
  const rest = sum % 11
  return bytes[from + VIN_CHECK] === (rest === 10 ? LETTER_X : DIGIT_0 + rest)
}

/** 356 000 000 is La Poste, whose offices have numbers with a digit sum that 5 divides. */
const siret: FitsScheme = (bytes, from, to) => {
  if (to - from !== 14 || !hasDigits(bytes, from, to)) return false
  if (luhnSum(bytes, from, to) % 10 === 0) return true
  const isLaPoste =
    weighted(bytes, from, from + 9, [1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1]) === 356_000_000
  return isLaPoste && weighted(bytes, from, to, [1]) % 5 === 0
}

/** The sum of 80840, which stands before an NPI. */
const NPI_PREFIX = 24
const [BOOK_978, BOOK_979] = [978, 979]
const isEan13 = eanOf([13])

const schemes: Readonly<Record<CheckDigitScheme, FitsScheme>> = {
  luhn: (bytes, from, to) => to - from > 1 && luhnOf(to - from)(bytes, from, to),
  npi: (bytes, from, to) =>
    to - from === 10 && hasDigits(bytes, from, to) && (luhnSum(bytes, from, to) + NPI_PREFIX) % 10 === 0,
  siren: luhnOf(9),
  siret,
  isbn13: (bytes, from, to) => {
    const prefix = weighted(bytes, from, from + 3, [100, 10, 1])
    return (prefix === BOOK_978 || prefix === BOOK_979) && isEan13(bytes, from, to)
  },
  ean: eanOf([8, 12, 13, 14]),
  lei: mod97Of(20, 20),
  uli: mod97Of(23, 45),
  iban,
  vin,
  nhs: (bytes, from, to) =>
    to - from === 10 &&
    hasDigits(bytes, from, to) &&
    weighted(bytes, from, to, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  aba: (bytes, from, to) =>
    to - from === 9 && hasDigits(bytes, from, to) && weighted(bytes, from, to, [3, 7, 1]) % 10 === 0,
}

/** The longest code is a ULI. Any longer text, in digits, is checked by Luhn alone. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  // What is no ASCII is no character of a code: 0 is none either.
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at) < 0x80 ? text.charCodeAt(at) : 0
  return bytes
}

/** Whether the check digit of a text, which is trimmed, fits. */
export function fitsCheckDigit(scheme: CheckDigitScheme, text: string): boolean {
  const bytes = bytesOf(text)
  return schemes[scheme](bytes, 0, bytes.length)
}

/** A rule for texts that also checks the check digit, of texts that the rule accepts. */
export function withCheckDigit(rule: CompiledRule, scheme: CheckDigitScheme): CompiledRule {
  const expected = cellExpectations.checkDigit(rule.expected, scheme)
  const misfit: CellFault = { code: 'checkDigit', error: cellErrors.checkDigit(scheme), expected }
  const fits = schemes[scheme]
  const { withSeparators } = rule
  const check = (text: string): CellFault | null =>
    rule.check(text) ?? (fitsCheckDigit(scheme, text) ? null : misfit)
  return {
    ...rule,
    expected,
    check,
    describe: undefined,
    ...(withSeparators && {
      withSeparators(characters) {
        const text = withSeparators(characters)
        return text !== null && check(text) === null ? text : null
      },
    }),
    fastPath(kinds, required) {
      const accept = rule.fastPath(kinds, required)
      return (bytes, position) => {
        const end = accept(bytes, position)
        return end > position && !fits(bytes, position, end) ? NOT_SURE : end
      }
    },
  }
}
