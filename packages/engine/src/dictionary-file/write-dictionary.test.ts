import type { Field } from '@veridict/contract/model/field'
import { everyRowRule } from '@veridict/contract/test/every-row-rule'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { type Rule, ruleTypeNames } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDictionary } from '#dictionary-file/read-dictionary.ts'
import { writeDictionary } from '#dictionary-file/write-dictionary.ts'
import { portalGuards } from '#limits.ts'
import { randomDictionary } from '../../test/random-dictionary.ts'
import { FIELDS as RULE_FIELDS, randomRuleBook } from '../../test/random-rule-book.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
const write = (fields: readonly Field[], ruleBook: RuleBook = emptyRuleBook) =>
  joined(writeDictionary({ name: 'Claims', fields, ...ruleBook }, platform))
const dictionary = (fields: readonly Field[], ruleBook: RuleBook = emptyRuleBook) => ({
  kind: 'dictionary',
  fields,
  ruleBook,
})
const read = (bytes: Uint8Array) =>
  readDictionary({ source: bytesSource(bytes), fileName: 'claims.xlsx', platform, limits: portalGuards })

const field = (name: string, rule: Rule): Field => ({
  name,
  description: 'What it "is" <b>\nin two lines',
  category: 'Person',
  required: false,
  rule,
})
const FIELDS = [
  field('Text', { type: 'text', minLength: 1, maxLength: 40 }),
  field('Number', { type: 'number', scale: 0, minimum: -0.000001, maximum: 1e21 }),
  field('Date', { type: 'date', format: 'd.M.yy' }),
  field('Pattern', { type: 'pattern', pattern: '=[A-Z]{2}_x0041_' }),
  field('List', { type: 'list', options: ['Open', '007', '=1+1', 'TRUE'] }),
]

describe('A dictionary as a workbook', () => {
  it('reads back unchanged', async () => {
    expect(await read(await write(FIELDS))).toEqual(dictionary(FIELDS))
  })

  it('reads back unchanged without fields', async () => {
    expect(await read(await write([]))).toEqual(dictionary([]))
  })

  it('keeps a list that is longer than a cell', async () => {
    const fields = [
      field('Long', {
        type: 'list',
        options: Array.from({ length: 5000 }, (_, index) => `Option number ${index}`),
      }),
    ]
    expect(await read(await write(fields))).toEqual(dictionary(fields))
  })

  it('offers the types, and Yes or No, as drop-downs', async () => {
    const sheet = readZip(await write(FIELDS)).get('xl/worksheets/sheet1.xml')!
    expect(sheet).toContain(`<formula1>"${Object.values(ruleTypeNames).join(',')}"</formula1>`)
    expect(sheet).toContain('<formula1>"Yes,No"</formula1>')
  })

  it('is the same, byte for byte, each time it is written', async () => {
    expect(await write(FIELDS)).toEqual(await write(FIELDS))
  })

  it('reads back unchanged, whatever the form allows', async () => {
    await fc.assert(
      fc.asyncProperty(randomDictionary, async ({ fields }) => {
        expect(await read(await write(fields))).toEqual(dictionary(fields))
      }),
      { numRuns: runs(5) },
    )
  })

  it('reads back unchanged with its rules', async () => {
    await fc.assert(
      fc.asyncProperty(randomRuleBook, async (ruleBook) => {
        expect(await read(await write(RULE_FIELDS, ruleBook))).toEqual(dictionary(RULE_FIELDS, ruleBook))
      }),
      { numRuns: runs(5) },
    )
  })

  it('keeps every part of a rule, and sentences and lists that are longer than a cell', async () => {
    const items = { type: 'list', options: ['A', 'B'], separator: '\t', minValues: 0, maxValues: 3 } as const
    const fields = [
      field('Text', { type: 'text' }),
      field('Number', { type: 'number' }),
      field('Second number', { type: 'number' }),
      field('Third number', { type: 'number' }),
      field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
      field('Second date', { type: 'date', format: 'yyyy-MM-dd' }),
      field('Item', { type: 'list', options: ['Open', 'a "quoted" one'] }),
      field('Items', items),
      field('Pattern', { type: 'pattern', pattern: '.*', checkDigit: 'npi' }),
      field('Book', { type: 'text', checkDigit: 'isbn13' }),
    ]
    const values = Array.from({ length: 9000 }, (_, index) => `value 😀 ${index}`)
    const list = {
      name: 'States "and" codes',
      columns: ['State', ' Code '],
      rows: [
        ['', '1'],
        ['x', ''],
      ],
    }
    const ruleBook: RuleBook = {
      rules: [
        ...everyRowRule.map((rule) => ({ ...rule, then: rule.then.filter(({ is }) => is !== 'unique') })),
        { name: 'Long', severity: 'error', then: [{ column: 'Text', is: 'oneOf', values }] },
      ],
      exempt: { description: 'None was held', when: { any: [{ column: 'Text', is: 'blank' }] } },
      blankTexts: ['N/A', '#N/A', '007', 'TRUE'],
      lists: [list, { name: 'Wide', columns: Array.from('abcdefg'), rows: [Array.from('1      ')] }],
    }
    const written = await write(fields, ruleBook)
    const trimmed = ruleBook.lists[1].rows.map((row) => row.map((value) => value.trim()))
    const lists = [list, { ...ruleBook.lists[1], rows: trimmed }]
    expect(await read(written)).toEqual(dictionary(fields, { ...ruleBook, lists }))
  })

  it('keeps every number', async () => {
    const bound = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
    await fc.assert(
      fc.asyncProperty(bound, async (maximum) => {
        const fields = [field('Number', { type: 'number', maximum })]
        expect(await read(await write(fields))).toEqual(dictionary(fields))
      }),
      { numRuns: runs(5) },
    )
  })
})
