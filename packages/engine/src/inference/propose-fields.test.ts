import type { Proposal } from '@veridict/contract/model/proposal'
import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proposeFields } from '#inference/propose-fields.ts'
import { fitsCheckDigit } from '#rules/check-digit.ts'
import { portalGuards } from '#limits.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
const requestFor = (bytes: Uint8Array, fileName: string) => ({
  source: bytesSource(bytes),
  fileName,
  platform,
  limits: portalGuards,
})

async function proposalFor(content: string | Uint8Array, fileName = 'sample.csv'): Promise<Proposal> {
  const bytes = typeof content === 'string' ? platform.encodeUtf8(content) : content
  const result = await proposeFields(requestFor(bytes, fileName))
  if (result.kind === 'fileProblem') throw new Error(result.problem.message)
  return result.proposal
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const csv = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [header, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')

/**
 * What is proposed for a column of these values; the second column keeps rows with a blank value from being
 * blank.
 */
async function fieldFor(values: readonly string[]) {
  const { fields } = await proposalFor(
    csv(
      ['Value', 'Row'],
      values.map((value) => [value, 'x']),
    ),
  )
  return fields[0]
}

const times = (count: number, ...values: string[]) => Array.from({ length: count }, () => values).flat()
const numbered = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index))
const text: Rule = { type: 'text' }
const number = (scale: number): Rule => ({ type: 'number', scale })
const date = (format: string): Rule => ({ type: 'date', format })

