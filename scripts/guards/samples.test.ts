import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkWireField } from '@veridict/contract/api/check-wire-field'
import type { WireField } from '@veridict/contract/api/wire-field'
import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import type { Field } from '@veridict/contract/model/field'
import { checkRuleBook } from '@veridict/engine/check-rule-book'
import { nodePlatform, validateFile } from '@veridict/engine-node'
import { describe, expect, it } from 'vitest'

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

const header = fieldsOf('medical-claims.json').map(({ name }) => name)

/** Every bad cell of a sample. */
async function faultsOf(
  name: string,
): Promise<{ kind: string; found: [row: number, column: string, text: string][] }> {
  const found: [number, string, string][] = []
  const { kind } = await validateFile(join(SAMPLES, name), name, fieldsOf('medical-claims.json'), {
    onBadCells: (row, cells) => {
      for (const { column, value } of cells) found.push([row, header[column], value])
    },
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

/** Typical faults: row as in a spreadsheet, column, and the text of the cell. */
const faults: readonly [row: number, column: string, text: string][] = [
  [4, 'Date of birth', '31/02/1984'],
  [6, 'Billed amount', '18450,00'],
  [9, 'Claim type', 'Profesional'],
  [9, 'Units', '1.5'],
  [12, 'Member name', ''],
  [15, 'Claim ID', 'CLM-2026'],
  [15, 'Claim type', 'dental'],
  [15, 'Member ID', '12690'],
  [15, 'Service from', '2026-05-03'],
  [15, 'Diagnosis code', 'K0262'],
  [15, 'Billed amount', '$210.00'],
  [15, 'Status', 'new'],
  [18, 'Procedure code', '9921'],
  [20, 'Allowed amount', '-34.32'],
  [22, 'Provider NPI', '0123456789'],
]

/** Rules between cells that are broken by cells which are right by themselves. */
const brokenRules: readonly [row: number, rule: string][] = [
  [19, 'Days of service in order'],
  [24, 'One row for each claim'],
]

const sampleFiles = globSync('claims-*.{csv,xlsx}', { cwd: SAMPLES }).toSorted()

describe('The samples', () => {
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

  it.for(sampleFiles)('%s breaks exactly the rules between cells that it should', async (name) => {
    const broken = name.includes('errors') ? brokenRules : []
    expect(await brokenRulesOf(name)).toEqual(broken)
  })
})
