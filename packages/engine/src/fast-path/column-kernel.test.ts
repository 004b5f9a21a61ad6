import type { Field } from '@veridict/contract/model/field'
import { type Rule, ruleTypes } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileField } from '#compile/compile-columns.ts'
import { LISTED_WORDS, ColumnKernel, makeKernel, NO_CLASS, WHOLE_RECORD } from '#fast-path/column-kernel.ts'
import code from '#fast-path/kernel-code.json' with { type: 'json' }
import { FileProblemError } from '#formats/file-problem-error.ts'
import { type CsvRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { portalGuards } from '#limits.ts'
import { re2 } from '#rules/re2.ts'
import { anyCell, anyRule } from '../../test/any-rule.ts'
import { compileKernel } from '../../test/compile-kernel.ts'
import { ruleCases } from '../../test/rule-cases.ts'
import { runs } from '../../test/runs.ts'
import { testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const [COMMA, LINE_FEED, STEP, CHUNK] = [0x2c, 0x0a, 64, 1 << 13]
const settings = { chunk: CHUNK, delimiter: COMMA, longestRecord: 1000 }
const fieldOf = (rule: Rule, required: boolean): Field => ({
  name: 'Field',
  description: '',
  category: '',
  required,
  rule,
})
const compile = (rule: Rule, required = true): ColumnCheck =>
  compileField(fieldOf(rule, required), { kind: 'csv', delimiter: COMMA }, platform, re2)
const kernelOf = (columns: readonly ColumnCheck[]): ColumnKernel =>
  ColumnKernel.of(
    columns.map(({ describe, field }) => ({ describe, isRequired: field!.required, isClassed: true })),
    settings,
  )!

/** Of each record, by column whether the kernel is sure of its cell; null where it is not regular. */
function verdicts(kernel: ColumnKernel, text: string | Uint8Array, columns: number): (boolean[] | null)[] {
  const bytes = typeof text === 'string' ? platform.encodeUtf8(text) : text
  kernel.bytes.fill(LINE_FEED)
  kernel.bytes.set(bytes)
  const found = Array.from({ length: kernel.check(0, bytes.length) }, (): boolean[] | null =>
    Array<boolean>(columns).fill(true),
  )
  const { doubtful } = kernel
  for (let index = 0; index < doubtful.length;) {
    const record = doubtful[index]
    const count = doubtful[index + LISTED_WORDS - 1]
    index += LISTED_WORDS
    if (count === WHOLE_RECORD) found[record] = null
    const next = count === WHOLE_RECORD ? index : index + LISTED_WORDS * count
    for (; index < next; index += LISTED_WORDS) found[record]![doubtful[index]] = false
  }
  return found
}

/** A cell of a column; its number, and whether that was another cell's. */
function numberOf(kernel: ColumnKernel, column: number, text: string): { number: number; isNew: boolean } {
  const bytes = platform.encodeUtf8(`,${text},`)
  const found = kernel.findValue(bytes, column, 1, bytes.length - 1)
  return { number: found >> 1, isNew: (found & 1) === 1 }
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const written = (cell: string): string => (/[",\r\n]/.test(cell) ? quoted(cell) : cell)
const text: Rule = { type: 'text' }

describe('The kernel', () => {
  it('is left out where it gets no memory', () => {
    const columns = [{ describe: compile({ type: 'text' }).describe, isRequired: true, isClassed: true }]
    // `allocate` ends so where memory does not grow.
    const unreachable = () => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    expect(ColumnKernel.of(columns, settings, unreachable)).toBe(null)
  })

  it('is what its source compiles to', async () => {
    expect(await compileKernel()).toEqual(code)
  })

  it.for(ruleTypes)('is sure where the fast path must be: %s', (type) => {
    for (const { rule, required, cases } of ruleCases[type]) {
      const column = compile(rule, required)
      if (column.describe === undefined) continue
      const kernel = kernelOf([column, compile(text)])
      const lastKernel = kernelOf([compile(text), column])
      for (const { cell, fault, sure } of cases) {
        const [inQuotes] = verdicts(kernel, `${quoted(cell)},x\n`, 2)
        const [last] = verdicts(lastKernel, `x,${written(cell)}\r\n`, 2)
        const found = [inQuotes?.[0], last?.[1]]
        if (fault !== null) expect(found, cell).not.toContain(true)
        else if (sure === true) expect(last?.[1], cell).toBe(true)
      }
    }
  })

  it('accepts no cell that the reference finds invalid, wherever it is in a chunk', () => {
    let sure = 0
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyRule, fc.boolean()), { minLength: 2, maxLength: 4 }),
        fc.array(fc.array(anyCell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.nat(STEP - 1),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (rules, rows, offset, always, lineEnd) => {
          const columns = rules.map(([rule, required]) => compile(rule, required))
          const kernel = ColumnKernel.of(
            columns.map(({ describe, field }) => ({
              describe,
              isRequired: field!.required,
              isClassed: true,
            })),
            settings,
          )
          if (kernel === null) return
          const lines = rows.map((cells) =>
            columns.map((_, column) => (always ? quoted : written)(cells[column])).join(','),
          )
          // The rows begin at any place of a step, because of the line before them.
          const found = verdicts(kernel, ['x'.repeat(offset), ...lines, ''].join(lineEnd), columns.length)
          for (const [index, row] of found.slice(1).entries()) {
            for (const [column, isSure] of (row ?? []).entries()) {
              if (!isSure) continue
              sure++
              const cell = rows[index][column]
              const fault = columns[column].check(cell)
              expect({ cell, rule: rules[column], fault }).toEqual({ cell, rule: rules[column], fault: null })
            }
          }
        },
      ),
      { numRuns: runs(400) },
    )
    expect(sure).toBeGreaterThan(100)
  })

  it('is sure of valid cells at every place of a step and at every end of a chunk', () => {
    const rules: Rule[] = [
      { type: 'text', minLength: 3, maxLength: 20 },
      { type: 'number', scale: 2, minimum: -500, maximum: 100_000 },
      { type: 'date', format: 'dd/MM/yyyy' },
      { type: 'pattern', pattern: '[A-Z]{2}-[0-9]+' },
      { type: 'list', options: ['Open', 'Closed, but not paid at all', 'é'] },
    ]
    const columns = rules.map((rule) => compile(rule, true))
    const kernel = kernelOf(columns)
    const row = 'Zoë "Bob" 美,-499.99,28/02/2023,AB-1,"Closed, but not paid at all"\n'.replace(
      'Zoë "Bob" 美',
      quoted('Zoë "Bob" 美'),
    )
    const size = platform.encodeUtf8(row).length
    for (let offset = 0; offset < STEP; offset++) {
      const bytes = platform.encodeUtf8(`${'x'.repeat(offset)}\n${row.repeat(3)}`)
      for (let end = 0; end <= bytes.length; end++) {
        const [first, ...found] = verdicts(kernel, bytes.subarray(0, end), columns.length)
        expect(first).toBe(end > offset ? null : undefined)
        const whole = Math.floor(Math.max(0, end - offset - 1) / size)
        expect(found).toEqual(Array.from({ length: whole }, () => rules.map(() => true)))
      }
    }
  })

  it.for([
    { pattern: 'CLM-[0-9]{4}', texts: ['CLM-12345'] },
    { pattern: '[+]?[0-9]{5,15}', texts: ['+1234567890123456', '12345678901234567'] },
    { pattern: '[A-Z]{2,3}[0-9]{2}', texts: ['ABC12', 'AB12'] },
    { pattern: '(ab|cd)?[x-z]+', texts: ['abxyz', 'cdxyz', 'xyz'] },
    { pattern: '([a-c]d)+', texts: ['adbdcdad'] },
    { pattern: '[!-~]{2,17}', texts: ['abcdefghijklmnopqr'] },
  ])('is sure of the texts of a pattern, byte by byte and at each size: $pattern', ({ pattern, texts }) => {
    const column = compile({ type: 'pattern', pattern })
    const kernel = kernelOf([column, compile(text)])
    const bytes = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index))
    for (const whole of texts) {
      for (let size = 1; size <= whole.length; size++) {
        for (let place = 0; place < size; place++) {
          // A quote in a cell is always a doubt.
          const cells = bytes
            .filter((byte) => byte !== '"')
            .map((byte) => whole.slice(0, place) + byte + whole.slice(place + 1, size))
          const found = verdicts(kernel, cells.map((cell) => `${written(cell)},x\n`).join(''), 2)
          const accepted = cells.filter((_, index) => found[index]?.[0] === true)
          expect(accepted).toEqual(cells.filter((cell) => column.check(cell) === null))
        }
      }
    }
  })

  it('divides any text as the reference does, up to where only the reference can read it', () => {
    const unit = fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', ' ', '\0', '\ufffd', '\ufeff', '美')
    const kernel = kernelOf([compile(text), compile(text)])
    let records = 0
    fc.assert(
      fc.property(fc.nat(STEP), fc.string({ unit, maxLength: 90 }), fc.nat(), (offset, body, cut) => {
        const bytes = platform.encodeUtf8(`${'x'.repeat(offset)}\n${body}`)
        // Anywhere, also within a character.
        const end = cut % (bytes.length + 1)
        const found = verdicts(kernel, bytes.subarray(0, end), 2)
        const known = readRecords(bytes)
        for (const [record, cells] of found.entries()) {
          const { cells: texts, end: next } = known[record]
          // Where a record ends with CRLF, its end is that of the CR.
          expect([next, next + 1]).toContain(kernel.startOf(record + 1))
          if (cells !== null) expect(texts).toHaveLength(2)
          records++
        }
      }),
      { numRuns: runs(500) },
    )
    expect(records).toBeGreaterThan(100)
  })

  it('has room for a chunk of blank records, which are all doubtful', () => {
    const kernel = kernelOf([compile({ type: 'number' })])
    const rest = '12345\nxxxxx\n67890\n'
    const blank = CHUNK - rest.length
    expect(verdicts(kernel, '\n'.repeat(blank) + rest, 1)).toEqual([
      ...Array<null>(blank).fill(null),
      [true],
      [false],
      [true],
    ])
  })

  it('has one class for numbers that are too small, and another for too large ones, at each length', () => {
    const column = compile({ type: 'number', minimum: 50, maximum: 100 })
    const kernel = kernelOf([column, column])
    // Each too large one is 5 in 32 bits.
    const large = Array.from({ length: 17 }, (_, index) => String(2n ** 32n * 10n ** BigInt(index) + 5n))
    const rows = ['5', '049', '-999999999999999', ...large].map((cell) => `${cell},75\n`)
    verdicts(kernel, rows.join(''), 2)
    const classes = kernel.doubtful.filter((_, index) => index % (2 * LISTED_WORDS) === 2 * LISTED_WORDS - 1)
    const [tooSmall, , , tooLarge] = classes
    expect(tooSmall).not.toBe(tooLarge)
    // More than 15 digits have none.
    const expected = large.map((cell) => (cell.length > 15 ? NO_CLASS : tooLarge))
    expect([...classes]).toEqual([tooSmall, tooSmall, tooSmall, ...expected])
  })

  it('has a number for each value that it has seen before, and never one for two', () => {
    const kernel = kernelOf([compile(text), compile(text)])
    const values = new Map<number, string>()
    let again = 0
    const unit = fc.constantFrom('a', 'b', '\0', 'é', 'abcdefgh')
    const value = fc.oneof(
      fc.string({ unit, maxLength: 3 }),
      fc.string({ unit, minLength: 25, maxLength: 40 }),
    )
    fc.assert(
      fc.property(fc.nat(1), value, (column, cell) => {
        const { number, isNew } = numberOf(kernel, column, cell)
        const name = `${column} ${cell}`
        if (number === 0) return
        again++
        if (isNew) values.set(number, name)
        expect(values.get(number)).toBe(name)
        expect(numberOf(kernel, column, cell)).toEqual({ number, isNew: false })
      }),
      { numRuns: runs(500) },
    )
    expect(again).toBeGreaterThan(100)
    for (let time = 0; time < 3; time++)
      expect(numberOf(kernel, 0, 'x'.repeat(241))).toEqual({ number: 0, isNew: false })
  })

  it('has no number for two values whose hashes are made to be equal', () => {
    const kernel = kernelOf([compile(text)])
    // `hashOf` of `values.ts`, of every second word of eight bytes.
    const factor = 0x9e3779b97f4a7c15n
    const step = (hash: bigint, word: bigint) => {
      const next = BigInt.asUintN(64, (hash ^ word) * factor)
      return next ^ (next >> 29n)
    }
    const words = [1n, 2n, 3n, 4n, 5n, 6n]
    const start = step(BigInt.asUintN(64, 48n * factor), words[0])
    const others = words.with(2, 7n).with(4, words[4] ^ step(start, words[2]) ^ step(start, 7n))
    const find = (value: bigint[]) =>
      kernel.findValue(new Uint8Array(new BigUint64Array(value).buffer), 0, 0, 48)
    expect(find(words)).toBe(0)
    const found = find(words)
    expect(found & 1).toBe(1)
    expect(find(words)).toBe(found - 1)
    expect(find(others)).toBe(found)
  })

  it.for([
    { why: 'numbers of 8 digits', valueAt: (index: number) => String(index).padStart(8, '0') },
    { why: 'numbers of 16 digits', valueAt: (index: number) => String(index).padStart(16, '0') },
    {
      why: 'texts that differ in one byte',
      valueAt: (index: number) =>
        'x'.repeat(index % 40) + String.fromCharCode(0x41 + index / 40) + 'x'.repeat(39 - (index % 40)),
    },
  ])('has different numbers for most values: $why', ({ valueAt }) => {
    const kernel = kernelOf([compile(text)])
    const numbers = new Set<number>()
    for (let index = 0; index < 1000; index++) {
      numberOf(kernel, 0, valueAt(index))
      numbers.add(numberOf(kernel, 0, valueAt(index)).number)
    }
    // If they were random, there would be 887 of them.
    expect(numbers.size).toBeGreaterThan(830)
  })
})

describe('The memory of the kernel', () => {
  it('ends before addresses are negative, and no part of it is given twice', () => {
    const { allocate } = makeKernel()!
    const GIB = 2 ** 30
    const first = allocate(GIB)
    for (let time = 0; time < 4; time++) expect(() => allocate(GIB)).toThrow(WebAssembly.RuntimeError)
    expect(allocate(GIB / 2)).toBeGreaterThan(first + GIB)
  })

  it('may be missing', () => {
    const instance = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function () {
      throw new RangeError('Out of memory')
    })
    expect(makeKernel()).toBeNull()
    instance.mockRestore()
    expect(makeKernel()).not.toBeNull()
  })
})

/** The records up to the first problem. */
function readRecords(bytes: Uint8Array): CsvRecord[] {
  const records: CsvRecord[] = []
  const reader = new RecordReader({ delimiter: COMMA }, platform, portalGuards, (record) => {
    records.push(record)
  })
  try {
    reader.push(bytes)
    reader.end()
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error
  }
  return records
}