describe('A proposed rule', () => {
  it.for<{ values: string[]; rule: Rule; reason?: RegExp; why: string }>([
    { values: ['1', '22', '-3'], rule: number(0), reason: /whole numbers like 1\./, why: 'whole numbers' },
    {
      values: ['0', '0.5', '+12.25'],
      rule: number(2),
      reason: /at most 2 decimals/,
      why: 'the most decimals seen',
    },
    {
      values: ['12'],
      rule: number(0),
      reason: /^The only value, 12, is/,
      why: 'one row is a hint, and is called one',
    },
    {
      values: ['01234', '80331'],
      rule: text,
      reason: /leading zeros, like 01234/,
      why: 'postcodes are codes',
    },
    {
      values: ['0170123456', '0301234'],
      rule: text,
      reason: /leading zeros/,
      why: 'phone numbers within the country',
    },
    {
      values: ['+491701234567', '+4930123456'],
      rule: text,
      reason: /phone numbers/,
      why: 'phone numbers from abroad',
    },
    { values: ['+1', '-2'], rule: number(0), why: 'a sign alone makes no phone number' },
    {
      values: ['1234567890123456', '1'],
      rule: text,
      reason: /Up to 16 digits/,
      why: 'card numbers: no double holds them',
    },
    { values: ['123456789012345', '1'], rule: number(0), why: '15 digits are exact' },
    {
      values: ['12,5', '3'],
      rule: text,
      reason: /comma, like 12,5.*'\.' as the decimal separator/,
      why: 'a decimal comma is never dropped',
    },
    { values: ['1,234.50', '99'], rule: text, reason: /grouping or a currency/, why: 'grouping' },
    { values: ['€ 12.50', 'EUR 3'], rule: text, reason: /grouping or a currency/, why: 'currencies' },
    { values: ['19%', '7.5 %'], rule: text, reason: /percentages,.* like 19%/, why: 'percent signs' },
    { values: ['08:30', '17:45:10'], rule: text, reason: /^Times,.* like 08:30/, why: 'a time of day' },
    {
      values: ['2024-01-31 08:30', '2024-02-01'],
      rule: text,
      reason: /^Times,.* like 2024-01-31 08:30/,
      why: 'dates with times',
    },
    {
      values: ['CLM-20260001', 'ABC12'],
      rule: text,
      reason: /^Text of/,
      why: 'letters before digits are not a currency',
    },
    { values: ['0.778151250383644', '1.5'], rule: number(15), why: 'many decimals make no identifier' },
    { values: ['1e5', '2e5'], rule: text, why: 'an exponent is no number here' },
    { values: ['', ' '], rule: text, reason: /column is empty/, why: 'a blank column' },
    {
      values: [...times(9, '1', '2'), '-', 'n/a'],
      rule: text,
      reason: /18 values are numbers and 2 not, like '-' in row 20/,
      why: 'slips',
    },
  ])('is $rule.type for $why: $values', async ({ values, rule, reason = /./ }) => {
    const field = await fieldFor(values)
    expect(field.rule).toEqual(rule)
    expect(field.reason).toMatch(reason)
  })

  it.for<{ values: string[]; rule: Rule; reason?: RegExp; why: string }>([
    {
      values: ['31/12/2024', '01/02/2024'],
      rule: date('dd/MM/yyyy'),
      reason: /the day comes first/,
      why: 'a day above 12',
    },
    {
      values: ['12/31/2024', '01/02/2024'],
      rule: date('MM/dd/yyyy'),
      reason: /the month comes first/,
      why: 'a day above 12 after',
    },
    {
      values: ['1/2/2023', '3/4/2023'],
      rule: date('d/M/yyyy'),
      reason: /d\/M\/yyyy and M\/d\/yyyy both fit; choose one/,
      why: 'no evidence',
    },
    {
      values: ['1/2/2023', '3/14/2023'],
      rule: date('M/d/yyyy'),
      reason: /the month comes first/,
      why: 'without leading zeros',
    },
    { values: ['31.12.2024', '1.2.2024'], rule: date('d.M.yyyy'), why: 'one loose value makes all loose' },
    {
      values: ['2024-12-31'],
      rule: date('yyyy-MM-dd'),
      reason: /^The only value, 2024-12-31, is a date\.$/,
      why: 'nothing else is meant',
    },
    {
      values: ['31-12-24', '01-02-24'],
      rule: date('dd-MM-yy'),
      reason: /the day comes first/,
      why: 'years of two digits',
    },
    { values: ['2024-12', '2025-01'], rule: date('yyyy-MM'), why: 'months' },
    { values: ['29/02/2023'], rule: text, why: 'a day that does not exist' },
    {
      values: ['2024-12-31', '31/12/2024'],
      rule: text,
      reason: /no single format.*2024-12-31 and 31\/12\/2024/,
      why: 'two formats',
    },
    {
      values: ['01/02/2024', '31/12/2024', '12/31/2024'],
      rule: text,
      reason: /31\/12\/2024 and 12\/31\/2024/,
      why: 'two orders',
    },
    { values: ['1.2.10', '1.2.11'], rule: text, why: 'versions' },
    { values: ['12.2024', '1.2025'], rule: number(4), why: 'numbers first' },
    { values: ['2023', '2024'], rule: number(0), why: 'years are numbers' },
    {
      values: [...times(9, '31/12/2024'), 'open'],
      rule: text,
      reason: /9 values are dates and 1 not, like 'open' in row 11/,
      why: 'a slip',
    },
  ])('of dates is $rule for $why: $values', async ({ values, rule, reason = /./ }) => {
    const field = await fieldFor(values)
    expect(field.rule).toEqual(rule)
    expect(field.reason).toMatch(reason)
  })

  it.for<{ values: string[]; rule: Rule; reason?: RegExp; why: string }>([
    {
      values: times(5, 'Open', 'Closed'),
      rule: { type: 'list', options: ['Closed', 'Open'] },
      why: 'five times each',
    },
    { values: times(4, 'Open', 'Closed'), rule: text, why: 'not often enough' },
    {
      values: ['TRUE', 'FALSE', 'TRUE'],
      rule: { type: 'list', options: ['TRUE', 'FALSE'] },
      reason: /TRUE and FALSE/,
      why: 'yes and no',
    },
    { values: ['TRUE', 'TRUE'], rule: text, why: 'half of a choice' },
    { values: times(30, 'EUR'), rule: { type: 'text', maxLength: 10 }, why: 'a constant says nothing' },
    { values: times(30, '1', '2', '3'), rule: number(0), why: 'numbers are no options' },
    { values: times(30, '19%', '7%'), rule: text, why: 'neither are percentages' },
    {
      values: times(8, ...numbered(20, (i) => `Item ${i}`)),
      rule: { type: 'list', options: expect.any(Array) },
      why: 'twenty',
    },
    {
      values: times(8, ...numbered(21, (i) => `Item ${i}`)),
      rule: { type: 'text', maxLength: 20 },
      why: 'one too many',
    },
    {
      values: times(8, 'a'.repeat(51), 'b'),
      rule: expect.objectContaining({ type: 'text' }),
      why: 'too long to choose from',
    },
    { values: times(8, 'a\nb', 'c'), rule: { type: 'text' }, why: 'an option stands on one line' },
    {
      values: times(8, 'open', 'Open'),
      rule: expect.objectContaining({ type: 'list' }),
      reason: /'open' and 'Open' differ/,
      why: 'two spellings',
    },
  ])('of few values is $rule for $why', async ({ values, rule, reason = /./ }) => {
    const field = await fieldFor(values)
    expect(field.rule).toEqual(rule)
    expect(field.reason).toMatch(reason)
  })

  it.for<{ values: string[]; rule: Rule; why: string }>([
    {
      values: numbered(20, (i) => `AB-${100 + i}`),
      rule: { type: 'pattern', pattern: 'AB-[0-9]{3}' },
      why: 'codes of one form',
    },
    { values: numbered(19, (i) => `AB-${100 + i}`), rule: text, why: 'too few to say' },
    {
      values: numbered(30, (i) => 'x'.repeat(i + 1)),
      rule: { type: 'text', maxLength: 50 },
      why: 'a round figure with room',
    },
    { values: numbered(400, (i) => 'x'.repeat(i + 1)), rule: text, why: 'beyond the largest bound' },
    {
      values: numbered(30, (i) => '👍'.repeat((i % 6) + 1)),
      rule: expect.objectContaining({ type: 'list' }),
      why: 'emoji repeat',
    },
    {
      values: numbered(200, (i) => `0${1000 + i}`),
      rule: { type: 'text', minLength: 5, maxLength: 5 },
      why: 'postcodes in number',
    },
  ])('of texts is $rule for $why', async ({ values, rule }) =>
    expect((await fieldFor(values)).rule).toEqual(rule),
  )

  it('proposes no list for a great many values', async () => {
    const field = await fieldFor(numbered(50_000, (index) => `Customer ${index}`))
    expect(field).toMatchObject({
      rule: { type: 'text', maxLength: 50 },
      reason: 'Text of 10 to 14 characters.',
    })
  })
})

