import { KEEP_ANSWER } from '@veridict/contract/messages/structure'
import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { findCauses } from '#validate-table.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'

const NO_ANSWER = undefined

const requestOf = (rule: Rule, values: readonly string[]) => ({
  source: bytesSource(
    testPlatform().encodeUtf8(['Value,Other', ...values.map((value) => `${value},x`), ''].join('\n')),
  ),
  fileName: 'values.csv',
  fields: [
    { name: 'Value', description: '', category: '', required: true, rule },
    { name: 'Other', description: '', category: '', required: true, rule: { type: 'text' as const } },
  ],
  platform: testPlatform(),
  limits: portalGuards,
})

async function questionsOf(rule: Rule, values: readonly string[]) {
  const { verdict } = await findCauses(requestOf(rule, values))
  if (verdict.kind !== 'rowErrors') throw new Error(verdict.kind)
  return verdict.causes.map(({ id, kind, question, choices = [], correctable = 'cells' }) => ({
    id,
    kind,
    correctable,
    asks: question?.endsWith('?') ?? false,
    choices: choices.map(({ value, suggestions, examples = [] }) => [
      value,
      suggestions,
      examples.map(({ suggestion }) => suggestion).join(' '),
    ]),
  }))
}

async function correctedWith(rule: Rule, values: readonly string[], id: string, choice?: string) {
  const answers = new Map(choice === undefined ? [] : [[id, { choice }]])
  const corrected = await correctFile({ ...requestOf(rule, values), causes: null, answers })
  if (corrected.kind !== 'copy') throw new Error(corrected.kind)
  const copy = Buffer.from(await joined(corrected.bytes())).toString()
  return {
    values: copy
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]),
    remaining: corrected.outcome().remaining,
  }
}

const iso = { type: 'date', format: 'yyyy-MM-dd' } as const
const own = { type: 'date', format: 'dd/MM/yyyy' } as const
const member = { type: 'pattern', pattern: 'M[0-9]{7}' } as const
const zip = { type: 'pattern', pattern: '[0-9]{5}' } as const

type Case = {
  why: string
  rule: Rule
  values: string[]
  id: string
  kind: string
  choices: [value: string, suggestions: number, examples: string][]
  answers: [choice: string | undefined, values: string[], remaining: number][]
}

const cases: Case[] = [
  {
    why: 'dates whose day and month may be either way round',
    rule: iso,
    values: ['2024-12-25', '03/04/2024', '05/06/2024', '04/04/2024'],
    id: 'A.dateAmbiguous',
    kind: 'dateOrder',
    choices: [
      ['dayFirst', 3, '2024-04-03 2024-06-05 2024-04-04'],
      ['monthFirst', 3, '2024-03-04 2024-05-06 2024-04-04'],
    ],
    answers: [
      [NO_ANSWER, ['2024-12-25', '03/04/2024', '05/06/2024', '04/04/2024'], 3],
      ['dayFirst', ['2024-12-25', '2024-04-03', '2024-06-05', '2024-04-04'], 0],
      ['monthFirst', ['2024-12-25', '2024-03-04', '2024-05-06', '2024-04-04'], 0],
    ],
  },
  {
    why: 'dates of the column that pass in the same form have the order of the answer, too',
    rule: own,
    values: ['03/04/2024', '3/4/2024', '02/05/2023'],
    id: 'A.dateAmbiguous',
    kind: 'dateOrder',
    choices: [
      ['dayFirst', 1, '03/04/2024'],
      ['monthFirst', 1, '04/03/2024'],
    ],
    answers: [
      [NO_ANSWER, ['03/04/2024', '3/4/2024', '02/05/2023'], 1],
      ['dayFirst', ['03/04/2024', '03/04/2024', '02/05/2023'], 0],
      ['monthFirst', ['04/03/2024', '04/03/2024', '05/02/2023'], 0],
    ],
  },
  {
    why: 'times of day after such dates',
    rule: iso,
    values: ['03/04/2024 00:00:00', '05/06/2024 00:00:00', '2024-12-25'],
    id: 'A.dateAmbiguous',
    kind: 'dateOrder',
    choices: [
      ['dayFirst', 2, '2024-04-03 2024-06-05'],
      ['monthFirst', 2, '2024-03-04 2024-05-06'],
    ],
    answers: [['monthFirst', ['2024-03-04', '2024-05-06', '2024-12-25'], 0]],
  },
  {
    why: 'zeros that a spreadsheet may have dropped',
    rule: zip,
    values: ['71234', '81234', '1234'],
    id: 'A.lostZeros',
    kind: 'pad',
    choices: [
      ['pad', 1, '01234'],
      [KEEP_ANSWER, 0, ''],
    ],
    answers: [
      [NO_ANSWER, ['71234', '81234', '1234'], 1],
      [KEEP_ANSWER, ['71234', '81234', '1234'], 1],
      ['pad', ['71234', '81234', '01234'], 0],
    ],
  },
  {
    why: 'a prefix that the pattern wants, also before zeros that are missing as well',
    rule: member,
    values: ['M0000001', '0000002', '34'],
    id: 'A.prefix',
    kind: 'prefix',
    choices: [
      ['prefix', 2, 'M0000002 M0000034'],
      [KEEP_ANSWER, 0, ''],
    ],
    answers: [
      [NO_ANSWER, ['M0000001', '0000002', '34'], 2],
      ['prefix', ['M0000001', 'M0000002', 'M0000034'], 0],
    ],
  },
]

describe('A question about cells', () => {
  it.for(cases)(
    'asks for $why, and a copy has the answer',
    async ({ rule, values, id, kind, choices, answers }) => {
      expect(await questionsOf(rule, values)).toEqual([
        { id, kind, correctable: 'choice', asks: true, choices },
      ])
      for (const [choice, right, remaining] of answers)
        expect(await correctedWith(rule, values, id, choice)).toEqual({ values: right, remaining })
    },
  )

  it.for([
    {
      why: 'other dates show the order',
      rule: iso,
      values: ['03/04/2024', '25/04/2024'],
      kinds: ['dateFormat'],
    },
    { why: 'other codes begin with a zero', rule: zip, values: ['01234', '1234'], kinds: ['pad'] },
    {
      why: 'digits are too many for the pattern',
      rule: member,
      values: ['M0000001', '00000002'],
      kinds: ['patternMismatch'],
    },
    {
      why: 'another letter stands there',
      rule: member,
      values: ['M0000001', 'N0000002'],
      kinds: ['patternMismatch'],
    },
    {
      why: 'the pattern begins with several letters',
      rule: { type: 'pattern', pattern: '(?:M|N)[0-9]{7}' } as const,
      values: ['M0000001', '0000002'],
      kinds: ['patternMismatch'],
    },
  ])('is not asked where $why', async ({ rule, values, kinds }) => {
    const found = await questionsOf(rule, values)
    expect(found.map(({ kind, asks }) => [kind, asks])).toEqual(kinds.map((kind) => [kind, false]))
  })
})
