import { errorScreenLimits } from '@veridict/contract/limits'
import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ListRule } from '@veridict/contract/model/rule'
import { automatonPath, type Automaton } from '#fast-path/byte-automaton.ts'
import type { ByteKinds } from '#formats/byte-kinds.ts'
import type { FastPath } from '#fast-path/fast-path.ts'
import { listMeaning, type ListMeaning } from '#likeness/list-meaning.ts'
import type { Platform } from '#platform.ts'
import { composed } from '#rules/composed.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { hashedPath } from '#rules/hashed-path.ts'

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