describe('Proposed codes and keys', () => {
  const npi = (index: number) => {
    const digits = String(100_000_000 + index * 7919)
    return Array.from('0123456789', (last) => digits + last).find((code) => fitsCheckDigit('npi', code))!
  }
  const fieldsFor = async (name: string, values: readonly string[]) => {
    const { fields, ruleBook } = await proposalFor(
      csv(
        [name, 'Row'],
        values.map((value) => [value, 'x']),
      ),
    )
    return { field: fields[0], keys: ruleBook.rules.map((rule) => rule.name) }
  }

  it.for<{ name: string; values: string[]; rule: Rule; keys?: string[]; reason?: RegExp; why: string }>([
    {
      name: 'Provider',
      values: numbered(20, npi),
      rule: { type: 'text', minLength: 10, maxLength: 10, checkDigit: 'npi' },
      keys: ['Key: Provider'],
      reason: /check digit that fits like 1\d+ \(NPI\)\. No value occurs twice, and their form/,
      why: 'all check digits hold',
    },
    {
      name: 'Provider',
      values: times(10, ...numbered(6, npi)),
      rule: { type: 'text', minLength: 10, maxLength: 10, checkDigit: 'npi' },
      why: 'few codes, each of them often, are no key',
    },
    {
      name: 'Provider',
      values: times(30, ...numbered(4, npi)),
      rule: number(0),
      why: 'four may fit by chance',
    },
    {
      name: 'Provider NPI',
      values: times(15, ...numbered(2, npi)),
      rule: { type: 'text', minLength: 10, maxLength: 10, checkDigit: 'npi' },
      why: 'two are enough where the name says the scheme',
    },
    {
      name: 'Provider NPI',
      values: times(15, npi(1), '1234567890'),
      rule: number(0),
      why: 'a name alone makes no code',
    },
    {
      name: 'Provider',
      values: numbered(8, npi),
      rule: text,
      reason: /\(NPI\), too few to demand it/,
      why: 'few codes',
    },
    {
      name: 'Provider',
      values: [...numbered(30, npi), '1234567890'],
      rule: number(0),
      why: 'one does not fit',
    },
    {
      name: 'siren',
      values: numbered(20, (i) =>
        Array.from('0123456789', (last) => `${73_282_932 + i * 31}${last}`).find((code) =>
          fitsCheckDigit('siren', code),
        )!,
      ),
      rule: { type: 'text', minLength: 9, maxLength: 9, checkDigit: 'siren' },
      keys: ['Key: siren'],
      why: 'the name chooses between schemes',
    },
    {
      name: 'Claim',
      values: numbered(20, (i) => `CLM-2026${1000 + i}`),
      rule: { type: 'pattern', pattern: 'CLM-[0-9]{8}' },
      keys: ['Key: Claim'],
      reason: /codes of one form like CLM-20261000\. No value occurs twice/,
      why: 'a form with letters',
    },
    {
      name: 'Claim',
      values: [...numbered(20, (i) => `(A.${i + 10})`), '(A.10)'],
      rule: { type: 'pattern', pattern: '\\(A\\.[0-9]{2}\\)' },
      why: 'one comes twice',
    },
    {
      name: 'Claim',
      values: numbered(40, (i) => `CLM-2026-${i + 1}`),
      rule: { type: 'pattern', pattern: 'CLM-[0-9]{4}-[0-9]+' },
      keys: ['Key: Claim'],
      why: 'numbers that grow',
    },
    {
      name: 'Claim',
      values: numbered(40, (i) => (i === 30 ? 'CLM-x' : `CLM-${i}`)),
      rule: { type: 'text', maxLength: 10 },
      why: 'one of another form',
    },
    {
      name: 'Claim',
      values: numbered(40, (i) => (i === 30 ? 'CLM-30-1' : `CLM-${i}`)),
      rule: { type: 'text', maxLength: 20 },
      why: 'one with a number more',
    },
    {
      name: 'Dose',
      values: numbered(40, (i) => `${i + 1}mg`),
      rule: { type: 'text', maxLength: 10 },
      why: 'amounts with a unit are no codes',
    },
    {
      name: 'Address',
      values: numbered(40, (i) => `Mill Lane ${i + 1}`),
      rule: { type: 'text', maxLength: 20 },
      why: 'several words are no code',
    },
    {
      name: 'memberId',
      values: numbered(20, (i) => String(i)),
      rule: number(0),
      keys: ['Key: memberId'],
      reason: /the name says identifier/,
      why: 'a name',
    },
    { name: 'Member ID', values: numbered(19, (i) => String(i)), rule: number(0), why: 'too few' },
    { name: 'Member ID', values: [...numbered(30, (i) => String(i)), ''], rule: number(0), why: 'a blank' },
    { name: 'Amount', values: numbered(30, (i) => String(i)), rule: number(0), why: 'another name' },
    {
      name: 'Phone number',
      values: numbered(30, (i) => `${5_551_000 + i * 17}`),
      rule: number(0),
      why: 'a number that identifies nothing',
    },
    { name: 'ID', values: numbered(30, (i) => `${i}.0`), rule: number(1), why: '1.0 and 1.00 are the same' },
    {
      name: 'Anything',
      values: numbered(20, (i) => `0f8fad5b-d9cb-469f-a165-7086728${String(95_000 + i)}e`.slice(0, 36)),
      rule: expect.anything(),
      keys: ['Key: Anything'],
      why: 'UUIDs',
    },
    {
      name: 'Member',
      values: times(
        7,
        'Müller, Zoë',
        'García, José',
        "O'Neill, Aoife",
        'Rossi, Giulia',
        'Haddad, Karim',
        'Li, Na',
      ),
      rule: { type: 'text', maxLength: 50 },
      why: 'six people in forty rows are no list',
    },
    {
      name: 'Name of member',
      values: times(7, 'Zoë', 'José', 'Aoife', 'Giulia', 'Karim', 'Na'),
      rule: { type: 'text', maxLength: 10 },
      why: 'the name says so',
    },
    {
      name: 'Approval',
      values: times(7, 'Ana de la Cruz', 'van Dijk, Jan', 'Uwe von Ahn', 'Lea Roth', 'Mia Lund', 'Per Dahl'),
      rule: { type: 'text', maxLength: 50 },
      why: 'small words of names',
    },
    {
      name: 'Approved by',
      values: times(7, 'Zoë', 'José', 'Aoife', 'Giulia', 'Karim', 'Na'),
      rule: { type: 'text', maxLength: 10 },
      why: 'the last word says a person',
    },
    {
      name: 'Employee status',
      values: times(7, 'Active', 'Left', 'On leave'),
      rule: { type: 'list', options: ['Active', 'Left', 'On leave'] },
      why: 'a status of a person is no person',
    },
    {
      name: 'Settlement',
      values: times(7, 'Paid in Full', 'Partly Paid', 'Open'),
      rule: { type: 'list', options: ['Open', 'Paid in Full', 'Partly Paid'] },
      why: 'capitals of some make no names',
    },
    {
      name: 'Region',
      values: times(25, 'New York', 'Rhode Island'),
      rule: { type: 'list', options: ['New York', 'Rhode Island'] },
      why: 'often enough for any name',
    },
  ])('$name: $why', async ({ name, values, rule, keys = [], reason = /./ }) => {
    const found = await fieldsFor(name, values)
    expect(found.field.rule).toEqual(rule)
    expect(found.keys).toEqual(keys)
    expect(found.field.reason).toMatch(reason)
  })
})

