import { livingTexts, templateTexts } from '@veridict/contract/messages/template-file'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { checkTemplate } from '#dictionary-file/check-template.ts'
import { writeTemplate } from '#dictionary-file/write-template.ts'
import { portalGuards } from '#limits.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { readTable } from '#source/open-table.ts'
import { validateTable } from '#validate-table.ts'
import { comparedFields } from '../../test/compared-cells.ts'
import { columnFormats, fillIn } from '../../test/fill-in.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const field = (name: string, rule: Rule = { type: 'text' }, more: Partial<Field> = {}): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule,
  ...more,
})
const write = (fields: readonly Field[], rules: Partial<RuleBook> = {}) =>
  joined(writeTemplate({ name: 'Claims', fields, ...rules }, platform))
const request = (bytes: Uint8Array, fields: readonly Field[]) => ({
  source: bytesSource(bytes),
  fileName: 'filled.xlsx',
  fields,
  platform,
  limits: portalGuards,
})
const listOf = (count: number): Rule => ({
  type: 'list',
  options: Array.from({ length: count }, (_, index) => `Option ${index}`),
})

async function partsOf(fields: readonly Field[], rules?: Partial<RuleBook>) {
  const parts = readZip(await write(fields, rules))
  const sheet = parts.get('xl/worksheets/sheet1.xml')!
  return {
    sheet,
    book: parts.get('xl/workbook.xml')!,
    notes: parts.get('xl/comments1.xml')!,
    guide: parts.get('xl/worksheets/sheet2.xml')!,
    lists: parts.get('xl/worksheets/sheet3.xml'),
    formats: columnFormats(sheet, parts.get('xl/styles.xml')!).map(({ code }) => code),
    styles: parts.get('xl/styles.xml')!,
  }
}

describe('The headings of a template', () => {
  const names = [
    '=1+1',
    '+49',
    '-',
    '@here',
    'Prix é',
    'カナ',
    '👍',
    'a_x0041_b',
    '<b>&"',
    "O'Neil",
    '007',
    'TRUE',
    'x\u0001y',
    '\uFFFEz',
    'a  b',
  ]

  it('are exactly the names of the fields', async () => {
    const fields = names.map((name) => field(name))
    const table = await readTable(request(await write(fields), fields))
    expect(table).toMatchObject({ kind: 'table', header: names })
  })

  it('fit the dictionary; a template without rows is a file without rows', async () => {
    const fields = names.map((name) => field(name))
    expect(await validateTable(request(await write(fields), fields))).toMatchObject({
      kind: 'fileProblem',
      problem: { errorType: 4 },
    })
  })

  it('are dark red if a value is required', async () => {
    const { sheet, styles } = await partsOf([field('Must', undefined, { required: true }), field('May')])
    const [must, may] = [...sheet.matchAll(/<c r="[AB]1" s="(\d+)"/g)].map(([, style]) => Number(style))
    const formats = [...styles.split('<cellXfs')[1].matchAll(/fillId="(\d+)"/g)].map(([, fill]) =>
      Number(fill),
    )
    const fills = [...styles.matchAll(/<fill>.*?<\/fill>/g)].map(([fill]) => fill)
    expect(fills[formats[must]]).toContain('FF8F1D22')
    expect(fills[formats[may]]).not.toContain('FF8F1D22')
  })

  it('have a note: required or not, the description, what is expected, the category', async () => {
    const { notes } = await partsOf([
      field(
        'Born',
        { type: 'date', format: 'dd/MM/yyyy' },
        { description: 'Day of <birth>', category: 'Person', required: true },
      ),
      field('Code', { type: 'pattern', pattern: '[A-Z]' }, { description: 'A letter' }),
    ])
    expect(notes).toContain(
      'Required\nDay of &lt;birth&gt;\nExpected: a date like 31/12/2024 (dd/MM/yyyy)\nCategory: Person',
    )
    expect(notes).toContain('>May be empty\nExpected: A letter<')
  })

  it('stay within the limits of Excel: notes of 32,767 characters, prompts of 225', async () => {
    const description = '👍é '.repeat(7500)
    const fields = [
      field('Text', undefined, { description: description + description }),
      field('Code', { type: 'pattern', pattern: 'x' }, { description }),
    ]
    const { notes, sheet } = await partsOf(fields)
    const texts = [...notes.matchAll(/<t xml:space="preserve">(.*?)<\/t>/gs)].map(([, text]) => text)
    expect(texts.map((text) => text.length <= 32_767 && text.isWellFormed())).toEqual([true, true])
    const prompt = / prompt="([^"]*)"/.exec(sheet)![1]
    expect([prompt.length <= 225, prompt.isWellFormed(), prompt.endsWith('…')]).toEqual([true, true, true])
  })
})

