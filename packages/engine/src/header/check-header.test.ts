import { ErrorType, type FileProblem, fileProblemText } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import { describe, expect, it } from 'vitest'
import { checkHeader } from '#header/check-header.ts'

import tables from '../../test/cases/header.json' with { type: 'json' }

const fieldOf = (name: string): Field => ({
  name,
  description: '',
  category: '',
  required: true,
  rule: { type: 'text' },
})
const csv = { kind: 'csv', delimiter: 0x2c } as const
const textOf = (problem: FileProblem | null) => problem && fileProblemText(problem)
const messageFor = (header: string[]) =>
  textOf(checkHeader({ header, firstColumn: 0, terminators: csv }, [fieldOf('Id')]))

describe.for(tables)('A dictionary of $fields', ({ fields, cases }) => {
  it.for(cases)(
    'meets $header: $why',
    ({ header, errorType, says = [] }: { header: string[]; errorType: number | null; says?: string[] }) => {
      const problem = checkHeader({ header, firstColumn: 0, terminators: csv }, fields.map(fieldOf))
      expect(problem?.errorType ?? null).toBe(errorType)
      for (const sentence of says) expect(textOf(problem)).toContain(sentence)
    },
  )
})

describe('The message about a header', () => {
  it('has a detail for each difference, whatever the labels contain', () => {
    const problem = checkHeader(
      { header: ['No. of visits', 'See below. Column A', ''], firstColumn: 0, terminators: csv },
      ['Visits', 'Id'].map(fieldOf),
    )
    expect(problem).toEqual({
      errorType: ErrorType.Columns,
      message: 'The columns of the file do not match the data dictionary.',
      details: [
        'Column A "No. of visits" is not in the data dictionary; did you mean "Visits"?',
        'Column B "See below. Column A" is not in the data dictionary.',
        'Column C has no name.',
        'Column "Visits" is missing (expected at A).',
        'Column "Id" is missing (expected at B).',
      ],
      hints: [],
    })
  })

  it('names the first column out of order, and gives the expected order as a detail', () => {
    const problem = checkHeader(
      { header: ['Name', 'Id'], firstColumn: 0, terminators: csv },
      ['Id', 'Name'].map(fieldOf),
    )
    expect(problem).toEqual({
      errorType: ErrorType.ColumnOrder,
      message:
        'The columns are in another order than in the data dictionary: ' +
        'column A is "Name", expected "Id".',
      details: ['The expected order is: Id, Name.'],
      hints: [],
    })
  })

  it('stops after twenty differences', () => {
    const header = Array.from({ length: 30 }, (_, index) => `Unknown ${index}`)
    expect(messageFor(header)).toContain('11 more differences.')
  })

  it('names twenty columns of one name, and how many more there are', () => {
    const message = messageFor(Array(16_384).fill('Id'))
    expect(message).toContain(
      '"Id" appears more than once ' +
        '(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T and 16,364 more).',
    )
  })

  it('quotes eighty characters of a label, an emoji being one', () => {
    expect(messageFor(['👍'.repeat(80)])).toContain(`"${'👍'.repeat(80)}"`)
    expect(messageFor(['👍'.repeat(81)])).toContain(`"${'👍'.repeat(80)}…"`)
  })
})
