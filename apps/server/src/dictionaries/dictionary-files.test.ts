import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { columnsOf, dictionarySheets, type FieldColumn } from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { ruleTypeNames } from '@veridict/contract/model/rule'
import { runs } from '@veridict/engine/test/runs'
import { strToU8, zipSync } from 'fflate'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary, type BuiltField } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { type FormPart, uploadForm } from '#test/upload-form.ts'

let test: TestApp
beforeAll(async () => {
  // Imports count as uploads, and these tests make many.
  test = await createTestApp({ uploadsPerMinute: 100_000 })
})
afterAll(() => test.close())

const headingsOf = ({ columns }: { columns: Readonly<Record<string, { heading: string }>> }) =>
  Object.values(columns).map(({ heading }) => heading)
const headings = headingsOf(dictionarySheets.fields)
/** A row with these cells below their headings. */
const row = (cells: Partial<Record<FieldColumn, string>>): string[] =>
  columnsOf(dictionarySheets.fields).map((column) => cells[column] ?? '')
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The smallest workbook with these rows in its only sheet. */
function workbookOf(rows: readonly (readonly string[])[], sheet = 'Fields'): Uint8Array {
  const cells = (row: readonly string[]) =>
    row.map((text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`).join('')
  const formats = 'http://schemas.openxmlformats.org'
  const main = `${formats}/spreadsheetml/2006/main`
  const office = `${formats}/officeDocument/2006/relationships`
  const relations = (type: string, target: string) =>
    `<Relationships xmlns="${formats}/package/2006/relationships">` +
    `<Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`
  const parts = {
    '[Content_Types].xml':
      `<Types xmlns="${formats}/package/2006/content-types">` +
      '<Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${office}">` +
      `<sheets><sheet name="${sheet}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml':
      `<worksheet xmlns="${main}"><sheetData>` +
      `${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData></worksheet>`,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

type Parts = { name?: string; file?: Uint8Array; fileName?: string; filePart?: string; fileFirst?: boolean }

/** Imports as the page does: a form with a name and a file. */
async function importWorkbook({
  name,
  file,
  fileName = 'dictionary.xlsx',
  filePart = 'file',
  fileFirst = false,
}: Parts) {
  const nameParts: FormPart[] = name === undefined ? [] : [['name', name]]
  const fileParts: FormPart[] = file === undefined ? [] : [[filePart, file, fileName]]
  const { body, headers } = await uploadForm(
    ...(fileFirst ? [...fileParts, ...nameParts] : [...nameParts, ...fileParts]),
  )
  const reply = await test.call('POST', '/api/DataDictionary/Import', {
    as: test.administrator,
    body,
    headers,
  })
  return { status: reply.statusCode, body: reply.json() }
}

const exportWorkbook = (id: number) =>
  test.call('GET', `/api/DataDictionary/${id}/Export`, { as: test.administrator })
const uniqueName = () => `Imported ${crypto.randomUUID()}`
const goodRows = [
  headings,
  row({ name: 'Name', type: 'Text', canBeEmpty: 'No', minLength: '1', maxLength: '40' }),
]

async function countNamed(name: string): Promise<number> {
  return (await test.deps.db.selectFrom('dictionaries').select('id').where('name', '=', name).execute())
    .length
}

/** The fields of a dictionary without their ids. */
async function contentOf(dictionaryId: number) {
  const { db } = test.deps
  const fields = db.selectFrom('fields').where('dictionaryId', '=', dictionaryId).orderBy('position')
  return fields
    .select(['position', 'name', 'nameKey', 'description', 'category', 'required', 'ruleType', 'ruleConfig'])
    .execute()
}

describe('Importing a dictionary', () => {
  it.for([false, true])('creates a new one (the file before the name: %s)', async (fileFirst) => {
    const name = uniqueName()
    const { status, body } = await importWorkbook({
      name,
      file: workbookOf(goodRows),
      fileFirst,
      fileName: 'CLAIMS.XLSX',
    })
    expect([status, body]).toEqual([
      201,
      { value: { id: expect.any(Number) }, successMessage: dictionaryMessages.imported },
    ])
    const content = await contentOf(body.value.id)
    expect(content).toMatchObject([
      {
        position: 1,
        name: 'Name',
        required: true,
        ruleType: ruleNumbers.text,
        ruleConfig: { minLength: 1, maxLength: 40 },
      },
    ])
  })

  it('reports every problem with its cell, and creates nothing', async () => {
    const name = uniqueName()
    const file = workbookOf([
      headings,
      row({ name: 'Name', type: 'Txt', canBeEmpty: 'Perhaps' }),
      row({ type: 'Number', canBeEmpty: 'No', scale: 'two', minimum: '5', maximum: '1' }),
      row({ name: 'Day', type: 'Date', canBeEmpty: 'No', format: 'DD/MM/YYYY' }),
      row({ name: 'Code', type: 'Regular expression', canBeEmpty: 'Yes', pattern: '((' }),
      row({ name: 'name', type: 'Item from a list', canBeEmpty: 'Yes' }),
      row({ name: 'Other', type: 'Text', canBeEmpty: 'Yes', minLength: '9', maxLength: '3' }),
    ])
    const { status, body } = await importWorkbook({ name, file })
    expect(status).toBe(400)
    expect(body).toEqual(
      expect.arrayContaining([
        `Row 2, Type: ${dictionaryImportMessages.notOneOf('Txt', Object.values(ruleTypeNames))}`,
        `Row 2, Can be empty: ${dictionaryImportMessages.notOneOf('Perhaps', ['Yes', 'No'])}`,
        `Row 3, Scale: ${dictionaryImportMessages.notANumber('two')}`,
        `Row 4, Date format: ${fieldMessages.dateFormatInvalid}`,
        expect.stringMatching(/^Row 5, Regular expression: This regular expression cannot be used: /),
        `Row 6, Field name: ${dictionaryImportMessages.duplicateName('name', 2)}`,
        `Row 6, List values: ${fieldMessages.listRequired}`,
        `Row 7, Min length: ${fieldMessages.minLengthAboveMaximum}`,
      ]),
    )
    expect(await countNamed(name)).toBe(0)
  })

  it.for([
    { parts: { name: '' }, errors: { name: [dictionaryMessages.nameRequired] }, why: 'a name is needed' },
    { parts: {}, errors: { name: [dictionaryMessages.nameRequired] }, why: 'a missing name is an empty one' },
    {
      parts: { name: 'x'.repeat(151) },
      errors: { name: [dictionaryMessages.nameTooLong] },
      why: 'a name has a length',
    },
  ])('refuses the form if $why', async ({ parts, errors }) => {
    expect(await importWorkbook({ file: workbookOf(goodRows), ...parts })).toEqual({
      status: 400,
      body: { errors },
    })
  })

  it('needs a file', async () => {
    const { status, body } = await importWorkbook({ name: uniqueName() })
    expect([status, body]).toEqual([400, { errors: { file: [uploadMessages.fileRequired] } }])
  })

  it('needs a file with content', async () => {
    const { status, body } = await importWorkbook({ name: uniqueName(), file: new Uint8Array(0) })
    expect([status, body]).toEqual([400, { errors: { file: [uploadMessages.fileEmpty] } }])
  })

  it('takes the file only from the part of that name', async () => {
    const { status, body } = await importWorkbook({
      name: uniqueName(),
      file: workbookOf(goodRows),
      filePart: 'attachment',
    })
    expect([status, body]).toEqual([400, { message: uploadMessages.malformed }])
  })

  it.for(['fields.csv', 'fields.xls', 'fields.xlsx.exe', 'xlsx'])(
    'refuses a file named %s',
    async (fileName) => {
      const { status, body } = await importWorkbook({
        name: uniqueName(),
        file: workbookOf(goodRows),
        fileName,
      })
      expect([status, body]).toEqual([415, { message: dictionaryMessages.importWrongType }])
    },
  )

  it.for([
    { what: 'text', file: strToU8('Field name,Type\nName,Text\n') },
    { what: 'a cut workbook', file: workbookOf(goodRows).slice(0, 200) },
    { what: 'noise', file: Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251) },
    {
      what: 'other headings',
      file: workbookOf(
        [
          ['Name', 'Kind'],
          ['a', 'b'],
        ],
        'Sheet1',
      ),
    },
  ])('reports why $what is no dictionary', async ({ file }) => {
    const name = uniqueName()
    const { status, body } = await importWorkbook({ name, file: file })
    expect([status, body.every((problem: unknown) => typeof problem === 'string' && problem !== '')]).toEqual(
      [400, true],
    )
    expect(await countNamed(name)).toBe(0)
  })

  it('accepts 1 MiB and refuses one byte more', async () => {
    // A zip may carry a comment; here it only takes room.
    const small = workbookOf(goodRows)
    const sized = (bytes: number) => {
      const file = new Uint8Array(bytes)
      file.set(small, 0)
      new DataView(file.buffer).setUint16(small.length - 2, 0)
      return file
    }
    const tooLarge = await importWorkbook({
      name: uniqueName(),
      file: sized(dictionaryLimits.maxImportBytes + 1),
    })
    expect([tooLarge.status, tooLarge.body]).toEqual([413, { message: dictionaryMessages.importTooLarge }])
    expect(
      (await importWorkbook({ name: uniqueName(), file: sized(dictionaryLimits.maxImportBytes) })).status,
    ).not.toBe(413)
  })

  it('refuses a workbook that unpacks to too much', async () => {
    const file = workbookOf([
      headings,
      ['Name', 'x'.repeat(dictionaryLimits.maxUnpackedImportBytes), '', 'Text'],
    ])
    expect(file.length).toBeLessThan(dictionaryLimits.maxImportBytes)
    expect((await importWorkbook({ name: uniqueName(), file })).status).toBe(400)
  })

  it('reports the first thousand problems and the number of the others', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => row({ name: `Field ${index}`, type: 'Txt' }))
    const { body } = await importWorkbook({ name: uniqueName(), file: workbookOf([headings, ...rows]) })
    expect(body).toHaveLength(dictionaryLimits.maxImportProblems + 1)
    expect(body.at(-1)).toBe(dictionaryImportMessages.more(500))
  })

  it('refuses text that the database cannot store', async () => {
    const file = workbookOf([
      headings,
      row({ name: 'a_x0000_b', type: 'Text' }),
      row({ name: 'List', type: 'Item from a list', options: '_xD800_' }),
    ])
    const { status, body } = await importWorkbook({ name: uniqueName(), file })
    expect([status, body]).toEqual([
      400,
      [
        `Row 2, Field name: ${noticeMessages.invalidValue}`,
        `Row 3, List values: ${noticeMessages.invalidValue}`,
      ],
    ])
  })

  it('refuses a name that another dictionary has, also in parallel', async () => {
    for (let round = 0; round < 20; round++) {
      const name = uniqueName()
      const file = workbookOf(goodRows)
      const replies = await Promise.all([
        importWorkbook({ name, file }),
        importWorkbook({ name: name.toUpperCase(), file }),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
      expect(replies.find(({ status }) => status === 409)?.body).toEqual({
        message: dictionaryMessages.duplicateName,
      })
    }
  })
})

describe('Exporting a dictionary', () => {
  it('sends a workbook under the name of the dictionary', async () => {
    const { id } = await buildDictionary(test.deps.db, { name: 'Fälle "2026"; /a' })
    const { statusCode, headers, rawPayload } = await exportWorkbook(id)
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="F_lle _2026_; /a.xlsx"; filename*=UTF-8''F%C3%A4lle%20%222026%22%3B%20%2Fa.xlsx`,
    )
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(rawPayload.subarray(0, 2).toString()).toBe('PK')
  })

  it('returns 404 for a dictionary that does not exist', async () => {
    expect((await exportWorkbook(2_147_483_647)).statusCode).toBe(404)
  })

  it('exports a dictionary without fields', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields: [] })
    const exported = (await exportWorkbook(id)).rawPayload
    const imported = await importWorkbook({ name: uniqueName(), file: exported })
    expect(imported.status).toBe(201)
    expect((await exportWorkbook(imported.body.value.id)).rawPayload).toEqual(exported)
  })

  it('writes the same bytes for the same dictionary', async () => {
    const { id } = await buildDictionary(test.deps.db)
    expect((await exportWorkbook(id)).rawPayload).toEqual((await exportWorkbook(id)).rawPayload)
  })

  it('keeps a list that is longer than a cell', async () => {
    const optionSetValues = Array.from({ length: 5000 }, (_, index) => `Allowed value ${index}`)
    const { id } = await buildDictionary(test.deps.db, {
      fields: [{ itemName: 'Long', ruleType: ruleNumbers.list, ruleConfig: { optionSetValues } }],
    })
    const imported = await importWorkbook({ name: uniqueName(), file: (await exportWorkbook(id)).rawPayload })
    expect(await contentOf(imported.body.value.id)).toEqual(await contentOf(id))
  })

  it('imports as an equal dictionary with the same export', async () => {
    const grapheme = fc.string({ unit: 'grapheme', maxLength: 30 })
    const text = fc
      .oneof(grapheme, fc.constantFrom('two\nlines', 'of\r\nWindows', 'a\tb'))
      .map((value) => value.trim())
    const line = fc
      .constantFrom('a', '=1+1', '_x0041_', 'true', '007', '1E3', '<&>"', "'", ' ', 'ä\u0301', '👍', '-5.00')
      .chain((lead) => grapheme.map((rest) => (lead + rest).replaceAll(/[\r\n]/g, ' ').trim()))
    const maximum = fc.option(fc.integer({ min: 10, max: 500 }), { nil: undefined })
    const bound = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => (value === 0 ? 0 : value))
    const rule = fc.oneof(
      fc
        .record({ minLength: fc.integer({ min: 0, max: 10 }), maxLength: maximum })
        .map((config) => [ruleNumbers.text, config] as const),
      fc
        .record({ scale: fc.nat({ max: 30 }), min: bound })
        .map((config) => [ruleNumbers.number, config] as const),
      fc.record({ max: bound }).map((config) => [ruleNumbers.number, config] as const),
      fc
        .constantFrom('dd/MM/yyyy', 'd.M.yy', 'yyyy')
        .map((format) => [ruleNumbers.date, { format }] as const),
      fc
        .constantFrom('[A-Z]+ ', ' a', '\\d{3}\\n', '=x|_x000A_')
        .map((regularExpression) => [ruleNumbers.pattern, { regularExpression }] as const),
      fc
        .uniqueArray(line.filter(Boolean), { minLength: 1, maxLength: 20 })
        .map((optionSetValues) => [ruleNumbers.list, { optionSetValues }] as const),
    )
    const field = fc.record({ name: line, description: text, category: text, isRequired: fc.boolean(), rule })
    const dictionaries = fc.array(field, { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(dictionaries, async (drawn) => {
        const fields = drawn.map(({ name, rule: [ruleType, ruleConfig], ...rest }, index): BuiltField => {
          return { ...rest, itemName: `${index} ${name}`.trim(), ruleType, ruleConfig }
        })
        const { id } = await buildDictionary(test.deps.db, { fields })
        const exported = (await exportWorkbook(id)).rawPayload
        const imported = await importWorkbook({ name: uniqueName(), file: exported })
        expect(imported.status, JSON.stringify(imported.body)).toBe(201)
        expect(await contentOf(imported.body.value.id)).toEqual(await contentOf(id))
        expect((await exportWorkbook(imported.body.value.id)).rawPayload).toEqual(exported)
      }),
      { numRuns: runs(12) },
    )
  })
})