describe('A proposed field', () => {
  it('must not be empty where it never was', async () => {
    const { fields, recordsCount } = await proposalFor('A,B,C\n1,,\n2,x,\n')
    expect(recordsCount).toBe(2)
    expect(fields.map(({ required }) => required)).toEqual([true, false, false])
  })

  it('is a text that can be empty where the file has no rows', async () => {
    const { fields, notes, recordsCount } = await proposalFor('A,B\n')
    expect({ fields, recordsCount }).toMatchObject({
      recordsCount: 0,
      fields: [
        { rule: text, required: false },
        { rule: text, required: false },
      ],
    })
    expect(notes).toEqual([expect.stringContaining('no rows')])
  })

  it.for([
    { header: ' A ,"B\nC"', names: ['A', 'B C'], notes: 0, why: 'white space is tidied' },
    { header: 'A,,C', names: ['A', 'Column B', 'C'], notes: 1, why: 'a blank label' },
    {
      header: 'A,, column b',
      names: ['A', 'Column B 2', 'column b'],
      notes: 1,
      why: 'a label of the file comes first',
    },
    { header: 'A,a,A 2,A', names: ['A', 'a 3', 'A 2', 'A 4'], notes: 2, why: 'labels that are the same' },
    {
      header: `${'é'.repeat(300)},b`,
      names: ['é'.repeat(254), 'b'],
      notes: 1,
      why: 'a label that is too long',
    },
  ])('is named after its label: $why', async ({ header, names, notes }) => {
    const proposal = await proposalFor(`${header}\n1,2,3,4\n`)
    expect(proposal.fields.map(({ name }) => name)).toEqual(names)
    expect(proposal.notes.filter((note) => note.includes('label'))).toHaveLength(notes)
  })

  it('has a unique name where the first row is not a header', async () => {
    const { fields, notes } = await proposalFor(`${'x,'.repeat(10_000)}x\n`)
    expect(new Set(fields.map(({ name }) => name)).size).toBe(10_001)
    expect(notes).toHaveLength(1 + 20 + 1)
    expect(notes.at(-1)).toBe('9,980 more labels had to be changed. Is the first row the header?')
  })

  it('is warned of rows that do not fit under the header', async () => {
    expect((await proposalFor('A,B\n1,2\n1\n1,2,3\n')).notes).toEqual([
      expect.stringMatching(/^2 rows, the first of them row 3/),
    ])
    expect((await proposalFor('A,B\n1,2\n1,2,\n')).notes).toEqual([])
  })
})