describe('The cells of a template', () => {
  it.for<{ rule: Rule; format: string; why: string }>([
    { rule: { type: 'text' }, format: '@', why: 'leading zeros stay' },
    { rule: { type: 'pattern', pattern: '[0-9]{5}' }, format: '@', why: 'leading zeros stay' },
    {
      rule: { type: 'list', options: ['007', 'TRUE'] },
      format: '@',
      why: 'a value stays as the list spells it',
    },
    { rule: { type: 'number' }, format: 'General', why: 'a number is a number, and can be added up' },
    {
      rule: { type: 'number', scale: 2, minimum: 0, maximum: 999_999 },
      format: 'General',
      why: 'no format that rounds what it shows',
    },
    { rule: { type: 'number', maximum: 1e15 }, format: '@', why: 'a spreadsheet keeps 15 digits' },
    { rule: { type: 'number', minimum: -1e18 }, format: '@', why: 'a spreadsheet keeps 15 digits' },
    { rule: { type: 'number', scale: 16 }, format: '@', why: 'a spreadsheet keeps 15 digits' },
    {
      rule: { type: 'date', format: 'yyyy-MM-dd' },
      format: 'yyyy\\-mm\\-dd',
      why: 'every country reads it as the same day',
    },
    {
      rule: { type: 'date', format: 'yyyy/M/d' },
      format: 'yyyy\\/m\\/d',
      why: 'a bare slash would become a country’s own separator',
    },
    {
      rule: { type: 'date', format: 'dd/MM/yyyy' },
      format: '@',
      why: 'America would take it for MM/dd/yyyy',
    },
    { rule: { type: 'date', format: 'MM/dd/yyyy' }, format: '@', why: 'Europe would take it for dd/MM/yyyy' },
    { rule: { type: 'date', format: 'yyyy-dd-MM' }, format: '@', why: 'it would be taken for yyyy-MM-dd' },
    { rule: { type: 'date', format: 'yy-MM-dd' }, format: '@', why: 'the century would be guessed' },
    { rule: { type: 'date', format: 'yyyy-MM' }, format: '@', why: 'it is no day' },
    { rule: { type: 'date', format: 'yyyy' }, format: '@', why: '2024 would be a day of 1905' },
  ])('are $format for $rule: $why', async ({ rule, format }) => {
    expect((await partsOf([field('A', rule)])).formats).toEqual([format])
  })

  it('have formats although they do not exist yet', async () => {
    const { sheet } = await partsOf([field('A'), field('B')])
    expect([...sheet.matchAll(/<c /g)]).toHaveLength(2)
  })

  it('offer lists from a hidden sheet, whatever and however many their values are', async () => {
    const odd: Rule = { type: 'list', options: [' a, b ', '"', '=1+1', 'a, b', ''] }
    const { sheet, lists, book } = await partsOf([
      field('Odd', odd),
      field('Text'),
      field('Long', listOf(10_000)),
      field('Again', odd),
    ])
    const ranges = [...sheet.matchAll(/sqref="(\w+):\w+"><formula1>(.*?)<\/formula1>/g)].map(
      ([, from, range]) => [from, range],
    )
    expect(ranges).toEqual([
      ['A2', "'Lists'!$A$2:$A$4"],
      ['C2', "'Lists'!$B$2:$B$10001"],
      ['D2', "'Lists'!$A$2:$A$4"],
    ])
    const cellsOf = (column: string) =>
      [...lists!.matchAll(new RegExp(`<c r="${column}\\d+"[^>]*><is><t>(.*?)</t>`, 'g'))].map(
        ([, text]) => text,
      )
    expect(cellsOf('A')).toEqual(['Odd', 'a, b', '&quot;', '=1+1'])
    expect(cellsOf('B')).toHaveLength(10_001)
    expect(book).toContain('<sheet name="Lists" sheetId="3" state="hidden"')
  })

  it('have input rules of at most 255 characters, whatever the bounds', async () => {
    const far: Rule = {
      type: 'number',
      scale: Number.MAX_SAFE_INTEGER,
      minimum: -Number.MAX_VALUE,
      maximum: Number.MIN_VALUE,
    }
    const { sheet } = await partsOf(Array.from({ length: 200 }, (_, index) => field(`F${index}`, far)))
    const formulas = [...sheet.matchAll(/<formula1>(.*?)<\/formula1>/g)].map(([, formula]) => formula)
    expect(formulas.map((formula) => formula.length > 255)).toEqual(Array(200).fill(false))
    expect(formulas[0]).toContain('$A2&gt;=-1.7976931348623157E+308,$A2&lt;=5E-324')
  })

  it('take texts that count as blank, which no program knows', async () => {
    const fields = [
      field('List', listOf(3)),
      field('Number', { type: 'number', minimum: 5 }),
      field('Day', { type: 'date', format: 'dd/MM/yyyy' }),
      field('Text', { type: 'text', minLength: 5 }),
    ]
    const refusing = /showErrorMessage="1"/g
    expect((await partsOf(fields)).sheet.match(refusing)).toHaveLength(4)
    expect((await partsOf(fields, { blankTexts: ['n/a'] })).sheet.match(refusing)).toBeNull()
  })

  it('show a prompt with what is expected of a date or a pattern', async () => {
    const { sheet } = await partsOf([
      field('Day', { type: 'date', format: 'd.M.yy' }, { required: true }),
      field('Any'),
    ])
    expect(sheet).toContain(
      'promptTitle="Required" prompt="Expected: a date like 31.12.24 (d.M.yy)" sqref="A2:A1048576">',
    )
    expect(sheet).toContain('<dataValidations count="1">')
  })
})

