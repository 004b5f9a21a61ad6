import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkWireField } from '@veridict/contract/api/check-wire-field'
import type { WireField } from '@veridict/contract/api/wire-field'
import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import type { Field } from '@veridict/contract/model/field'
import { checkRuleBook } from '@veridict/engine/check-rule-book'
import { nodePlatform, validateFile } from '@veridict/engine-node'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { brokenRules, faults, header } from './claims.ts'
import { sampleFiles } from './sample-files.ts'

const SAMPLES = join(import.meta.dirname, '../../samples')

const readDictionary = (dictionary: string) =>
  JSON.parse(readFileSync(join(SAMPLES, 'dictionaries', dictionary), 'utf8')) as {
    fields: WireField[]
    rules: RowRule[]
  }

function fieldsOf(dictionary: string): Field[] {
  const { fields } = readDictionary(dictionary)
  return fields.map((wire) => {
    const checked = checkWireField({ ...wire, ruleConfig: JSON.stringify(wire.ruleConfig) })
    if (!checked.ok) throw new Error(`${wire.itemName}: ${checked.problems[0].message}`)
    return checked.field
  })
}

/** Every bad cell of a sample. */
async function faultsOf(
  name: string,
): Promise<{ kind: string; found: [row: number, column: string, text: string][] }> {
  const found: [number, string, string][] = []
  const { kind } = await validateFile(join(SAMPLES, name), name, fieldsOf('medical-claims.json'), {
    onFault: (row, { column, value }) => found.push([row, header[column], value]),
  })
  return { kind, found }
}

const inOrder = (list: readonly (readonly [number, string, string])[]) =>
  [...list].sort((a, b) => a[0] - b[0] || header.indexOf(a[1]) - header.indexOf(b[1]))

/** The rules between cells that a sample breaks, with their rows. */
async function brokenRulesOf(name: string): Promise<[row: number, rule: string][]> {
  const { rules } = readDictionary('medical-claims.json')
  const fields = fieldsOf('medical-claims.json')
  const checked = checkRuleBook({ ...emptyRuleBook, rules }, fields, nodePlatform())
  if (!checked.ok) throw new Error(checked.faults[0].message)
  const ruleBook = { ...checked.book, day: '2026-06-01' }
  const verdict = await validateFile(join(SAMPLES, name), name, fields, { ruleBook })
  if (verdict.kind !== 'fileProblem') expect(verdict.warnings).toBeUndefined()
  const rows = verdict.kind === 'rowErrors' ? verdict.rows : []
  return rows.flatMap(({ rowNumber, columnValidationErrors }) =>
    columnValidationErrors.flatMap(({ rule }): [number, string][] =>
      rule == null ? [] : [[rowNumber, rule]],
    ),
  )
}

/** The unpacked parts of a workbook, because compression may differ between machines. */
function contentOf(name: string, bytes: Uint8Array): Record<string, string> {
  const parts = name.endsWith('.xlsx') ? unzipSync(bytes) : { [name]: bytes }
  return Object.fromEntries(
    Object.entries(parts).map(([part, content]) => [part, Buffer.from(content).toString()]),
  )
}

describe('The samples', () => {
  it.for(Object.entries(sampleFiles()))('%s is what scripts/make-samples.ts writes', ([name, bytes]) => {
    expect(contentOf(name, readFileSync(join(SAMPLES, name)))).toEqual(contentOf(name, bytes))
  })

  it.for(globSync('dictionaries/*.json', { cwd: SAMPLES }))(
    '%s is a dictionary that the portal accepts',
    (path) => {
      expect(fieldsOf(path.replace('dictionaries/', '')).length).toBeGreaterThan(10)
    },
  )

  it.for(['claims-clean.csv', 'claims-clean.xlsx'])('%s passes', async (name) => {
    expect(await faultsOf(name)).toEqual({ kind: 'passed', found: [] })
  })

  it.for(['claims-with-errors.csv', 'claims-with-errors.xlsx'])(
    '%s has exactly the faults that were put into it',
    async (name) => {
      const { found } = await faultsOf(name)
      expect(found).toEqual(inOrder(faults))
    },
  )

  it.for(Object.keys(sampleFiles()))(
    '%s breaks exactly the rules between cells that it should',
    async (name) => {
      const broken = name.includes('errors') ? brokenRules.map(([row, , , rule]) => [row, rule]) : []
      expect(await brokenRulesOf(name)).toEqual(broken)
    },
  )
})
