import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { type FileProblem, fileProblemText } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const rules: Record<string, Rule> = {
  text: { type: 'text' },
  number: { type: 'number' },
  age: { type: 'number', scale: 0, minimum: 0, maximum: 120 },
  date: { type: 'date', format: 'dd/MM/yyyy' },
  code: { type: 'pattern', pattern: '[A-Z]-\\d{4}' },
  yesNo: { type: 'list', options: ['Yes', 'No'] },
  colour: { type: 'list', options: ['Red', 'Green', 'Blue', 'White'] },
}

/** "Name:rule", a text without a rule. */
const fieldOf = (text: string): Field => {
  const [name, rule = 'text'] = text.split(':')
  return { name, description: '', category: '', required: false, rule: rules[rule] }
}

async function problemOf(fields: readonly string[], text: string): Promise<FileProblem> {
  const verdict = await validateTable({
    source: bytesSource(testPlatform().encodeUtf8(text)),
    fileName: 'data.csv',
    fields: fields.map(fieldOf),
    platform: testPlatform(),
  })
  if (verdict.kind !== 'fileProblem') throw new Error(`The verdict is ${verdict.kind}.`)
  return verdict.problem
}

const rowsOf = (row: string, count = 4) => `${row}\n`.repeat(count)

/** Position, expected, found, note. */
type Line = [string, string | null, string | null, string]

const people = ['Id', 'Name', 'Date of birth:date', 'City']