describe('A proposal from a workbook', () => {
  const cell = (reference: string, content: string, attributes = '') =>
    `<c r="${reference}"${attributes}>${content}</c>`
  const inline = (reference: string, value: string) =>
    cell(reference, `<is><t>${value}</t></is>`, ' t="inlineStr"')
  const day = (reference: string, serial: string) => cell(reference, `<v>${serial}</v>`, ' s="1"')
  const workbookOf = (...rows: string[]) =>
    buildWorkbook({
      rows: rows.map((row, index) => `<row r="${index + 1}">${row}</row>`).join(''),
      formats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
    })

  it.for([
    {
      cells: [day('A2', '45000'), day('A3', '45001')],
      rule: date('yyyy-MM-dd'),
      reason: /true dates of the workbook, accepted/,
      why: 'true dates',
    },
    {
      cells: [day('A2', '45000'), inline('A3', '31/12/2024')],
      rule: date('dd/MM/yyyy'),
      reason: /1 of them is a true date/,
      why: 'dates of both kinds',
    },
    { cells: [day('A2', '45000.5'), day('A3', '45001')], rule: text, reason: /./, why: 'a time of day' },
    {
      cells: [day('A2', '60'), day('A3', '61')],
      rule: text,
      reason: /./,
      why: 'the day that only Excel knows',
    },
    {
      cells: [inline('A2', '12'), cell('A3', '<v>13</v>')],
      rule: number(0),
      reason: /./,
      why: 'numbers stored as text',
    },
    {
      cells: [cell('A2', '<v>0.1</v>'), cell('A3', '<v>12.350000000000001</v>')],
      rule: number(2),
      reason: /./,
      why: 'noise of doubles',
    },
    {
      cells: [cell('A2', '<v>1</v>', ' t="b"'), cell('A3', '<v>0</v>', ' t="b"')],
      rule: { type: 'list', options: ['TRUE', 'FALSE'] },
      reason: /./,
      why: 'booleans',
    },
  ])('knows $why', async ({ cells, rule, reason }) => {
    const bytes = workbookOf(inline('A1', 'Value'), ...cells)
    const { fields } = await proposalFor(bytes, 'sample.xlsx')
    expect(fields[0].rule).toEqual(rule)
    expect(fields[0].reason).toMatch(reason)
    const verdict = await validateTable({ ...requestFor(bytes, 'sample.xlsx'), fields })
    expect(verdict.kind).toBe('passed')
  })

  it('begins where the table begins', async () => {
    const bytes = workbookOf(
      inline('C1', 'Id') + inline('E1', 'Born'),
      cell('C2', '<v>1</v>') + day('E2', '45000'),
    )
    const { fields, notes } = await proposalFor(bytes, 'sample.xlsx')
    expect(fields.map(({ name, rule }) => [name, rule.type])).toEqual([
      ['Id', 'number'],
      ['Column D', 'text'],
      ['Born', 'date'],
    ])
    expect(notes).toEqual([expect.stringContaining('Column D has no label')])
  })

  it('may have rows that end early, as blank cells are not written', async () => {
    const bytes = workbookOf(inline('A1', 'Value') + inline('B1', 'Note'), inline('A2', 'a'))
    expect((await proposalFor(bytes, 'sample.xlsx')).notes).toEqual([])
  })

  it('leaves out cells with errors and lists them in a note', async () => {
    const bytes = workbookOf(
      inline('A1', 'Value'),
      cell('A2', '<v>1</v>'),
      cell('A3', '<v>#N/A</v>', ' t="e"'),
    )
    const { fields, notes } = await proposalFor(bytes, 'sample.xlsx')
    expect(fields[0]).toMatchObject({ rule: number(0), required: true })
    expect(notes).toEqual([
      "'Value' has 1 cell with an error like #N/A, the first in row 3. No type accepts those.",
    ])
  })
})

