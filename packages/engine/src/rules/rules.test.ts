import type { Field } from '@veridict/contract/model/field'
import { type Rule, ruleTypes } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileField } from '#compile/compile-columns.ts'
import { composed, mayCompose } from '#rules/composed.ts'
import { re2 } from '#rules/re2.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { anyCell, anyRule } from '../../test/any-rule.ts'
import { ruleCases } from '../../test/rule-cases.ts'
import { testPlatform } from '../../test/test-platform.ts'
import { SENTINEL_BYTES, type Terminators, xmlTerminators } from '#formats/terminators.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
const csv: Terminators = { kind: 'csv', delimiter: 0x2c }
const fieldOf = (rule: Rule, required = true): Field => ({
  name: 'Field',
  description: '',
  category: '',
  required,
  rule,
})
const compile = (field: Field, terminators: Terminators = csv): ColumnCheck =>
  compileField(field, terminators, platform, re2)

/** The bytes of a cell as it is between `open` and `close`, and where it ends in them. */
function bytesOf(cell: string, open: string, close: string): { bytes: Uint8Array; end: number } {
  const bytes = platform.encodeUtf8(open + cell + close)
  const padded = new Uint8Array(bytes.length + SENTINEL_BYTES).fill(
    (close === '"' ? '\n' : close).charCodeAt(0),
  )
  padded.set(bytes)
  return { bytes: padded, end: bytes.length - 1 }
}

/** Whether the fast path accepts a cell, and finds its end. */
function accepts(accept: ColumnCheck['accept'], cell: string, open: string, close: string): boolean {
  const { bytes, end } = bytesOf(cell, open, close)
  return accept(bytes, open.length) === end
}

const acceptsInCsv = (column: ColumnCheck, cell: string) => accepts(column.accept, cell, ',', ',')
const acceptsQuoted = (column: ColumnCheck, cell: string) =>
  accepts(column.acceptQuoted, cell.replaceAll('"', '""'), ',"', '"')
const acceptsInXml = (column: ColumnCheck, cell: string) => accepts(column.accept, cell, '>', '<')

describe.for(ruleTypes)('The rule type %s', (type) => {
  for (const { rule, required, cases } of ruleCases[type]) {
    const column = compile(fieldOf(rule, required))
    const xmlColumn = compile(fieldOf(rule, required), xmlTerminators)
    describe(JSON.stringify(rule), () => {
      it.for(cases)('$cell: $why', ({ cell, fault, sure }) => {
        expect(column.check(cell)?.code ?? null).toBe(fault)
        const isAccepted = acceptsInCsv(column, cell)
        if (sure) expect(isAccepted).toBe(true)
        if (fault !== null)
          expect([isAccepted, acceptsQuoted(column, cell), acceptsInXml(xmlColumn, cell)]).toEqual([
            false,
            false,
            false,
          ])
      })
    })
  }
})

describe('The fast path', () => {
  it('accepts no cell that the reference finds invalid', () => {
    fc.assert(
      fc.property(anyRule, fc.boolean(), anyCell, (rule, required, cell) => {
        const column = compile(fieldOf(rule, required))
        const xmlColumn = compile(fieldOf(rule, required), xmlTerminators)
        const isSure =
          acceptsInCsv(column, cell) || acceptsQuoted(column, cell) || acceptsInXml(xmlColumn, cell)
        if (isSure) expect({ cell, rule, fault: column.check(cell) }).toEqual({ cell, rule, fault: null })
      }),
      { numRuns: runs(1000) },
    )
  })

  it('is not sure of white space at either end, whatever it is', () => {
    const column = compile(fieldOf({ type: 'text', minLength: 3 }))
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const spaces = characters.filter((character) => character.trim() === '')
    expect(spaces.length).toBeGreaterThan(20)
    const accepted = spaces
      .flatMap((space) => [`ab${space}`, `${space}ab`])
      .filter((cell) => acceptsInCsv(column, cell) || acceptsQuoted(column, cell))
    expect(accepted).toEqual([])
  })

  it('is not sure of a character that NFC changes or composes', () => {
    const isKnown = (text: string) => {
      const bytes = platform.encodeUtf8(text)
      return mayCompose(bytes, 0, bytes.length)
    }
    const characters = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => character.isWellFormed(),
    )
    const changed = characters.filter((character) => character.normalize('NFC') !== character)
    const apart = characters.filter((character) => character.normalize('NFD') !== character)
    expect(changed.length).toBeGreaterThan(100)
    expect(apart.length).toBeGreaterThan(10_000)
    const forms = [...changed, ...apart.map((character) => character.normalize('NFD'))]
    expect(forms.filter((text) => composed(text) !== text && !isKnown(text))).toEqual([])
    expect(forms.filter((text) => composed(text) !== text.normalize('NFC'))).toEqual([])
  })

  it('reads escaped quotes in a quoted text', () => {
    const column = compile(fieldOf({ type: 'text', minLength: 3, maxLength: 5 }))
    expect(['"a"', 'a "" b', '"""', '"é" 美', 'ab""c'].map((cell) => acceptsQuoted(column, cell))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
    expect(
      ['"a', '""', ' "a"', '"a" ', '"ab"cd', '\u00a0"a'].some((cell) => acceptsQuoted(column, cell)),
    ).toBe(false)
  })

  it.for([
    { what: 'long', options: Array.from({ length: 5000 }, (_, index) => `Option ${index}`) },
    {
      what: 'of many letters',
      options: Array.from(
        { length: 300 },
        (_, index) => `Option ${index}: 1000 ${String.fromCharCode(0x4e00 + index)}`,
      ),
    },
  ])('accepts the options of a list that is $what', ({ options }) => {
    const column = compile(fieldOf({ type: 'list', options }))
    expect(options.every((option) => acceptsInCsv(column, option))).toBe(true)
    expect(
      ['Option', 'Option 5000', 'option 1', 'Option 1 ', ''].some((cell) => acceptsInCsv(column, cell)),
    ).toBe(false)
  })

  it('continues after a byte in a workbook that only looks like an escape', () => {
    const pattern = compile(fieldOf({ type: 'pattern', pattern: '_?[a-z]+_[a-z0-9]*' }), xmlTerminators)
    expect(['a_b', '_a_', 'a_y0'].every((cell) => acceptsInXml(pattern, cell))).toBe(true)
    expect(['_x0041_', 'a_x', 'a_b_', '__a'].some((cell) => acceptsInXml(pattern, cell))).toBe(false)
    const list = compile(fieldOf({ type: 'list', options: ['in_use', '１'] }), xmlTerminators)
    expect(['in_use', '１'].every((cell) => acceptsInXml(list, cell))).toBe(true)
  })
})