describe('The table of the columns that differ', () => {
  it.for<{ why: string; fields?: string[]; text: string; lines: Line[] }>([
    {
      why: 'a renamed column, by its initials',
      text: `Id,Name,DOB,City\n${rowsOf('1,Ann,1990-01-01,Rome')}`,
      lines: [['C', 'Date of birth', 'DOB', 'Rename this column to "Date of birth".']],
    },
    {
      why: 'a renamed column in another place',
      text: 'Birth date,Id,Name,City\n',
      lines: [
        ['A', 'Date of birth', 'Birth date', 'Rename this column to "Date of birth" and move it to C.'],
      ],
    },
    {
      why: 'names with line breaks, a byte order mark and no-break spaces',
      text: '\uFEFFId,"Na\nme",Date\u00a0of\u00a0birth,City\n',
      lines: [['B', 'Name', 'Na me', 'Rename this column to "Name".']],
    },
    {
      why: 'half alike names in the same place',
      text: 'Id,Full name,Date of birth,City\n',
      lines: [['B', 'Name', 'Full name', 'Rename this column to "Name".']],
    },
    {
      why: 'half alike names in another place, which are not paired',
      text: 'Full name,Id,Date of birth,Fax,Town,City\n',
      lines: [
        [
          'A',
          null,
          'Full name',
          'The data dictionary has no such column: delete it if nobody needs its values.',
        ],
        ['B', 'Name', null, 'This column is missing: insert it at B.'],
        ['D', null, 'Fax', 'The data dictionary has no such column: delete it if nobody needs its values.'],
        ['E', null, 'Town', 'The data dictionary has no such column: delete it if nobody needs its values.'],
      ],
    },
    {
      why: 'two columns that are equally alike, so neither is paired',
      fields: ['Id', 'First name', 'Last name', 'City'],
      text: 'Id,Name,City\n',
      lines: [
        [
          'B',
          'First name',
          'Name',
          'The data dictionary has no such column. If it is "First name", rename it.',
        ],
        ['C', 'Last name', null, 'This column is missing: insert it at C.'],
      ],
    },
    {
      why: 'names that differ in a number only',
      fields: ['Id', 'Diagnosis 1', 'Diagnosis 2', 'City'],
      text: 'Id,Diagnosis 2,Diagnosis 3,City\n',
      lines: [
        ['B', 'Diagnosis 1', null, 'This column is missing: insert it at B.'],
        [
          'C',
          null,
          'Diagnosis 3',
          'The data dictionary has no such column: delete it if nobody needs its values.',
        ],
      ],
    },
    {
      why: 'unlike names in the same place, with values that fit no other column',
      text: `Id,Name,Nacimiento,City\n${rowsOf('1,Ann,31/12/1990,Rome')}`,
      lines: [
        [
          'C',
          'Date of birth',
          'Nacimiento',
          'Its values fit "Date of birth": if it is that column, rename it.',
        ],
      ],
    },
    {
      why: 'unlike names in the same place, with values that fit another column too',
      fields: ['Id', 'Name', 'Admission:date', 'Discharge:date'],
      text: `Id,Name,Birthday,Discharge\n${rowsOf('1,Ann,31/12/1990,31/12/2020')}`,
      lines: [
        [
          'C',
          'Admission',
          'Birthday',
          'The data dictionary has no such column. If it is "Admission", rename it.',
        ],
      ],
    },
    {
      why: 'unlike names in the same place, with values that do not fit',
      text: `Id,Name,Phone,City\n${rowsOf('1,Ann,555-1234,Rome')}`,
      lines: [
        [
          'C',
          'Date of birth',
          'Phone',
          'The data dictionary has no such column. If it is "Date of birth", rename it.',
        ],
      ],
    },
    {
      why: 'three options of a list, in another place',
      fields: ['Id', 'Colour:colour', 'Name', 'City'],
      text: 'Id,Name,City,Paint\n1,Ann,Rome,Red\n2,Bob,Rome,Blue\n3,Cid,Rome,Green\n',
      lines: [
        [
          'D',
          'Colour',
          'Paint',
          'Its values fit "Colour": if it is that column, rename it and move it to B.',
        ],
      ],
    },
    {
      why: 'Yes and No in another place, which any column may hold',
      fields: ['Id', 'Smoker:yesNo', 'Name', 'City'],
      text: 'Id,Name,City,Married\n1,Ann,Rome,Yes\n2,Bob,Rome,No\n3,Cid,Rome,Yes\n',
      lines: [
        ['B', 'Smoker', null, 'This column is missing: insert it at B.'],
        [
          'D',
          null,
          'Married',
          'The data dictionary has no such column: delete it if nobody needs its values.',
        ],
      ],
    },
    {
      why: 'a typing error whose values do not fit is another column',
      fields: ['Id', 'Claim date:date', 'City'],
      text: `Id,Claim rate,City\n${rowsOf('1,0.25,Rome')}`,
      lines: [
        [
          'B',
          'Claim date',
          'Claim rate',
          'The data dictionary has no such column. If it is "Claim date", rename it.',
        ],
      ],
    },
    {
      why: 'a missing column, which shifts the others',
      text: 'Id,Date of birth,City\n',
      lines: [['B', 'Name', null, 'This column is missing: insert it at B.']],
    },
    {
      why: 'an extra column, which shifts the others',
      text: 'Id,Fax,Name,Date of birth,City\n',
      lines: [
        ['B', null, 'Fax', 'The data dictionary has no such column: delete it if nobody needs its values.'],
      ],
    },
    {
      why: 'a column without a name, where one is missing',
      text: 'Id,,Date of birth,City\n',
      lines: [['B', 'Name', '', 'This column has no name. If it is "Name", type that name.']],
    },
    {
      why: 'a column without a name, where none is missing',
      text: 'Id,Name,,Date of birth,City\n',
      lines: [['C', null, '', 'This column has no name: delete it, or type the name that it should have.']],
    },
    {
      why: 'the same name twice',
      text: 'Id,Name,Name,Date of birth,City\n',
      lines: [['C', null, 'Name', 'The same name as column B: keep one of them.']],
    },
    {
      why: 'two columns swapped',
      text: 'Id,Date of birth,Name,City\n',
      lines: [
        ['B', 'Name', 'Date of birth', 'Move this column to C.'],
        ['C', 'Date of birth', 'Name', 'Right once the other columns are moved.'],
      ],
    },
    {
      why: 'the first column at the end',
      text: 'Name,Date of birth,City,Id\n',
      lines: [
        ['A', 'Id', 'Name', 'Right once the other columns are moved.'],
        ['B', 'Name', 'Date of birth', 'Right once the other columns are moved.'],
        ['C', 'Date of birth', 'City', 'Right once the other columns are moved.'],
        ['D', 'City', 'Id', 'Move this column to A.'],
      ],
    },
    {
      why: 'a moved column beside a missing one',
      text: 'City,Id,Name\n',
      lines: [
        ['A', 'Id', 'City', 'Move this column to D.'],
        ['C', 'Date of birth', null, 'This column is missing: insert it at C.'],
      ],
    },
    {
      why: 'a table that begins right of column A',
      text: `,Id,Name,DOB,City\n${rowsOf(',1,Ann,31/12/1990,Rome')}`,
      lines: [['D', 'Date of birth', 'DOB', 'Rename this column to "Date of birth".']],
    },
    {
      why: 'a file of one column',
      fields: ['Invoice'],
      text: 'Inv.\n1\n',
      lines: [['A', 'Invoice', 'Inv.', 'Rename this column to "Invoice".']],
    },
  ])('has $why', async ({ fields = people, text, lines }) => {
    const { columns = [] } = await problemOf(fields, text)
    expect(columns.map(({ position, expected, found, note }) => [position, expected, found, note])).toEqual(
      lines,
    )
  })

  it('accounts for every column and every field, and leaves only columns that are in order', async () => {
    const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Foxtrot']
    const labels = fc.shuffledSubarray([...names, ...names.slice(0, 2), '', 'ALP', 'Juliett', 'Kilo'])
    await fc.assert(
      fc.asyncProperty(labels, async (header) => {
        fc.pre(header.some((label) => label !== '') && header.at(-1) !== '' && header[0] !== '')
        fc.pre(header.join() !== names.join())
        const { columns = [], hints = [] } = await problemOf(names, `${header.join()}\n1\n`)
        // Then there is no advice.
        fc.pre(!hints.join().includes('another data dictionary'))
        const ofColumn = new Map(
          columns.filter(({ found }) => found !== null).map((line) => [line.position, line]),
        )
        const kept: string[] = []
        const settled: string[] = []
        for (const [column, label] of header.entries()) {
          const line = ofColumn.get(columnLetter(column))
          if (line !== undefined && line.expected === null && !/Move/.test(line.note)) continue
          const isRenamed = line !== undefined && /Rename|rename it|type that name/.test(line.note)
          const name = isRenamed ? line.expected! : label
          kept.push(name)
          if (line === undefined || !/ove /.test(line.note)) settled.push(name)
        }
        const inserted = columns.filter(({ found }) => found === null).map(({ expected }) => expected)
        expect([...kept, ...inserted].sort()).toEqual(names)
        expect(settled.filter((name) => names.includes(name))).toEqual(settled.toSorted())
        expect(hints.join()).not.toContain('looks like data')
      }),
      { numRuns: 300 },
    )
  })

  it('has at most 100 lines, and says how many columns differ', async () => {
    const labels = Array.from({ length: 16_384 }, (_, index) => `x${index}`).join(',')
    const { columns, hints } = await problemOf(people, `${labels}\n`)
    expect(columns).toHaveLength(100)
    expect(hints).toContain('16,384 columns differ; the first 100 are listed.')
  })
})