describe('A file that cannot be read', () => {
  it.for([
    { content: '', fileName: 'a.csv', says: /neither a header nor rows/ },
    { content: 'a,b\n1,"2\n', fileName: 'a.csv', says: /never closed/ },
    { content: 'a,b\n1,2\n', fileName: 'a.xlsx', says: /named \.xlsx, but it is a text file/ },
    { content: 'PK\u0003\u0004 and no more', fileName: 'a.xlsx', says: /damaged/ },
  ])('is a problem with the sentence of the engine: $says', async ({ content, fileName, says }) => {
    const result = await proposeFields(requestFor(platform.encodeUtf8(content), fileName))
    expect(result).toMatchObject({ kind: 'fileProblem', problem: { message: expect.stringMatching(says) } })
  })
})

/**
 * Columns of one kind each, so that types are proposed and not texts alone, with some odd cells among them.
 */
const kinds = [
  fc.integer().map(String),
  fc.integer({ min: -9999, max: 9999 }).map((value) => (value / 100).toFixed(2)),
  fc
    .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }), fc.constantFrom('/', '-', '.'))
    .map(([d, m, s]) => `${d}${s}${m}${s}2024`),
  fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((moment) => moment.toISOString().slice(0, 10)),
  fc.constantFrom('Open', 'On hold', 'open', 'é', ' Closed '),
  fc.constantFrom('TRUE', 'FALSE'),
  fc.constantFrom('00123', '+4917012345', '12,5', '19%', '10:30', '1,234.50', '31/12/24', '2024-12'),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'é',
      '👍',
      '1',
      '0',
      '.',
      '/',
      '-',
      ' ',
      '\u00a0',
      '"',
      ',',
      ';',
      '\n',
      '%',
      '=',
    ),
    maxLength: 12,
  }),
]
const oddities = fc.constantFrom(
  '',
  '',
  ' ',
  '0',
  'n/a',
  '-',
  '2023-02-29',
  '31/12/2024',
  '1e5',
  'x'.repeat(600),
)
const column = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc.array(fc.oneof({ weight: 30, arbitrary: kind }, { weight: 1, arbitrary: oddities }), {
      minLength: 1,
      maxLength: 60,
    }),
  )

