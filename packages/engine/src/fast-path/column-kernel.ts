import type { Automaton } from '#fast-path/byte-automaton.ts'
import code from '#fast-path/kernel-code.json' with { type: 'json' }
import { CARRIAGE_RETURN, QUOTE } from '#formats/byte-names.ts'
import type { StringsKernel } from '#formats/spreadsheet/read-shared-strings.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'

/** What `packages/engine/kernel/kernel.ts` exports. Addresses are in bytes. */
export type KernelExports = StringsKernel &
  Readonly<Record<'data' | 'descriptors' | 'positions' | 'recordEnds', WebAssembly.Global<'i32'>>> &
  Readonly<Record<'doubtful' | 'doubtfulCount' | 'doubtfulEnd', WebAssembly.Global<'i32'>>> &
  Readonly<Record<'keyColumns' | 'keyHashes', WebAssembly.Global<'i32'>>> & {
    prepare(chunk: number, columns: number, delimiter: number, longestRecord: number): void
    allocate(size: number): number
    markColumn(column: number, required: boolean, classed: boolean): void
    copyColumn(from: number, to: number): void
    describeText(column: number, minimum: number, maximum: number): void
    describeNumber(column: number, mostDecimals: number, sureDigits: number, min: number, max: number): void
    describeDate(column: number): number
    describeAutomaton(column: number): number
    findRanges(column: number): void
    describeList(column: number, mostOptions: number): void
    addOption(column: number, size: number): void
    hasRules(): number
    check(from: number, end: number): number
    gather(from: number, rows: number, size: number): number
    findValue(column: number, start: number, size: number): number
    hashKeys(
      count: number,
      from: number,
      to: number,
      seed: number,
      one: number,
      other: number,
      bits: number,
    ): number
  }

/** What a hash depends on: random, so that nobody can write a file whose hashes collide. */
export type KeyMix = { readonly seed: number; readonly one: number; readonly other: number }

/** Tells the kernel what the cells of a column must be. The kernel may be sure of less, and never of more. */
export type DescribeColumn = (kernel: ColumnKernel, column: number) => void

/** Of 16-bit addresses of states. */
const MOST_TARGETS = 0xffff
/** The table of a longer list does not stay in the processor's caches. */
const MOST_OPTIONS = 4000
const DIGIT_0 = 0x30
/** Of numbers: as many digits as any double holds. */
const SURE_DIGITS = 15
/** Of a doubtful record, and of each of its doubtful cells: see `doubtful`. */
export const LISTED_WORDS = 4
export const NO_CLASS = 0
/** In place of how many cells are doubtful: the whole record is. */
export const WHOLE_RECORD = 2 ** 32 - 1
/** Of cells: see `findValue`. */
export const MOST_NUMBERS = 1 << 12
/** Bytes of a cell: longer ones have no number. */
const LONGEST_VALUE = 240
/** Bytes by which memory grows. */
const PAGE = 1 << 16

let compiled: WebAssembly.Module | null | undefined

/** null without `fromBase64` or SIMD for WebAssembly, and where a page may not compile it. */
function compiledCode(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled
  try {
    return (compiled = new WebAssembly.Module(Uint8Array.fromBase64(code.join(''))))
  } catch {
    return (compiled = null)
  }
}

/** Not prepared; null where it cannot run, or where the process may reserve no 8 GiB of addresses. */
export function makeKernel(): KernelExports | null {
  const module = compiledCode()
  try {
    return module && (new WebAssembly.Instance(module).exports as KernelExports)
  } catch {
    return null
  }
}

/**
 * Finds the surely valid cells of a chunk in WebAssembly, column by column: see docs/KERNEL.md, also for
 * worksheets (`RowScanner`). Records are numbered from 0, from the `from` of the last `check` on.
 */
export class ColumnKernel {
  /** The chunk: what is to be checked must be read into it. */
  readonly bytes: Uint8Array
  readonly #module: WebAssembly.Module
  readonly #settings: KernelSettings
  readonly #width: number
  readonly exports: KernelExports
  readonly #data: number
  readonly #words: Uint32Array
  /** The words as bytes. */
  readonly #memory: Uint8Array
  /** Room for a value that is not in `bytes`. */
  readonly #value: number
  readonly #positions: number
  readonly #recordEnds: number
  readonly #keyColumns: number
  readonly #keyHashes: number
  /**
   * Of each doubtful record of the last `check` its number, where it begins and ends in `bytes`, and how
   * many of its cells are doubtful, or WHOLE_RECORD; 0: only rules may find something. Then of each of these
   * cells its column, where it begins and ends, and its class or `NO_CLASS`. All cells of a column in one
   * class surely have the same fault, and diagnoses that differ only in the text of their suggestions.
   */
  doubtful: Uint32Array = new Uint32Array(0)
  /** Of these records. */
  doubtfulCount = 0

