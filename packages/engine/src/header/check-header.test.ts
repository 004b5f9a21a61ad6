import type { Field } from '@veridict/contract/model/field'
import { describe, expect, it } from 'vitest'
import { checkHeader } from '#header/check-header.ts'
import tables from '../../test/cases/header.json' with { type: 'json' }

const fieldOf = (name: string): Field => ({ name, description: '', category: '', required: true, rule: { type: 'text' } })
const csv = { kind: 'csv', delimiter: 0x2c } as const

describe.for(tables)('A dictionary of $fields', ({ fields, cases }) => {
  it.for(cases)(
    'meets $header: $why',
    ({ header, errorType, says = [] }: { header: string[]; errorType: number | null; says?: string[] }) => {
      const problem = checkHeader({ kind: 'csv', header, terminators: csv }, fields.map(fieldOf))
      expect(problem?.errorType ?? null).toBe(errorType)
      for (const sentence of says) expect(problem?.message).toContain(sentence)
    },
  )
})

describe('The message about a header', () => {
  it('stops after twenty differences', () => {
    const header = Array.from({ length: 30 }, (_, index) => `Stranger ${index}`)
    expect(checkHeader({ kind: 'csv', header, terminators: csv }, [fieldOf('Id')])?.message).toContain('11 more differences.')
  })

  it('names the other sheets of a workbook', () => {
    const sheets = { read: 'Cover', others: ['Data'] }
    expect(checkHeader({ kind: 'xlsx', header: ['x'], terminators: { kind: 'xml' }, sheets }, [fieldOf('Id')])?.message).toContain('"Data"')
  })
})