describe('A proposed dictionary', () => {
  it('accepts the sample that it came from', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 4 }), async (columns) => {
        const length = Math.max(...columns.map((values) => values.length))
        const rows = numbered(length, String).map((_, index) => [
          'x',
          ...columns.map((values) => values[index] ?? ''),
        ])
        const file = requestFor(
          platform.encodeUtf8(csv(['Key', ...columns.map((_, index) => `Column ${index}`)], rows)),
          'sample.csv',
        )
        const result = await proposeFields(file)
        if (result.kind === 'fileProblem') throw new Error(result.problem.message)
        const { fields, recordsCount } = result.proposal
        expect(recordsCount).toBe(length)
        expect(await validateTable({ ...file, fields })).toEqual({ kind: 'passed', recordsCount })
      }),
      { numRuns: runs(15) },
    )
  })

  it('accepts the workbook that it came from', async () => {
    const escaped = (text: string) => text.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`)
    const kindsOfCells = [
      fc.integer({ min: 1, max: 60_000 }).map((serial) => `s="1"><v>${serial}</v>`),
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
        .map((value) => `><v>${value}</v>`),
      fc.constantFrom('t="b"><v>0</v>', 't="b"><v>1</v>'),
      fc
        .constantFrom('Open', '31/12/2024', '2024-02-29', '1900-02-29', '007', ' ', '12,5', '#N/A')
        .map((text) => `t="inlineStr"><is><t>${text}</t></is>`),
      fc
        .string({ maxLength: 20 })
        .map(
          (text) =>
            `t="inlineStr"><is><t xml:space="preserve">${escaped(text.replace(/[^ -~]/g, ''))}</t></is>`,
        ),
    ]
    const cellsOf = fc
      .constantFrom(...kindsOfCells)
      .chain((kind) =>
        fc.array(
          fc.oneof({ weight: 12, arbitrary: kind }, { weight: 1, arbitrary: fc.oneof(...kindsOfCells) }),
          { minLength: 1, maxLength: 30 },
        ),
      )
    await fc.assert(
      fc.asyncProperty(cellsOf, cellsOf, async (first, second) => {
        const rows = numbered(Math.max(first.length, second.length), (index) => {
          const number = index + 2
          const written = [`<c r="A${number}"><v>1</v></c>`]
          if (first[index] !== undefined) written.push(`<c r="B${number}" ${first[index]}</c>`)
          if (second[index] !== undefined) written.push(`<c r="C${number}" ${second[index]}</c>`)
          return `<row r="${number}">${written.join('')}</row>`
        })
        const header = ['A', 'B', 'C']
          .map((letter) => `<c r="${letter}1" t="inlineStr"><is><t>Column ${letter}</t></is></c>`)
          .join('')
        const formats = '<xf numFmtId="0"/><xf numFmtId="14"/>'
        const file = requestFor(
          buildWorkbook({ rows: `<row r="1">${header}</row>${rows.join('')}`, formats }),
          'sample.xlsx',
        )
        const result = await proposeFields(file)
        if (result.kind === 'fileProblem') throw new Error(result.problem.message)
        const { fields, recordsCount } = result.proposal
        expect(await validateTable({ ...file, fields })).toEqual({ kind: 'passed', recordsCount })
      }),
      { numRuns: runs(10) },
    )
  })
})
