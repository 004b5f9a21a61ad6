import type { Field } from '@veridict/contract/model/field'
import { type Rule, ruleTypeNames } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDictionary } from '#dictionary-file/read-dictionary.ts'
import { writeDictionary } from '#dictionary-file/write-dictionary.ts'
import { portalGuards } from '#limits.ts'
import { randomDictionary } from '../../test/random-dictionary.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
const write = (fields: readonly Field[]) => joined(writeDictionary({ name: 'Claims', fields }, platform))
const read = (bytes: Uint8Array) =>
  readDictionary({
    source: bytesSource(bytes),
    fileName: 'claims.xlsx',
    platform,
    limits: portalGuards,
  })

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
    expect(await read(await write(FIELDS))).toEqual({ kind: 'fields', fields: FIELDS })
  })

  it('reads back unchanged without fields', async () => {
    expect(await read(await write([]))).toEqual({ kind: 'fields', fields: [] })
  })

  it('keeps a list that is longer than a cell', async () => {
    const fields = [
      field('Long', {
        type: 'list',
        options: Array.from({ length: 5000 }, (_, index) => `Option number ${index}`),
      }),
    ]
    expect(await read(await write(fields))).toEqual({ kind: 'fields', fields })
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
        expect(await read(await write(fields))).toEqual({ kind: 'fields', fields })
      }),
      { numRuns: runs(20) },
    )
  })

  it('keeps every number', async () => {
    const bound = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
    await fc.assert(
      fc.asyncProperty(bound, async (maximum) => {
        const fields = [field('Number', { type: 'number', maximum })]
        expect(await read(await write(fields))).toEqual({ kind: 'fields', fields })
      }),
      { numRuns: runs(20) },
    )
  })
})