describe('A fault', () => {
  const faultOf = (rule: Rule, cell: string, description = '') =>
    compile({ ...fieldOf(rule), description }).check(cell)

  it.for([
    {
      rule: { type: 'text', minLength: 2, maxLength: 5 },
      cell: 'x',
      expected: 'a text of 2 to 5 characters',
    },
    {
      rule: { type: 'number', scale: 2, minimum: 0, maximum: 100000 },
      cell: 'x',
      expected: 'a number from 0 to 100000 with at most 2 decimals, like 12.5',
    },
    {
      rule: { type: 'number', scale: 0, minimum: 90 },
      cell: 'x',
      expected: 'a whole number of at least 90, like 91',
    },
    {
      rule: { type: 'number', minimum: 0.25, maximum: 0.3 },
      cell: 'x',
      expected: 'a number from 0.25 to 0.3, like 0.25',
    },
    {
      rule: { type: 'date', format: 'dd/MM/yyyy' },
      cell: 'x',
      expected: 'a date like 31/12/2024 (dd/MM/yyyy)',
    },
    { rule: { type: 'list', options: ['a', 'b'] }, cell: 'x', expected: 'one of a, b' },
  ] as { rule: Rule; cell: string; expected: string }[])(
    'says what would be right: $expected',
    ({ rule, cell, expected }) => {
      expect(faultOf(rule, cell)?.expected).toBe(expected)
    },
  )

  it('counts half an emoji, which only an escape in a workbook can make, as one character', () => {
    expect(
      ['a\ud83d', 'ab\ud83d'].map((cell) => faultOf({ type: 'text', maxLength: 2 }, cell)?.code),
    ).toEqual([undefined, 'textTooLong'])
  })

  it('shows the description of a field instead of its regular expression', () => {
    const fault = faultOf({ type: 'pattern', pattern: 'P[0-9]+' }, 'x', 'A policy number')
    expect(fault?.expected).toBe('A policy number')
  })

  it('of a list names the nearest option and at most ten', () => {
    const options = Array.from({ length: 12 }, (_, index) => `Status ${index}`)
    const fault = faultOf({ type: 'list', options }, 'status 3')
    expect(fault?.error).toContain('did you mean "Status 3"?')
    expect(fault?.expected).toMatch(/Status 9 and 2 more$/)
  })
})

describe('A true date cell of a workbook', () => {
  it('is a date however it is displayed', () => {
    expect(compile(fieldOf({ type: 'date', format: 'dd/MM/yyyy' })).checkDay(2024, 2, 29)).toBeNull()
  })

  it('is checked as yyyy-MM-dd by the other rules', () => {
    expect(compile(fieldOf({ type: 'text', maxLength: 10 })).checkDay(2024, 2, 9)).toBeNull()
    expect(compile(fieldOf({ type: 'number' })).checkDay(2024, 2, 9)?.code).toBe('notANumber')
  })
})
