import { errorScreenLimits } from '@veridict/contract/limits'
import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault, CellFaultCode } from '@veridict/contract/model/cell-error'
import type { ListRule } from '@veridict/contract/model/rule'
import { type Automaton, automatonPath } from '#fast-path/byte-automaton.ts'
import { type ByteAccept, type FastPath, NOT_SURE } from '#fast-path/fast-path.ts'
import { ByteKind, type ByteKinds, isSuspect } from '#formats/byte-kinds.ts'
import { listMeaning, type ListMeaning } from '#likeness/list-meaning.ts'
import type { Platform } from '#platform.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { composed } from '#rules/composed.ts'

/** A larger trie does not fit the cache, and costs more to build than hashing costs to run. */
const MAX_TRIE_OPTIONS = 1000
const MAX_TRIE_STATES = 4000
/**
 * Bad values whose meaning is cached: they tend to repeat, and a search among 10,000 options takes a quarter
 * of a millisecond.
 */
const CACHED_VALUES = 1000

/**
 * Item from a list: the value equals one of the options, case-sensitively, after both are trimmed and
 * composed. The fault names the option that is surely meant. See docs/BEHAVIOUR.md#cells.
 */
export function compileList(rule: ListRule, description: string, platform: Platform): CompiledRule {
  const options = [...new Set(rule.options.map((option) => option.trim()).filter((option) => option !== ''))]
  const known = new Set(options.flatMap((option) => [option, composed(option)]))
  const shown = options.slice(0, errorScreenLimits.maxListedOptions)
  const expected = cellExpectations.list(shown, options.length - shown.length)
  const faults = new Map<string, CellFault>()
  const meaning = listMeaning(options, description)
  const faultOf = (text: string): CellFault => {
    let fault = faults.get(text)
    if (fault === undefined) {
      fault = new NotInList(text, meaning, expected)
      if (faults.size < CACHED_VALUES) faults.set(text, fault)
    }
    return fault
  }
  // Made only if bytes are checked: a template needs only the sentence. About a cell with U+FFFD only the
  // reference can decide.
  let encoded: Uint8Array[] | undefined
  const inBytes = () =>
    (encoded ??= options
      .filter((option) => !option.includes('\uFFFD'))
      .map((option) => platform.encodeUtf8(option)))
  return {
    expected,
    listMeaning: meaning,
    check: (text) => (known.has(text) || known.has(composed(text)) ? null : faultOf(text)),
    fastPath: (kinds, required) => optionPath(inBytes(), kinds, required),
    describe: (kernel, column) => kernel.list(column, inBytes()),
  }
}

/** Searches the option that is meant only when the sentence is read (see `BadCell`). */
class NotInList implements CellFault {
  readonly code = 'notInList'
  readonly expected: string
  readonly #text: string
  readonly #meaning: ListMeaning
  #error: string | undefined

  constructor(text: string, meaning: ListMeaning, expected: string) {
    this.#text = text
    this.#meaning = meaning
    this.expected = expected
  }

  #meant(): string | null {
    const meant = this.#meaning.findBySpelling(this.#text)
    return meant === null ? this.#meaning.findByLikeness(this.#text) : meant.option
  }

  get error(): string {
    return (this.#error ??= cellErrors.notInList(this.#meant()))
  }
}

/** It never rejects a cell: what is meant is found from the text, so the reference makes every fault. */
function optionPath(options: readonly Uint8Array[], kinds: ByteKinds, required: boolean): FastPath {
  const trie = options.length > MAX_TRIE_OPTIONS ? null : buildTrie(options)
  return (trie && automatonPath(trie, kinds, required, null)) ?? hashedPath(options, kinds, required)
}

/** One state per prefix; null if there are too many. */
function buildTrie(options: readonly Uint8Array[]): Automaton | null {
  const classes = new Uint8Array(256)
  let width = 1
  for (const option of options) for (const byte of option) if (classes[byte] === 0) classes[byte] = width++
  const targets = new Uint16Array(MAX_TRIE_STATES * width)
  const accepting = [false, false]
  const start = 1
  for (const option of options) {
    let state = start
    for (const byte of option) {
      const edge = state * width + classes[byte]
      if (targets[edge] === 0) targets[edge] = accepting.push(false) - 1
      if (accepting.length > MAX_TRIE_STATES) return null
      state = targets[edge]
    }
    accepting[state] = true
  }
  return { classes, width, targets, accepting, start, beyondAscii: 'exact' }
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const EMPTY = -1

/**
 * The fast path of a long list: one pass hashes the cell (FNV-1a) while it searches its end, then one option
 * is compared byte for byte. The table uses open addressing and is at most half full.
 */
function hashedPath(options: readonly Uint8Array[], kinds: ByteKinds, required: boolean): FastPath {
  const mask = 2 ** Math.ceil(Math.log2(options.length * 2 + 1)) - 1
  const slots = new Int32Array(mask + 1).fill(EMPTY)
  for (const [index, option] of options.entries()) {
    let slot = hashOf(option) & mask
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
    slots[slot] = index
  }
  const accept: ByteAccept = (bytes, position) => {
    let hash = FNV_OFFSET
    let at = position
    for (let kind = kinds[bytes[at]]; kind !== ByteKind.End; kind = kinds[bytes[++at]]) {
      if (kind === ByteKind.Unsure || (kind === ByteKind.Suspect && isSuspect(bytes, at))) return NOT_SURE
      hash = Math.imul(hash ^ bytes[at], FNV_PRIME)
    }
    if (at === position) return required ? ~at : at
    for (let slot = hash & mask; slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      if (isEqual(options[slots[slot]], bytes, position, at)) return at
    }
    return ~at
  }
  return { accept, reject: () => null }
}

function hashOf(option: Uint8Array): number {
  let hash = FNV_OFFSET
  for (const byte of option) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return hash
}

function isEqual(option: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (option.length !== end - start) return false
  for (let index = 0; index < option.length; index++) if (option[index] !== bytes[start + index]) return false
  return true
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
): FastPath {
  const byte = separator.charCodeAt(0)
  if (byte >= 0x80 || kinds[byte] !== ByteKind.Character) return neverSure
  const valueKinds = kinds.slice()
  valueKinds[byte] = ByteKind.End
  const { accept } = list.fastPath(valueKinds, true)
  return {
    accept(bytes, position) {
      if (kinds[bytes[position]] === ByteKind.End) return required ? ~position : position
      let count = 1
      let end = accept(bytes, position)
      for (; end >= 0 && bytes[end] === byte; count++) end = accept(bytes, end + 1)
      return end >= 0 && count >= minValues && count <= maxValues ? end : NOT_SURE
    },
    reject: () => null,
  }
}
