import { errorScreenLimits } from '@veridict/contract/limits'
import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault, CellFaultCode } from '@veridict/contract/model/cell-error'
import type { ListRule } from '@veridict/contract/model/rule'
import { type ByteSet, byteSet } from '#fast-path/byte-set.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import { ByteKind, type ByteKinds, isSuspect } from '#formats/byte-kinds.ts'
import { listMeaning, type ListMeaning } from '#likeness/list-meaning.ts'
import type { TextPlatform } from '#platform.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { composed } from '#rules/composed.ts'

/** Bad values repeat, and a search among 10,000 options takes a quarter of a millisecond. */
const CACHED_VALUES = 1000

/**
 * The value equals an option, case-sensitively, after both are trimmed and composed. The fault names the
 * option surely meant. See docs/BEHAVIOUR.md#cells.
 */
export function compileList(rule: ListRule, description: string, platform: TextPlatform): CompiledRule {
  const options = [...new Set(rule.options.map((option) => option.trim()).filter((option) => option !== ''))]
  const known = new Set(options.flatMap((option) => [option, composed(option)]))
  const shown = options.slice(0, errorScreenLimits.maxListedOptions)
  const expected = cellExpectations.list(shown, options.length - shown.length)
  const faults = new Map<string, CellFault>()
  let made: ListMeaning | undefined
  const meaning = () => (made ??= listMeaning(options, description))
  const faultOf = (text: string): CellFault => {
    let fault = faults.get(text)
    if (fault === undefined) {
      fault = new NotInList(text, meaning, expected)
      if (faults.size < CACHED_VALUES) faults.set(text, fault)
    }
    return fault
  }
  // Made only if bytes are checked: a template needs only the sentence. The reference decides about U+FFFD.
  let encoded: ByteSet | undefined
  const inBytes = () =>
    (encoded ??= byteSet(
      options.filter((option) => !option.includes('\uFFFD')),
      platform,
    ))
  return {
    expected,
    listMeaning: meaning,
    check: (text) => (known.has(text) || known.has(composed(text)) ? null : faultOf(text)),
    fastPath: (kinds, required) => optionPath(inBytes(), kinds, required),
    describe: (kernel, column) => kernel.list(column, inBytes().texts),
  }
}

/** Searches the option that is meant only when the sentence is read (see `BadCell`). */
class NotInList implements CellFault {
  readonly code = 'notInList'
  readonly expected: string
  readonly #text: string
  readonly #meaning: () => ListMeaning
  #error: string | undefined

  constructor(text: string, meaning: () => ListMeaning, expected: string) {
    this.#text = text
    this.#meaning = meaning
    this.expected = expected
  }

  #meant(): string | null {
    const meant = this.#meaning().findBySpelling(this.#text)
    return meant === null ? this.#meaning().findByLikeness(this.#text) : meant.option
  }

  get error(): string {
    return (this.#error ??= cellErrors.notInList(this.#meant()))
  }
}

/** Finds the end of the cell, then the option. */
function optionPath(options: ByteSet, kinds: ByteKinds, required: boolean): ByteAccept {
  return (bytes, position) => {
    let at = position
    for (let kind = kinds[bytes[at]]; kind !== ByteKind.End; kind = kinds[bytes[++at]])
      if (kind === ByteKind.Unsure || (kind === ByteKind.Suspect && isSuspect(bytes, at))) return NOT_SURE
    if (at === position) return required ? NOT_SURE : at
    return options.find(bytes, position, at) >= 0 ? at : NOT_SURE
  }
}

/** A list rule for cells with several values: each is trimmed and checked against the list. */
export function severalValues(rule: ListRule & { separator: string }, list: CompiledRule): CompiledRule {
  const { separator, minValues = 0, maxValues = Infinity } = rule
  const expected = cellExpectations.severalValues(list.expected, separator, minValues, maxValues)
  const fault = (code: CellFaultCode, error: string): CellFault => ({ code, error, expected })
  const emptyValue = fault('emptyValue', cellErrors.emptyValue(separator))
  return {
    expected,
    check(text) {
      const values = text.split(separator).map((value) => value.trim())
      if (values.includes('')) return emptyValue
      for (const value of values) {
        const found = list.check(value)
        if (found !== null) return found
      }
      const { length } = values
      if (length < minValues) return fault('tooFewValues', cellErrors.tooFewValues(length, minValues))
      return length > maxValues ? fault('tooManyValues', cellErrors.tooManyValues(length, maxValues)) : null
    },
    fastPath: (kinds, required) => severalPath(rule, list, kinds, required),
  }
}

/** Walks from value to value, each ended by the separator or the end of the cell. */
function severalPath(
  { separator, minValues = 0, maxValues = Infinity }: ListRule & { separator: string },
  list: CompiledRule,
  kinds: ByteKinds,
  required: boolean,
): ByteAccept {
  const byte = separator.charCodeAt(0)
  if (byte >= 0x80 || kinds[byte] !== ByteKind.Character) return neverSure
  const valueKinds = kinds.slice()
  valueKinds[byte] = ByteKind.End
  const accept = list.fastPath(valueKinds, true)
  return (bytes, position) => {
    if (kinds[bytes[position]] === ByteKind.End) return required ? NOT_SURE : position
    let count = 1
    let end = accept(bytes, position)
    for (; end >= 0 && bytes[end] === byte; count++) end = accept(bytes, end + 1)
    return end >= 0 && count >= minValues && count <= maxValues ? end : NOT_SURE
  }
}