const insertHeading =
  'The first row looks like data: the heading row may be missing. Insert a row above it with the ' +
  'column names: '

describe('A heading row is said to be missing', () => {
  it.for<{ why: string; fields: string[]; text: string }>([
    {
      why: 'the cells fit their fields',
      fields: people,
      text: '1,Ann,31/12/1990,Rome\n2,Bob,01/02/1991,Rome\n',
    },
    { why: 'the only row fits its fields', fields: people, text: '1,Ann,31/12/1990,Rome\n' },
    {
      why: 'a cell of the first row is wrong',
      fields: ['Id:number', 'Age:age', 'Rank:age', 'Sum:number', 'Born:date'],
      text: '1,30,4,12.5,1990\n',
    },
    {
      why: 'dates are in another format',
      fields: people,
      text: '1,Ann,1990-12-31,7.5\n2,Bob,1991-02-01,8.5\n',
    },
    {
      why: 'the values are codes of one shape',
      fields: ['Claim', 'Policy'],
      text: `C-1001,P-17\n${rowsOf('C-1002,P-18')}`,
    },
    { why: 'a column holds a list', fields: ['Name', 'Colour:colour'], text: 'Ann,Red\nBob,Blue\n' },
    { why: 'a column follows a pattern', fields: ['Code:code'], text: 'A-1001\nB-2002\n' },
    {
      why: 'e-mail addresses',
      fields: ['Name', 'E-mail'],
      text: 'Ann,ann@example.com\nBob,bob@example.com\n',
    },
  ])('$why', async ({ fields, text }) => {
    const { hints = [], columns = [] } = await problemOf(fields, text)
    const names = fields.map((field) => field.split(':')[0])
    expect(hints[0]).toBe(`${insertHeading}${names.join(', ')}.`)
    expect(columns.map(({ expected }) => expected)).toEqual(names)
    expect(columns[0].note).toBe(`This looks like a value: type "${names[0]}" above it.`)
  })
})

it('The table of a missing heading row calls only what is there a value', async () => {
  const { columns = [] } = await problemOf(people, '1,,31/12/1990\n2,Bob,01/02/1991\n')
  expect(columns.map(({ note }) => note)).toEqual([
    'This looks like a value: type "Id" above it.',
    'Type "Name" above this column.',
    'This looks like a value: type "Date of birth" above it.',
    'Type "City" above this column.',
  ])
})