describe('A template', () => {
  it('is the same, byte for byte, each time it is written', async () => {
    const fields = [field('List', listOf(3)), field('Day', { type: 'date', format: 'yyyy-MM-dd' })]
    expect(await write(fields)).toEqual(await write(fields))
  })

  it('describes each column on its second sheet', async () => {
    const { guide, book } = await partsOf([
      field(
        'Sum',
        { type: 'number', scale: 2 },
        { description: 'In dollars', category: 'Money', required: true },
      ),
    ])
    for (const text of [
      'Claims',
      '>A<',
      'Sum',
      'Required',
      'Number',
      'a number with at most 2 decimals, like 12.5',
      'In dollars',
      'Money',
    ]) {
      expect(guide).toContain(text)
    }
    expect([...book.matchAll(/<sheet name="(\w+)"/g)].map(([, name]) => name)).toEqual(['Data', 'Guide'])
  })

  it('calls a list checked after the upload only if no formula marks its values', async () => {
    const { guide } = await partsOf([field('Marked', listOf(400)), field('Unmarked', listOf(800))])
    const unknown = guide.slice(guide.indexOf(livingTexts.unknownHeadings[2]))
    expect([unknown.includes('>Marked<'), unknown.includes('>Unmarked<')]).toEqual([false, true])
  })

  it('lists the rules between cells below its columns', async () => {
    const rules: RuleBook = {
      rules: [
        {
          name: 'Closed needs a sum',
          description: 'For the books',
          severity: 'warning',
          from: '2027-01-31',
          when: { all: [{ column: 'Status', is: 'oneOf', values: ['Closed'] }] },
          then: [{ column: 'Sum', is: 'filled' }],
        },
      ],
      exempt: { when: { any: [{ column: 'Sum', is: 'blank' }] }, description: 'None was held' },
      blankTexts: ['N/A', '-'],
      lists: [],
    }
    const fields = [field('Status'), field('Sum')]
    const written = await joined(writeTemplate({ name: 'Claims', fields, ...rules }, platform))
    const guide = readZip(written).get('xl/worksheets/sheet2.xml')!.replaceAll('&quot;', '"')
    for (const text of [
      'Closed needs a sum',
      'warning',
      '2027-01-31',
      'If "Status" is one of "Closed", then "Sum" is filled.',
      'For the books',
      'either "Sum" is blank',
      'None was held',
      'N/A\n-',
    ])
      expect(guide).toContain(text)
    expect(readZip(await write(fields)).get('xl/worksheets/sheet2.xml')).not.toContain('What must hold')
  })

  it('has at most as many columns as a worksheet', async () => {
    const fields = Array.from({ length: 16_384 }, (_, index) => field(`Field ${index}`))
    expect(await validateTable(request(await write(fields), fields))).toMatchObject({
      problem: { errorType: 4 },
    })
    expect(checkTemplate([...fields, field('One more')])).toBe(templateTexts.tooManyFields(16_384))
  })

  it('is refused for a dictionary without fields', async () => {
    expect(checkTemplate([])).toBe(templateTexts.noFields)
    await expect(write([])).rejects.toThrow(RangeError)
  })

  it('keeps the marks of wrong values when it is highlighted, and calls nothing left out', async () => {
    const fields = comparedFields()
    const filled = fillIn(await write(fields), [fields.map(() => 'x')])
    const after = readZip(await joined(writeHighlightedFile(request(filled, fields))))
    const marksIn = (sheet: string) => sheet.match(/<conditionalFormatting .*?<\/conditionalFormatting>/gs)
    const marks = marksIn(readZip(filled).get('xl/worksheets/sheet1.xml')!)
    expect(marks).toHaveLength(fields.length)
    expect(marksIn(after.get('xl/worksheets/sheet1.xml')!)!.slice(0, fields.length)).toEqual(marks)
    expect(after.get('xl/styles.xml')).toContain('<dxfs count="3">')
    expect([...after.values()].join('')).not.toContain('Left out')
  })

  it('keeps its own notes, prompts and lists when its bad cells are highlighted', async () => {
    const fields = [
      field('Status', { type: 'list', options: ['Open', 'Closed'] }),
      field('Day', { type: 'date', format: 'dd/MM/yyyy' }),
    ]
    const filled = fillIn(await write(fields), [
      ['Open', '31/12/2024'],
      ['open', '2024'],
    ])
    const highlighted = await joined(writeHighlightedFile(request(filled, fields)))
    const [before, after] = [readZip(filled), readZip(highlighted)]
    expect(after.get('xl/worksheets/sheet3.xml')).toBe(before.get('xl/worksheets/sheet3.xml'))
    expect(after.get('xl/worksheets/sheet1.xml')).toContain(
      "<formula1>'About this file'!$E$2:$E$3</formula1>",
    )
    const promptsIn = (parts: Map<string, string>) =>
      parts
        .get('xl/worksheets/sheet1.xml')!
        .match(/ showInputMessage="1" promptTitle="[^"]+" prompt="[^"]+"/g)
    expect(promptsIn(before)).toHaveLength(1)
    expect(promptsIn(after)).toEqual(promptsIn(before))
    expect([...after.get('xl/comments1.xml')!.matchAll(/ref="(\w+)"/g)].map(([, cell]) => cell)).toEqual([
      'A1',
      'B1',
      'A3',
      'B3',
    ])
    const again = await joined(writeHighlightedFile(request(highlighted, fields)))
    expect(
      [
        ...readZip(again)
          .get('xl/comments1.xml')!
          .matchAll(/ref="(\w+)"/g),
      ].map(([, cell]) => cell),
    ).toEqual(['A1', 'B1', 'A3', 'B3'])
  })
})
