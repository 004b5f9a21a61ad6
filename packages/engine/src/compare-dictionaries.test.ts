import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ComparedDictionary, compareDictionaries } from '#compare-dictionaries.ts'
import { portalGuards } from '#limits.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../test/build-workbook.ts'
import { bytesSource, testPlatform } from '../test/test-platform.ts'
import { field } from '../test/verdict-of-rows.ts'
import { runs } from '../test/runs.ts'

const platform = testPlatform()

const dictionary = (fields: Field[], rules: RowRule[] = []): ComparedDictionary => ({
  fields,
  ruleBook: { ...emptyRuleBook, rules, day: '2026-11-26' },
})

const id = field('Id', { type: 'text' })
const amount = (maximum: number) => field('Amount', { type: 'number', maximum })
const note = (required: boolean) => field('Note', { type: 'text' }, required)
const filled = (name: string): RowRule => ({
  name,
  severity: 'error',
  then: [{ column: 'Note', is: 'filled' }],
})

const compare = (text: string, before: ComparedDictionary, after: ComparedDictionary) =>
  compareDictionaries(
    { source: bytesSource(platform.encodeUtf8(text)), fileName: 'data.csv', platform, limits: portalGuards },
    before,
    after,
  )

const sheetRows = (rows: readonly string[][]): string =>
  rows
    .map((row) => row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join(''))
    .map((cells) => `<row>${cells}</row>`)
    .join('')

const HEADING = 'Id,Amount,Note\n'

describe('A file compared with two dictionaries', () => {
  it.for([
    {
      what: 'is accepted where nothing is demanded more',
      before: dictionary([id, amount(9), note(false)]),
      after: dictionary([id, amount(99), note(false)]),
      expected: { acceptedAfter: true, newErrors: 0, gone: 1, causes: [] },
    },
    {
      what: 'has only new errors where it had none',
      before: dictionary([id, amount(99), note(false)]),
      after: dictionary([id, amount(3), note(true)]),
      expected: { acceptedAfter: false, newErrors: 4, gone: 0 },
    },
    {
      what: 'has errors that stay, in other words too, and others that go and come',
      before: dictionary([id, amount(9), note(false)], [filled('Old')]),
      after: dictionary([id, amount(3), note(false)], [filled('New')]),
      expected: { acceptedAfter: false, newErrors: 3, gone: 2 },
    },
    {
      what: 'does not count a rule that was moved in the list',
      before: dictionary([id, amount(99), note(false)], [filled('One'), filled('Two')]),
      after: dictionary([id, amount(99), note(false)], [filled('Two'), filled('One')]),
      expected: { acceptedAfter: false, newErrors: 0, gone: 0 },
    },
    {
      what: 'has no errors of cells where its columns do not fit',
      before: dictionary([id, amount(9), note(false)]),
      after: dictionary([id, amount(9)]),
      expected: { acceptedAfter: false, newErrors: 0, gone: 0, causes: [{ kind: 'file' }] },
    },
    {
      what: 'has only new errors where its columns did not fit',
      before: dictionary([id, amount(9)]),
      after: dictionary([id, amount(9), note(false)]),
      expected: { acceptedAfter: false, newErrors: 1, gone: 0 },
    },
  ])('$what', async ({ before, after, expected }) => {
    expect(await compare(`${HEADING}a,1,\nb,5,x\nc,50,\n`, before, after)).toMatchObject(expected)
  })

  it('has the causes of all its errors, without values of cells', async () => {
    const { causes } = await compare(
      `${HEADING}a,1,secret\nb,secret,\n`,
      dictionary([id, amount(9), note(false)]),
      dictionary([id, amount(9), note(false)], [filled('Noted')]),
    )
    expect(causes).toMatchObject([
      { label: 'Amount', cells: 1 },
      { rule: 'Noted', label: 'Note', cells: 1 },
    ])
    expect(JSON.stringify(causes)).not.toContain('secret')
  })

  it('has the causes of its warnings, also where it is accepted', async () => {
    const warns = (severity: RowRule['severity'], from?: string): RowRule => ({
      ...filled('Noted'),
      severity,
      ...(from !== undefined && { from }),
    })
    const plain = dictionary([id, amount(9), note(false)])
    for (const rule of [warns('warning'), warns('error', '2026-11-27')]) {
      const after = dictionary(plain.fields as Field[], [rule])
      const noted = { rule: 'Noted', severity: 'warning', cells: 2 }
      const accepted = await compare(`${HEADING}a,1,\nb,2,\n`, plain, after)
      expect(accepted).toMatchObject({ acceptedAfter: true, newErrors: 0, causes: [noted] })
      const { causes } = await compare(`${HEADING}a,x,\nb,2,\n`, plain, after)
      expect(causes).toMatchObject([{ label: 'Amount', severity: 'error' }, noted])
    }
  })

  it('has the difference of the two lists of errors, whatever its rows are', async () => {
    const cell = fc.constantFrom('', '1', '5', '50', 'x')
    const rules = fc.subarray([filled('One'), filled('Two')])
    const book = fc
      .tuple(fc.constantFrom(3, 9, 99), fc.boolean(), rules)
      .map(([maximum, required, list]) => dictionary([id, amount(maximum), note(required)], list))
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(book, book, rows, fc.boolean(), async (before, after, cells, isWorkbook) => {
        const table = cells.map(([one, other]) => ['a', one, other])
        const bytes = isWorkbook
          ? buildWorkbook({ rows: sheetRows([['Id', 'Amount', 'Note'], ...table]) })
          : platform.encodeUtf8(HEADING + table.map((row) => `${row.join(',')}\n`).join(''))
        const fileName = `data.${isWorkbook ? 'xlsx' : 'csv'}`
        const file = { source: bytesSource(bytes), fileName, platform, limits: portalGuards }
        const errorsWith = async (given: ComparedDictionary): Promise<string[]> => {
          const verdict = await validateTable({ ...file, ...given })
          if (verdict.kind !== 'rowErrors') return []
          return verdict.rows.flatMap(({ rowNumber, columnValidationErrors }) =>
            columnValidationErrors.map(
              ({ columnPosition, rule }) => `${rowNumber} ${columnPosition} ${rule}`,
            ),
          )
        }
        const [earlier, later] = [await errorsWith(before), await errorsWith(after)]
        expect(await compareDictionaries(file, before, after)).toMatchObject({
          acceptedAfter: later.length === 0,
          newErrors: later.filter((error) => !earlier.includes(error)).length,
          gone: earlier.filter((error) => !later.includes(error)).length,
        })
      }),
      { numRuns: runs(10) },
    )
  })
})
