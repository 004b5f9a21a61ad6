import { type DuckDBConnection, DuckDBInstance, type DuckDBListValue } from '@duckdb/node-api'
import type { Field } from '@veridict/contract/model/field'
import { conditionTests, type RowRule, type RuleTest } from '@veridict/contract/model/row-rule'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import { type Counts, Findings } from '../findings.ts'
import type { Program } from '../job.ts'

/**
 * DuckDB, an analytical database that reads CSV on several threads in native code. By default it only counts
 * the bad cells of each column; with `listErrors` it also returns their places, as a validator must.
 */
export const run: Program = async ({ path, fields, rules = [], settings }) => {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(settings.threads) })
  const connection = await instance.connect()
  const source = csvSource(path, fields)
  const conditions = fields.map((field, index) => isBad(field, `c${index}`))
  return settings.listErrors
    ? listErrors(connection, source, conditions)
    : countErrors(connection, source, conditions, rules.map(unmetCount(fields)))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function csvSource(path: string, fields: readonly Field[]): string {
  const columns = fields.map((_, index) => `c${index}: 'VARCHAR'`).join(', ')
  const dialect =
    `header=true, auto_detect=false, delim=',', ` + `quote='"', escape='"', new_line='\\n', nullstr=''`
  return `read_csv(${quoted(path)}, ${dialect}, columns={${columns}})`
}

function isBad({ rule, required }: Field, column: string): string {
  const isRight = sqlCheck(rule, column)
  if (required) return `not coalesce(${column} <> '' and (${isRight}), false)`
  return `not coalesce(${column} is null or ${column} = '' or (${isRight}), true)`
}

function sqlCheck(rule: Rule, column: string): string {
  switch (rule.type) {
    case 'text':
      return `length(${column}) between ${rule.minLength} and ${rule.maxLength}`
    case 'number':
      return sqlNumber(rule, column)
    case 'date':
      // The length as well: '%d' also takes one digit.
      return `length(${column}) = 10 and try_strptime(${column}, '%d/%m/%Y') is not null`
    case 'pattern':
      return `regexp_matches(${column}, ${quoted(rule.pattern)})`
    case 'list':
      return `${column} in (${rule.options.map(quoted).join(', ')})`
  }
}

function sqlNumber({ scale = 0, minimum, maximum }: NumberRule, column: string): string {
  const decimals = scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''
  const isNumber = `regexp_full_match(${column}, '-?[0-9]+${decimals}')`
  return `${isNumber} and try_cast(${column} as double) between ${minimum} and ${maximum}`
}

async function countErrors(
  connection: DuckDBConnection,
  source: string,
  conditions: readonly string[],
  unmet: readonly string[],
): Promise<Counts> {
  const counts = [...conditions.map((condition) => `count(*) filter (where ${condition})`), ...unmet]
  const result = await connection.runAndReadAll(`select count(*), ${counts.join(', ')} from ${source}`)
  const [rows, ...perColumn] = result.getRows()[0].map(Number)
  return { rows, badCells: perColumn.reduce((sum, count) => sum + count, 0), perColumn, positions: null }
}

const signs = { equal: '=', notEqual: '<>', less: '<', atMost: '<=', more: '>', atLeast: '>=' } as const

/** How many rows do not meet a rule with one demand. */
function unmetCount(fields: readonly Field[]): (rule: RowRule) => string {
  const test = sqlTest(fields)
  return ({ when, then: [demand] }) => {
    if (demand.is === 'unique') return `count(*) - count(distinct ${columnOf(fields, demand.columns[0])})`
    const condition = ['true', ...conditionTests(when).map(test)].join(' and ')
    return `count(case when ${condition} then case when not (${test(demand)}) then 1 end end)`
  }
}

/** null where a cell that it compares is blank. */
const sqlTest =
  (fields: readonly Field[]) =>
  (test: RuleTest): string => {
    if (!('column' in test)) throw new Error(`No SQL for ${test.is}.`)
    const column = columnOf(fields, test.column)
    if (test.is === 'filled' || test.is === 'blank')
      return `${column} is ${test.is === 'filled' ? 'not ' : ''}null`
    if ('values' in test)
      return `${column} ${test.is === 'noneOf' ? 'not ' : ''}in (${test.values.map(quoted).join(', ')})`
    if (!('than' in test)) throw new Error(`No SQL for ${test.is}.`)
    const { than } = test
    const other =
      'value' in than ? quoted(than.value) : 'column' in than ? columnOf(fields, than.column) : null
    const isDate = fields.find(({ name }) => name === test.column)?.rule.type === 'date'
    const value = (text: string | null) =>
      isDate ? `strptime(${text}, '%d/%m/%Y')` : `try_cast(${text} as decimal(18, 2))`
    return `${value(column)} ${signs[test.is]} ${value(other)}`
  }

const columnOf = (fields: readonly Field[], name: string): string =>
  `c${fields.findIndex((field) => field.name === name)}`

async function listErrors(
  connection: DuckDBConnection,
  source: string,
  conditions: readonly string[],
): Promise<Counts> {
  const findings = new Findings(conditions.length)
  const result = await connection.stream(listQuery(source, conditions))
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    const [rows, columns, cells] = [0, 1, 2].map((index) => chunk!.getColumnValues(index))
    for (let index = 0; index < chunk.rowCount; index++) {
      const column = Number(columns[index])
      findings.badCell(Number(rows[index]), column, String((cells[index] as DuckDBListValue).items[column]))
    }
  }
  return { ...findings.counts(), rows: null }
}

/** One row for each bad cell: row, column, and the cells of that row. */
function listQuery(source: string, conditions: readonly string[]): string {
  const names = conditions.map((_, index) => `c${index}`)
  const badColumns = conditions.map((condition, index) => `case when ${condition} then ${index} end`)
  const anyIsBad = conditions.map((condition) => `(${condition})`).join(' or ')
  const cells = names.map((name) => `coalesce(${name}, '')`)
  return `
    with numbered as (select row_number() over () - 1 as row_index, * from ${source}),
    bad_rows as (
      select row_index, ${names.join(', ')}, [${badColumns.join(', ')}] as bad_columns
      from numbered where ${anyIsBad})
    select row_index, unnest(list_filter(bad_columns, lambda each: each is not null)), [${cells.join(', ')}]
    from bad_rows`
}
