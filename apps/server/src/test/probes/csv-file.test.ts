import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary } from '#test/factories.ts'
import { expectRefusal } from '#test/probes/expect-refusal.ts'
import { problem, textField, verdictOf } from '#test/probes/verdict-of.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** Attacks on CSV files, numbered as in docs/PROBES.md. */
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const MIB = 1024 * 1024
const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  portal.call(method, url, { as: portal.administrator, body })

describe('Probe of a CSV file', () => {
  const large = 8 * MIB
  it.for([
    {
      why: 'one quote that is never closed',
      text: () => `a\n"${'x'.repeat(large)}`,
      type: ErrorType.Unreadable,
    },
    { why: 'one endless line', text: () => `a\n${'x'.repeat(large)}`, type: ErrorType.BeyondLimit },
    { why: 'a million columns', text: () => `${'a,'.repeat(1_000_000)}a\n`, type: ErrorType.BeyondLimit },
    { why: 'a million empty lines', text: () => `a${'\n'.repeat(1_000_000)}`, type: ErrorType.NoRows },
    { why: 'NULs', text: () => `a\n${'\0'.repeat(MIB)}`, type: ErrorType.Unreadable },
    { why: 'carriage returns alone', text: () => `a\r${'x\r'.repeat(1000)}`, type: undefined },
  ])('52: $why', async ({ text, type }) => {
    const verdict = await verdictOf(portal, Buffer.from(text()), 'a.csv')
    expect(verdict).toMatchObject(type === undefined ? { kind: 'passed', recordsCount: 1000 } : problem(type))
  })

  it('52: characters cut at the edge of any chunk are read whole', async () => {
    const text = `a\n${'ü€👍\n'.repeat(40_000)}`
    expect(await verdictOf(portal, Buffer.from(text), 'a.csv')).toEqual({
      kind: 'passed',
      recordsCount: 40_000,
    })
  })

  /** Patterns and values that keep a backtracking engine busy for years. */
  const slow: [pattern: string, value: string][] = [
    ['^(a+)+$', 'a'],
    ['^([a-zA-Z0-9])+\\s+$', 'a'],
    ['^(a|aa)+$', 'a'],
    ['(a*)*b', 'a'],
    ['(.*a){20}', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(x+x+)+y', 'x'],
    ['^(\\w+\\s?)*$', 'a '],
    ['(\\d+)*[^\\d]x', '1'],
    ['^((ab)*)+$', 'ab'],
    ['(?:a?){30}a{30}', 'a'],
    ['^(?:.*?,){11}P', '1,'],
    ['(a|b|ab)*c', 'ab'],
    ['^[\\w.-]+(?:[\\w.-]+)*@x$', 'a'],
    ['\\s*#?\\s*$', ' '],
    ['(?:(?:(?:a+)+)+)+b', 'a'],
    ['(.+)+(.+)+=', '='],
    ['^(\\p{L}+)+$', 'é'],
    ['(?i)(k+)+K', 'K'],
  ]
  it('53: nineteen patterns that stop other engines are refused or run, on a thousand rows', async () => {
    const { id } = await buildDictionary(portal.deps.db, { fields: [] })
    const fields: Field[] = []
    for (const [number, [regularExpression]] of slow.entries()) {
      const reply = await asAdmin('POST', '/api/DataDictionary/Item', {
        dataDictionaryId: id,
        itemName: `f${number}`,
        description: '',
        category: '',
        ruleType: ruleNumbers.pattern,
        isRequired: false,
        ruleConfig: JSON.stringify({ regularExpression }),
      })
      expectRefusal(reply, [201, 400], regularExpression)
      if (reply.statusCode === 201)
        fields.push({ ...textField(`f${number}`), rule: { type: 'pattern', pattern: regularExpression } })
    }
    expect(fields.length).toBeGreaterThan(0)
    const values = fields.map(({ name }) => `${(slow[Number(name.slice(1))]?.[1] ?? '').repeat(60)}!`)
    const row = values.map((value) => `"${value}"`).join(',')
    const text = `${fields.map(({ name }) => name).join(',')}\n${`${row}\n`.repeat(1000)}`
    const verdict = await verdictOf(portal, Buffer.from(text), 'a.csv', fields)
    expect(verdict).toMatchObject({ recordsCount: 1000 })
  })
})
