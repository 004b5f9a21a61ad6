import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileField } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { re2 } from '#rules/re2.ts'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = { ...testPlatform(), currentYear: 2026 }
const fieldOf = (name: string, rule: Rule) => ({ name, description: '', category: '', required: true, rule })

/** The functions of Excel, from its documentation: TRIM knows only U+0020. */
const functions: Readonly<Record<string, (...given: string[]) => string>> = {
  TRIM: (text) =>
    text
      .split(' ')
      .filter((word) => word !== '')
      .join(' '),
  SUBSTITUTE: (text, old, by) => text.split(old).join(by),
  UNICHAR: (code) => String.fromCodePoint(Number(code)),
  UPPER: (text) => text.replace(/[a-zà-öø-þа-я]/g, (letter) => letter.toUpperCase()),
  LOWER: (text) => text.replace(/[A-ZÀ-ÖØ-ÞА-Я]/g, (letter) => letter.toLowerCase()),
  LEFT: (text, count) => text.slice(0, Number(count)),
  MID: (text, from, count) => text.slice(Number(from) - 1, Number(from) - 1 + Number(count)),
  TEXT(number, form) {
    const digits = [...String(Number(number))].reverse()
    const places = [...form].reverse().map((sign) => (sign === '0' ? (digits.shift() ?? '0') : sign))
    return [...places, ...digits].reverse().join('')
  },
  ROUND: (number, places) => String(Number(Number(number).toFixed(Number(places)))),
}

/** What Excel shows for a formula. */
function follow(formula: string, cell: string): string {
  let at = 0
  const argument = (): string => {
    let text = term()
    while (formula[at] === '&') {
      at++
      text += term()
    }
    return text
  }
  function term(): string {
    const [token] = /^(?:"(?:[^"]|"")*"|\d+|[A-Za-z]+)/.exec(formula.slice(at))!
    at += token.length
    if (token === 'cell') return cell
    if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"')
    if (formula[at] !== '(') return token
    const given: string[] = []
    do {
      at++
      given.push(argument())
    } while (formula[at] === ',')
    at++
    return functions[token](...given)
  }
  return argument()
}

async function causesOf(rule: Rule, values: readonly string[]) {
  const rows = values.map((value, index) => `${index + 1},"${value.replaceAll('"', '""')}"\n`)
  const verdict = await validateTable({
    source: bytesSource(platform.encodeUtf8(`Id,Value\n${rows.join('')}`)),
    fileName: 'a.csv',
    fields: [fieldOf('Id', { type: 'number' }), fieldOf('Value', rule)],
    platform,
  })
  return verdict.kind === 'rowErrors' ? verdict : null
}

const rules: readonly { rule: Rule; right: readonly string[] }[] = [
  { rule: { type: 'pattern', pattern: '[A-Z]{2}[0-9]{2}' }, right: ['UV31', 'AB12'] },
  { rule: { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{2}' }, right: ['UV-31', 'AB-12'] },
  { rule: { type: 'pattern', pattern: '[0-9]{5}' }, right: ['00123', '01205'] },
  { rule: { type: 'pattern', pattern: '[0-9]{3}-[0-9]{4}' }, right: ['555-1234', '055-1200'] },
  { rule: { type: 'pattern', pattern: '[A-Z]{2}[0-9]{6}' }, right: ['DE893704', 'CH110044'] },
  { rule: { type: 'list', options: ['Open', 'On hold', 'Zürich'] }, right: ['Open', 'On hold', 'Zürich'] },
  { rule: { type: 'text', maxLength: 6 }, right: ['Anna B', 'Maries'] },
  { rule: { type: 'number', scale: 2 }, right: ['1234.5', '0.07'] },
  { rule: { type: 'date', format: 'dd/MM/yyyy' }, right: ['31/12/2024', '05/03/2024'] },
]

const HIDDEN = ['\u00ad', '\u200b', '\u200e', '\u200f', '\u202a', '\u2060', '\ufeff']
const SPACES = [' ', '  ', '\u00a0', '\u2009', '\u202f', '\t', '\n', ' \u00a0']
type Slip = (text: string, at: number, sign: string) => string
const slips: readonly Slip[] = [
  (text, at, sign) => text.slice(0, at) + sign + text.slice(at),
  (text, _, sign) => sign + text,
  (text, _, sign) => text + sign,
  (text, at, sign) => text.replaceAll(' ', '\u00a0').slice(0, at) + sign + text.slice(at),
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.replace(/^0+/, ''),
  (text) => text.replace('-', ''),
  (text) => `"${text}"`,
  (text) => text.replace('O', '\u041e'),
]

describe('An advice with a formula', () => {
  it('gives every cell of its cause the suggestion, which the rule accepts', async () => {
    const value = fc.tuple(fc.nat(9), fc.nat(4), fc.constantFrom(...HIDDEN, ...SPACES), fc.nat(2))
    let followed = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...rules), fc.array(value, { minLength: 1 }), async (one, made) => {
        const { rule, right } = one
        const values = made.map(([slip, at, sign, which]) =>
          slips[slip](right[which % right.length], at, sign),
        )
        const found = await causesOf(rule, values)
        const { check } = compileField(fieldOf('Value', rule), xmlTerminators, platform, re2)
        for (const { rowNumber, columnValidationErrors } of found?.rows ?? [])
          for (const { cause, suggestion } of columnValidationErrors) {
            const { advice } = found!.causes.find(({ id }) => id === cause)!
            const formula = /^Put =(.*) into a free column/s.exec(advice)?.[1]
            if (formula === undefined || suggestion === null) continue
            followed++
            const given = follow(formula, values[rowNumber - 2])
            expect({ advice, given, fault: check(given) }).toEqual({ advice, given: suggestion, fault: null })
          }
      }),
      { numRuns: runs(50) },
    )
    expect(followed).toBeGreaterThan(20)
  })

  it.for([
    ['\u200b', 'UNICHAR(8203)'],
    ['\u00ad', 'UNICHAR(173)'],
    ['\ufeff', 'UNICHAR(65279)'],
  ])('names a character that cannot be seen by its code: %j', async ([sign, code]) => {
    for (const { rule, right } of rules) {
      const [value] = right
      const found = await causesOf(rule, [value.slice(0, 2) + sign + value.slice(2)])
      // A text that is not too long with it is valid.
      if (found !== null) expect(found.causes[0].advice).toContain(code)
    }
  })

  it('is not shown where it does not help with one of the cells', async () => {
    const rule: Rule = { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{2}' }
    const found = await causesOf(rule, ['ab-12', 'cd-34', 'EF-l2'])
    expect(found!.causes.map(({ kind, advice }) => [kind, advice])).toEqual([
      ['letterCase', expect.stringContaining('find ab-12 and replace it with AB-12')],
    ])
  })
})