  private constructor(
    module: WebAssembly.Module,
    settings: KernelSettings,
    width: number,
    describe: (kernel: ColumnKernel, exports: KernelExports) => void,
    exports = new WebAssembly.Instance(module).exports as KernelExports,
  ) {
    this.#module = module
    this.#settings = settings
    this.#width = width
    this.exports = exports
    const { prepare, data, positions, recordEnds, keyColumns, keyHashes, memory } = this.exports
    const { chunk, delimiter, longestRecord } = settings
    prepare(chunk, width, delimiter, longestRecord)
    this.#data = data.value
    // Before the tables, where the memory of a copy has it, too.
    this.#value = this.exports.allocate(LONGEST_VALUE)
    describe(this, this.exports)
    // Memory does not grow from here on, so views of it stay valid.
    this.bytes = new Uint8Array(memory.buffer, this.#data, chunk + SENTINEL_BYTES)
    this.#words = new Uint32Array(memory.buffer)
    this.#memory = new Uint8Array(memory.buffer)
    this.#positions = positions.value >>> 2
    this.#recordEnds = recordEnds.value >>> 2
    this.#keyColumns = keyColumns.value >>> 2
    this.#keyHashes = keyHashes.value >>> 2
  }

  /** null where it cannot run, or would be of no use. `prepareMore` may allocate memory. */
  static of(
    columns: readonly KernelColumn[],
    settings: KernelSettings,
    prepareMore: (exports: KernelExports) => void = () => {},
    made?: KernelExports,
  ): ColumnKernel | null {
    const known = columns.filter(({ describe }) => describe !== undefined)
    const module = known.length * 2 < columns.length ? null : compiledCode()
    if (module === null) return null
    const describeAll = (kernel: ColumnKernel, exports: KernelExports) => {
      // Columns with the same rule share their tables.
      const described = new Map<DescribeColumn, number>()
      for (const [column, { describe, isRequired, isClassed }] of columns.entries()) {
        const same = describe && described.get(describe)
        if (same !== undefined) exports.copyColumn(same, column)
        else if (describe !== undefined) described.set(describe, (describe(kernel, column), column))
        exports.markColumn(column, isRequired, isClassed === true)
      }
      prepareMore(exports)
    }
    try {
      return new ColumnKernel(module, settings, columns.length, describeAll, made)
    } catch (error) {
      // There is no memory for it.
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return null
      throw error
    }
  }

  /** The same kernel in another thread, which needs no rules for it. */
  static copied({ module, settings, width, memory }: KernelCopy): ColumnKernel {
    return new ColumnKernel(module, settings, width, (_, { memory: own, descriptors }) => {
      const start = descriptors.value
      own.grow((start + memory.length - own.buffer.byteLength) / PAGE)
      new Uint8Array(own.buffer).set(memory, start)
    })
  }

  /** For `copied`. Columns are described in memory, at places that depend on settings and width alone. */
  copy(): KernelCopy {
    const memory = new Uint8Array(this.exports.memory.buffer).slice(this.exports.descriptors.value)
    return { module: this.#module, settings: this.#settings, width: this.#width, memory }
  }

  /** Checks whole records from `from` to the first that only the reference can read. Returns how many. */
  check(from: number, end: number): number {
    const records = this.exports.check(this.#data + from, this.#data + end)
    const { doubtful, doubtfulEnd, doubtfulCount } = this.exports
    this.doubtful = this.#words.subarray(doubtful.value >>> 2, doubtfulEnd.value >>> 2)
    this.doubtfulCount = doubtfulCount.value
    return records
  }

  /** Twice a number (1 to `MOST_NUMBERS`) for the bytes of a cell; 0 for none, odd if it is new for them. */
  findValue(bytes: Uint8Array, column: number, from: number, to: number): number {
    const size = to - from
    if (size > LONGEST_VALUE) return 0
    let start = this.#data + from
    if (bytes !== this.bytes) {
      start = this.#value
      for (let index = 0; index < size; index++) this.#memory[start + index] = bytes[from + index]
    }
    return this.exports.findValue(column, start, size)
  }

  /**
   * The hashes of the values that records without a doubtful cell have in the columns of a key: of each a
   * low half, then a high one. Valid until the next call.
   */
  hashKeys(columns: Uint32Array, from: number, to: number, mix: KeyMix, bits: number): Uint32Array {
    this.#words.set(columns, this.#keyColumns)
    const { seed, one, other } = mix
    const count = this.exports.hashKeys(columns.length, from, to, seed, one, other, bits)
    return this.#words.subarray(this.#keyHashes, this.#keyHashes + 2 * count)
  }

  /** The index in `bytes` where a record begins, or where the last one has ended. */
  startOf(record: number): number {
    return this.startOfCell(record, 0)
  }

  startOfCell(record: number, column: number): number {
    const first = record === 0 ? 0 : this.#words[this.#recordEnds + record - 1]
    return this.#words[this.#positions + first + column - 1] + 1 - this.#data
  }

  /** The index after the last byte of a record, or of a cell; a quote or a line end may follow. */
  endOf(record: number): number {
    return this.endOfCell(record, this.#width - 1)
  }

  endOfCell(record: number, column: number): number {
    const end = this.startOfCell(record, column + 1) - 1
    return column === this.#width - 1 && this.bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
  }

  number(column: number, mostDecimals: number, lowest: number, highest: number): void {
    let digits = 0
    if (lowest <= 1)
      while (digits < SURE_DIGITS && 10 ** (digits + 1) - (mostDecimals === 0 ? 1 : 0) <= highest) digits++
    this.exports.describeNumber(column, mostDecimals, digits, lowest, highest)
  }

  date(column: number, places: DatePlaces): void {
    const { day, month, year, firstSeparator, secondSeparator, separatorByte } = places
    const bytes = new Uint8Array(this.exports.memory.buffer, this.exports.describeDate(column), 48)
    const digits = [day, day + 1, month, month + 1, year, year + 1, year + 2, year + 3]
    bytes.fill(0xff, 0, 16).set([...digits, firstSeparator, secondSeparator])
    bytes.fill(DIGIT_0, 16, 24).fill(separatorByte, 24, 26).fill(9, 32, 40)
  }

  automaton(column: number, automaton: Automaton): void {
    const { classes, width, targets, accepting, start, beyondAscii, digits } = automaton
    const size = accepting.length * width
    if (size > MOST_TARGETS) return
    const { allocate, memory } = this.exports
    const [ofClasses, ofTargets, ofStates] = [allocate(256), allocate(size * 2), allocate(size)]
    const bytes = new Uint8Array(memory.buffer)
    // A quote in a cell is half of an escaped one. Class 0 leads to the dead state.
    const isKnown = (byte: number) => byte !== QUOTE && (byte < 0x80 || beyondAscii === 'exact')
    const known = classes.map((index, byte) => (isKnown(byte) ? index : 0))
    bytes.set(known, ofClasses)
    const next = targets.subarray(0, size).map((state) => state * width)
    new Uint16Array(memory.buffer, ofTargets, size).set(next)
    for (const [state, accepts] of accepting.entries()) bytes[ofStates + state * width] = accepts ? 1 : 0
    const mostDigits = Math.min(digits[1], 2 ** 32 - 1)
    const fields = [start * width, ofClasses, ofTargets, ofStates, digits[0], mostDigits]
    new Uint32Array(memory.buffer, this.exports.describeAutomaton(column), fields.length).set(fields)
    this.exports.findRanges(column)
  }

  list(column: number, options: readonly Uint8Array[]): void {
    if (options.length > MOST_OPTIONS) return
    this.exports.describeList(column, options.length)
    const bytes = new Uint8Array(this.exports.memory.buffer)
    // The quotes of an option are written twice in a cell.
    for (const option of options.filter((bytes) => !bytes.includes(QUOTE))) {
      bytes.set(option, this.#data)
      this.exports.addOption(column, option.length)
    }
  }
}

/** Where the parts of a date of ten bytes begin: two digits of a day, two of a month, four of a year. */
export type DatePlaces = {
  readonly day: number
  readonly month: number
  readonly year: number
  readonly firstSeparator: number
  readonly secondSeparator: number
  readonly separatorByte: number
}

/**
 * `isRequired`: an empty cell is doubtful, too. `isClassed`: its cells have classes, because `check` asks the
 * rule about every text that is not blank.
 */
export type KernelColumn = {
  readonly describe?: DescribeColumn
  readonly isRequired: boolean
  readonly isClassed?: boolean
}

export type KernelSettings = {
  /** The most bytes of a chunk. */
  readonly chunk: number
  readonly delimiter: number
  /** A longer record is doubtful. */
  readonly longestRecord: number
}

/** Plain data, which threads can send to each other; the code in it is compiled. */
export type KernelCopy = {
  readonly module: WebAssembly.Module
  readonly settings: KernelSettings
  readonly width: number
  /** The descriptions of columns, and what is behind them. */
  readonly memory: Uint8Array
}