describe('A heading row is not said to be missing', () => {
  it.for<{ why: string; fields: string[]; text: string }>([
    { why: 'one name is right', fields: people, text: 'Id,2,31/12/1990,5\n1,Ann,31/12/1990,Rome\n' },
    { why: 'other names', fields: people, text: 'No,Who,Born,Where\n1,Ann,31/12/1990,Rome\n' },
    { why: 'years', fields: ['2019:number', '2020:number'], text: `2021,2022\n${rowsOf('1000,2000')}` },
    {
      why: 'days above numbers',
      fields: ['Region', 'Cases:number'],
      text: `1/22/20,1/23/20\n${rowsOf('5,6')}`,
    },
    { why: 'a name with a number', fields: ['Diagnosis 1'], text: 'Diagnosis 2\nA01\nB02\n' },
    { why: 'capital letters above a pattern', fields: ['Currency:code'], text: 'CUR\nA-1001\n' },
    {
      why: 'the same names again further down',
      fields: ['Id', 'Name'],
      text: 'No,Who\n1,Ann\nNo,Who\n2,Bob\n',
    },
  ])('$why', async ({ fields, text }) => {
    expect(fileProblemText(await problemOf(fields, text))).not.toContain('looks like data')
  })
})

describe('A file for another dictionary', () => {
  const other = 'The file seems to be made for another data dictionary: '
  it.for<{ why: string; text: string; says: string | null }>([
    {
      why: 'no column is known',
      text: 'Policy,Premium,Agent\n',
      says: `${other}none of its 3 columns is in this one.`,
    },
    {
      why: 'one column is known',
      text: 'Id,Premium,Agent,Office\n',
      says: `${other}only 1 of its 4 columns is in this one.`,
    },
    {
      why: 'two columns are known',
      text: 'Id,Name,Premium,Agent,Office,Branch\n',
      says: `${other}only 2 of its 6 columns are in this one.`,
    },
    { why: 'half of the columns are known', text: 'Id,Name,Premium,Agent\n', says: null },
    { why: 'the columns are renamed', text: 'ID no,Nam,DOB,Cty\n', says: null },
    { why: 'the columns are known, but not all are there', text: 'Id,City\n', says: null },
    { why: 'the delimiter was not found', text: 'Id#Name#City\n', says: null },
    { why: 'titles are above the header', text: 'Report,of,May\n\nId,Name,Date of birth,City\n', says: null },
  ])('$why', async ({ text, says }) => {
    const { hints = [] } = await problemOf(people, text)
    expect(hints.find((hint) => hint.startsWith(other)) ?? null).toBe(says)
  })

  it('is not one whose columns have names in another language', async () => {
    const { hints, columns } = await problemOf(
      ['Joined:date', 'Score:age', 'Badge:code', 'Colour:colour'],
      'Eintritt,Punkte,Ausweis,Farbe\n31/12/1990,7,A-1234,Red\n30/11/1991,9,B-1234,Blue\n' +
        '29/10/1992,4,C-1234,Green\n',
    )
    expect(hints).toEqual([
      'The values fit the data dictionary, but the columns have other names, perhaps in another language. ' +
        'If they are in the right order, replace the first row by: Joined, Score, Badge, Colour.',
    ])
    expect(columns?.map(({ note }) => note)).toContain(
      'Its values fit "Badge": if it is that column, rename it.',
    )
  })

  it('gets no advice to delete or insert columns', async () => {
    const { columns = [] } = await problemOf(people, 'Policy,Premium,Agent,Office,Branch\n')
    expect(columns.map(({ note }) => note).join(' ')).not.toMatch(/delete|insert|Rename/)
  })
})

describe('A header further down', () => {
  it('is in the table of the columns that differ', async () => {
    const { columns = [] } = await problemOf(['Id', 'Name'], 'Report\n\nId,Name\n1,Ann\n')
    expect(columns).toEqual([
      { position: 'A', expected: 'Id', found: 'Report', note: 'Row 3 has the right name.' },
      { position: 'B', expected: 'Name', found: null, note: 'Row 3 has the right name.' },
    ])
  })

  it('is the only hint, without one about the title above it', async () => {
    const { hints } = await problemOf(['Id', 'Name'], 'Report\n\nId,Name\n1,Ann\n')
    expect(hints).toEqual(['Row 3 has the right column names: delete the rows above it.'])
  })
})
