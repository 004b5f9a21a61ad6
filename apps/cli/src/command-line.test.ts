import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { ruleTypeNames, ruleTypes } from '@veridict/contract/model/rule'
import { writeDictionary } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCommands } from '#test/command-process.ts'

const main = fileURLToPath(new URL('./main.mjs', import.meta.url))
const FIELDS = [
  { itemName: 'Id', description: '', category: '', ruleType: 1, isRequired: true, ruleConfig: { scale: 0 } },
  {
    itemName: 'Status',
    description: '',
    category: '',
    ruleType: 4,
    isRequired: false,
    ruleConfig: { optionSetValues: ['Open', 'Closed'] },
  },
]

let folder: string
const at = (name: string) => join(folder, name)
let commands: ReturnType<typeof startCommands>
const veridict = (...args: string[]) => commands.run(args)
const json = async (...args: string[]) => {
  const { status, stdout } = await veridict(...args, '--json')
  return { status, result: JSON.parse(stdout) }
}

beforeAll(async () => {
  commands = startCommands()
  folder = mkdtempSync(join(tmpdir(), 'veridict-cli-'))
  writeFileSync(at('dictionary.json'), JSON.stringify({ name: 'Claims', fields: FIELDS }))
  writeFileSync(at('bare.json'), JSON.stringify(FIELDS))
  writeFileSync(at('good.csv'), 'Id,Status\n1,Open\n2,\n')
  writeFileSync(at('bad.csv'), `Id,Status\n${'x,open\n'.repeat(120)}`)
  writeFileSync(at('header.csv'), 'Id,State\n1,Open\n')
  symlinkSync('bad.csv', at('link-to-bad.csv'))
  symlinkSync('new.xlsx', at('link-to-new.xlsx'))
  symlinkSync('.', at('link'))
  const rule = { type: 'number', scale: 0 } as const
  const dictionary = {
    name: 'Claims',
    fields: [{ name: 'Id', description: '', category: '', required: true, rule }],
  }
  writeFileSync(
    at('dictionary.xlsx'),
    Buffer.concat(await Array.fromAsync(writeDictionary(dictionary, nodePlatform()))),
  )
  writeFileSync(at('ids.csv'), 'Id\n1\n')
})
afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true })
})

describe('veridict validate', () => {
  it('exits with 0 and prints the counts for a file that passes', async () => {
    const { status, result } = await json('validate', at('good.csv'), '--dictionary', at('dictionary.json'))
    expect(status).toBe(0)
    expect(result).toEqual({
      verdict: 'passed',
      errorType: null,
      errorMessage: null,
      recordsCount: 2,
      errorRowCount: 0,
      cellErrorCount: 0,
      causes: [],
      rows: [],
      warningCount: 0,
      warningRowCount: 0,
      warningRows: [],
    })
  })

  it.for([
    { options: ['--errors', 'bad.csv'], sentence: 'is the file itself' },
    { options: ['--highlighted', 'bad.csv'], sentence: 'is the file itself' },
    { options: ['--errors', 'link-to-bad.csv'], sentence: 'is the file itself' },
    { options: ['--errors', 'dictionary.json'], sentence: 'is the dictionary' },
    { options: ['--highlighted', 'dictionary.json'], sentence: 'is the dictionary' },
    { options: ['--errors', 'new.xlsx', '--highlighted', 'new.xlsx'], sentence: 'also the file of --errors' },
    { options: ['--errors', 'new.xlsx', '--highlighted', 'link-to-new.xlsx'], sentence: 'also the file of' },
    { options: ['--errors', 'link/new.xlsx', '--highlighted', 'new.xlsx'], sentence: 'also the file of' },
  ])('refuses $options before it writes anything', async ({ options, sentence }) => {
    const before = ['bad.csv', 'dictionary.json'].map((name) => readFileSync(at(name)))
    const outputs = options.map((option) => (option.startsWith('--') ? option : at(option)))
    const result = await veridict(
      'validate',
      at('bad.csv'),
      '--dictionary',
      at('dictionary.json'),
      ...outputs,
    )
    expect(result).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(['bad.csv', 'dictionary.json'].map((name) => readFileSync(at(name)))).toEqual(before)
    expect(existsSync(at('new.xlsx'))).toBe(false)
  })

  it('writes the error file although its output is closed early', async () => {
    const args = [
      'validate',
      at('bad.csv'),
      '--dictionary',
      at('dictionary.json'),
      '--errors',
      at('unread.xlsx'),
    ]
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect([status, errors]).toEqual([1, ''])
    expect(readFileSync(at('unread.xlsx')).subarray(0, 2).toString()).toBe('PK')
  })

  it('exits with 1 and prints the first hundred rows for a file that does not pass', async () => {
    const { status, result } = await json('validate', at('bad.csv'), '--dictionary', at('bare.json'))
    expect(status).toBe(1)
    expect(result).toMatchObject({
      verdict: 'rowErrors',
      errorType: 0,
      recordsCount: 120,
      errorRowCount: 120,
      cellErrorCount: 240,
    })
    expect(result.rows).toHaveLength(100)
    expect(result.rows[0]).toMatchObject({ rowNumber: 2, totalCount: 2 })
    expect(Object.keys(result.rows[0].columnValidationErrors[0])).toEqual([
      'columnPosition',
      'label',
      'error',
      'value',
      'expected',
      'cause',
      'suggestion',
      'rule',
      'columns',
    ])
    expect(result.causes.map(({ cells }: { cells: number }) => cells)).toEqual([120, 120])
  })

  it('asks the rules between cells on the day of --on; warnings change no exit code', async () => {
    const dictionary = JSON.parse(readFileSync(at('dictionary.json'), 'utf8')) as { fields: object[] }
    const rules = [
      {
        name: 'Open ones',
        severity: 'error',
        from: '2027-01-01',
        then: [{ column: 'Status', is: 'oneOf', values: ['Open'] }],
      },
    ]
    writeFileSync(at('rules.json'), JSON.stringify({ ...dictionary, rules }))
    const args = ['validate', at('good.csv'), '--dictionary', at('rules.json')]
    const before = await json(...args, '--on', '2026-12-31')
    expect(before.status).toBe(0)
    const { warningCount, warningRowCount, warningRows, causes } = before.result
    expect({ warningCount, warningRowCount }).toEqual({ warningCount: 1, warningRowCount: 1 })
    expect(warningRows[0].columnValidationErrors[0]).toMatchObject({
      rule: 'Open ones',
      columns: ['B'],
      error: expect.stringContaining('This will be an error from 2027-01-01 on.'),
    })
    expect(causes).toMatchObject([{ kind: 'rule', rule: 'Open ones', severity: 'warning', cells: 1 }])
    expect((await veridict(...args, '--on', '2026-12-31')).stdout).toContain('1 warning in 1 row')
    const after = await json(...args, '--on', '2027-01-01')
    expect(after.status).toBe(1)
    expect(after.result).toMatchObject({ cellErrorCount: 1, warningCount: 0 })
    expect(await veridict(...args, '--on', 'soon')).toMatchObject({ status: 2 })
  })

  it('refuses a faulty rule with its name', async () => {
    const dictionary = JSON.parse(readFileSync(at('dictionary.json'), 'utf8')) as object
    const rules = [{ name: 'Wrong one', severity: 'error', then: [{ column: 'Nowhere', is: 'filled' }] }]
    writeFileSync(at('faulty.json'), JSON.stringify({ ...dictionary, rules }))
    const { status, stderr } = await veridict('validate', at('good.csv'), '--dictionary', at('faulty.json'))
    expect(status).toBe(2)
    expect(stderr).toContain("rules[0].then[0]: Rule 'Wrong one': There is no field 'Nowhere'.")
  })

  it('shows every row with --all', async () => {
    expect(
      (await json('validate', at('bad.csv'), '--dictionary', at('dictionary.json'), '--all')).result.rows,
    ).toHaveLength(120)
  })

  it('prints for people the first ten rows, and below them the causes with examples and advice', async () => {
    const { stdout } = await veridict('validate', at('bad.csv'), '--dictionary', at('dictionary.json'))
    expect(stdout.match(/^Row \d+$/gm)).toHaveLength(10)
    expect(stdout.split('\n').slice(-14)).toEqual([
      'These are the first 10 rows; --all shows all of them, --errors writes a workbook.',
      '',
      'Fix these 2 causes and all errors are gone.',
      '',
      '      120  A  All 120 values of "Id" are not numbers.',
      '           x',
      expect.stringContaining('Correct these cells by hand.'),
      '',
      '      120  B  All 120 values of "Status" are written in other letter case.',
      '           open → Open (120 times)',
      expect.stringContaining('find open and replace it with Open.'),
      '',
      '120 of 240 cells can be corrected for you: see veridict correct.',
      '',
    ])
  })

  it('prints a file problem with its type and message', async () => {
    const { status, result } = await json('validate', at('header.csv'), '--dictionary', at('dictionary.json'))
    expect(status).toBe(1)
    expect(result).toMatchObject({
      verdict: 'fileProblem',
      errorType: 1,
      recordsCount: null,
      errorRowCount: null,
    })
    expect(result.errorMessage).toContain('Column B "State" is not in the data dictionary.')
    expect(result.columns).toEqual([
      {
        position: 'B',
        expected: 'Status',
        found: 'State',
        note: 'The data dictionary has no such column. If it is "Status", rename it.',
      },
    ])
  })

  it('prints the columns that differ as a table', async () => {
    const { stdout } = await veridict('validate', at('header.csv'), '--dictionary', at('dictionary.json'))
    expect(stdout.split('\n').slice(1)).toEqual([
      'The columns of the file do not match the data dictionary.',
      '',
      '  Col.  Expected  Found    What to do',
      '  B     "Status"  "State"  The data dictionary has no such column. If it is "Status", rename it.',
      '',
      'A copy can correct this: see veridict correct.',
      '',
    ])
  })

  it('prints that a file is for another dictionary', async () => {
    writeFileSync(at('other.csv'), 'Policy,Premium,Agent\n1,2,3\n')
    const { stdout } = await veridict('validate', at('other.csv'), '--dictionary', at('dictionary.json'))
    expect(stdout).toContain(
      'The file seems to be made for another data dictionary: none of its 3 columns is in this one.\n',
    )
  })

  it('takes the dictionary as a workbook', async () => {
    expect((await json('validate', at('ids.csv'), '--dictionary', at('dictionary.xlsx'))).status).toBe(0)
  })

  it('takes the dictionary as a Table Schema, and prints what it does not keep', async () => {
    const fields = [
      { name: 'Id', type: 'integer', constraints: { required: true, jsonSchema: {} } },
      { name: 'Status', type: 'string', constraints: { enum: ['Open', 'Closed'] } },
    ]
    writeFileSync(at('schema.json'), JSON.stringify({ fields }))
    const good = await veridict('validate', at('good.csv'), '--dictionary', at('schema.json'))
    expect([good.status, good.stderr]).toEqual([
      0,
      `${at('schema.json')} is not kept in full:\n  'Id': not checked: jsonSchema.\n`,
    ])
    const ours = await json('validate', at('bad.csv'), '--dictionary', at('dictionary.json'))
    expect(await json('validate', at('bad.csv'), '--dictionary', at('schema.json'))).toEqual(ours)
  })

  it('writes both error files', async () => {
    const { status } = await veridict(
      'validate',
      at('bad.csv'),
      '--dictionary',
      at('dictionary.json'),
      '--errors',
      at('e.xlsx'),
      '--highlighted',
      at('h.xlsx'),
    )
    expect(status).toBe(1)
    const errors = JSON.parse(
      execFileSync(process.execPath, [main, 'read', at('e.xlsx'), '--json'], { encoding: 'utf8' }),
    )
    expect(errors.rows).toHaveLength(240)
    expect(readFileSync(at('h.xlsx')).subarray(0, 2).toString()).toBe('PK')
  })

  it('prints text without colours where there is no terminal', async () => {
    const { stdout } = await veridict('validate', at('bad.csv'), '--dictionary', at('dictionary.json'))
    expect(stdout).toContain('Row 2\n  A Id: This is not a number. Found: x\n')
    expect(stdout).not.toContain('\u001b')
  })

  it('shows the values that identify a row beside its number', async () => {
    const [id, status] = FIELDS
    writeFileSync(at('keyed.json'), JSON.stringify([id, { ...status, identifiesRow: true }]))
    const args = ['validate', at('bad.csv'), '--dictionary', at('keyed.json')]
    expect((await veridict(...args)).stdout).toContain('Row 2  Status: open\n  A Id: This is not a number.')
    expect((await json(...args)).result.rows[0]).toMatchObject({ key: [{ label: 'Status', value: 'open' }] })
  })
})

describe('veridict template', () => {
  it('writes a workbook without rows', async () => {
    expect((await veridict('template', at('blank.xlsx'), '--dictionary', at('dictionary.json'))).status).toBe(
      0,
    )
    expect((await json('read', at('blank.xlsx'))).result.header).toEqual(['Id', 'Status'])
    expect(
      (await json('validate', at('blank.xlsx'), '--dictionary', at('dictionary.json'))).result,
    ).toMatchObject({ errorType: 4 })
  })

  it('does not overwrite a file', async () => {
    const before = readFileSync(at('good.csv'))
    const { status, stderr } = await veridict(
      'template',
      at('good.csv'),
      '--dictionary',
      at('dictionary.json'),
    )
    expect(status).toBe(2)
    expect(stderr).toContain('it exists already')
    expect(readFileSync(at('good.csv'))).toEqual(before)
  })
})

describe('veridict convert', () => {
  const dictionary = {
    name: 'Claims of May',
    fields: FIELDS.map((field) => ({ ...field, identifiesRow: false })),
    rules: [
      { name: 'Key', description: 'Why', severity: 'error', then: [{ columns: ['Id'], is: 'unique' }] },
      {
        name: 'Closed has an id above 9',
        severity: 'warning',
        from: '2027-01-31',
        when: { any: [{ column: 'Status', is: 'oneOf', values: ['Closed', ''] }] },
        then: [{ column: 'Id', is: 'more', than: { value: '9' } }],
      },
    ],
    exempt: null,
    blankTexts: ['N/A'],
    lists: [{ name: 'L', columns: ['Status'], rows: [['Open']] }],
  }

  it('writes each form of a dictionary from each other, with its rules', async () => {
    writeFileSync(at('ruled.json'), JSON.stringify(dictionary))
    const forms = ['ruled.json', 'ruled.xlsx', 'ruled.schema.json', 'tableschema.json', 'last.json']
    for (const [index, form] of forms.slice(1).entries())
      expect(await veridict('convert', at(forms[index]), at(form))).toMatchObject({ status: 0, stdout: '' })
    const named = (name: string) => ({ ...dictionary, name })
    expect(JSON.parse(readFileSync(at('last.json'), 'utf8'))).toEqual(named('ruled'))
    expect(JSON.parse(readFileSync(at('ruled.schema.json'), 'utf8'))).toMatchObject({
      title: 'ruled',
      primaryKey: ['Id'],
      missingValues: ['', 'N/A'],
    })
    writeFileSync(at('doubled.csv'), 'Id,Status\n1,Closed\n1,N/A\n')
    for (const form of forms)
      expect((await json('validate', at('doubled.csv'), '--dictionary', at(form))).result).toMatchObject({
        cellErrorCount: 1,
        warningCount: 2,
      })
  })

  it.for([
    {
      args: ['dictionary.json', 'dictionary.txt'],
      sentence: 'the ending must be .xlsx, .json or .schema.json',
    },
    { args: ['dictionary.json', 'dictionary.json'], sentence: 'is the file itself' },
    { args: ['dictionary.json', 'link/dictionary.json'], sentence: 'is the file itself' },
    { args: ['good.csv', 'x.json'], sentence: 'is not JSON' },
  ])('refuses $args', async ({ args: [from, to], sentence }) => {
    const { status, stderr } = await veridict('convert', at(from), at(to))
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })
})

describe('veridict infer', () => {
  it('prints a dictionary that the sample passes, and the reasons on stderr', async () => {
    writeFileSync(at('sample_of_claims.csv'), 'Id,Born,Code\n1,31/12/1984,007\n2,01/02/1990,\n')
    const { status, stdout, stderr } = await veridict('infer', at('sample_of_claims.csv'))
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'sample of claims',
      fields: [
        { itemName: 'Id', ruleType: 1, isRequired: true, ruleConfig: { scale: 0 } },
        { itemName: 'Born', ruleType: 2, isRequired: true, ruleConfig: { format: 'dd/MM/yyyy' } },
        { itemName: 'Code', ruleType: 0, isRequired: false, ruleConfig: {} },
      ],
    })
    expect(stderr).toContain(
      'Born: Both values are dates like 31/12/1984. Days above 12 show that the day comes first.\n',
    )
    writeFileSync(at('inferred.json'), stdout)
    expect(
      (await veridict('validate', at('sample_of_claims.csv'), '--dictionary', at('inferred.json'))).status,
    ).toBe(0)
  })

  it('exits with 1 for a file that cannot be read, and prints no dictionary', async () => {
    writeFileSync(at('open-quote.csv'), 'a,b\n1,"2\n')
    expect(await veridict('infer', at('open-quote.csv'))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('never closed'),
    })
  })
})

describe('veridict read', () => {
  it('prints the table', async () => {
    const { status, result } = await json('read', at('good.csv'))
    expect(status).toBe(0)
    expect(result).toEqual({
      header: ['Id', 'Status'],
      rows: [
        { rowNumber: 2, cells: ['1', 'Open'] },
        { rowNumber: 3, cells: ['2', ''] },
      ],
    })
  })

  it('exits with 1 for a file that cannot be read', async () => {
    writeFileSync(at('open.csv'), 'a,b\n1,"2\n')
    expect(await json('read', at('open.csv'))).toMatchObject({
      status: 1,
      result: { verdict: 'fileProblem', errorType: 3 },
    })
  })
})

describe('veridict correct', () => {
  const correct = (file: string, out: string, ...args: string[]) =>
    veridict('correct', at(file), '--dictionary', at('dictionary.json'), '--out', at(out), ...args)
  const printed = ({ status, stdout }: Awaited<ReturnType<typeof correct>>) => ({
    status,
    ...JSON.parse(stdout),
  })

  it.for([
    { file: 'good.csv', status: 0, remaining: 0, why: 'passes' },
    { file: 'header.csv', status: 1, remaining: null, why: 'has a problem as a whole' },
  ])('writes the file itself if it $why', async ({ file, status, remaining }) => {
    const result = await correct(file, `copy-of-${file}`, '--json')
    expect(printed(result)).toEqual({ status, corrected: 0, structure: [], remaining })
    expect(readFileSync(at(`copy-of-${file}`))).toEqual(readFileSync(at(file)))
    expect(result.stderr === '').toBe(status === 0)
  })

  const causeOf = async (file: string, columnPosition: string): Promise<string> =>
    (await json('validate', at(file), '--dictionary', at('dictionary.json'))).result.causes.find(
      (cause: { columnPosition: string }) => cause.columnPosition === columnPosition,
    ).id

  it('corrects what has a suggestion, and says so on stderr', async () => {
    const result = await correct('bad.csv', 'corrected.csv', '--json')
    expect(printed(result)).toEqual({ status: 1, corrected: 120, structure: [], remaining: 120 })
    expect(result.stderr).toMatch(/^ +120 {2}B {2}All 120 values of "Status" .+\n$/)
    expect(readFileSync(at('corrected.csv'), 'utf8')).toBe(`Id,Status\n${'x,Open\n'.repeat(120)}`)
  })

  it('corrects only the causes that are named, which may be several', async () => {
    writeFileSync(at('both.csv'), 'Id,Status\n"12 oz",open\n')
    const ids = ['--cause', await causeOf('both.csv', 'A')]
    const states = ['--cause', await causeOf('both.csv', 'B')]
    const lines = async (...causes: string[]) => {
      await correct('both.csv', 'some.csv', ...causes)
      return readFileSync(at('some.csv'), 'utf8').split('\n')[1]
    }
    expect(await lines(...states)).toBe('"12 oz",Open')
    expect((await correct('both.csv', 'some.csv', ...ids, ...states)).status).toBe(0)
  })

  it('corrects the structure first, then the cells under it, with the answers of a person', async () => {
    writeFileSync(at('extra.csv'), 'A list of claims\nStatus,Id,Phone\nopen,1,07\n')
    const answer = ['--choose', 'table.columnsExtra=remove']
    const result = await correct('extra.csv', 'right.csv', ...answer, '--json')
    const structure = ['titleRows', 'columnOrder', 'columnsExtra']
    expect(printed(result)).toEqual({ status: 0, corrected: 1, structure, remaining: 0 })
    expect(readFileSync(at('right.csv'), 'utf8')).toBe('Id,Status\n1,Open\n')
    expect(result.stderr).toContain('Row 1 of the uploaded file left out: A list of claims')
    writeFileSync(at('named.csv'), 'Key,Status\n1,Open\n')
    expect((await correct('named.csv', 'right.csv', '--map', 'table.columnsRenamed.map:Key=Id')).status).toBe(
      0,
    )
    expect(readFileSync(at('right.csv'), 'utf8')).toBe('Id,Status\n1,Open\n')
    for (const wrong of [answer.with(1, 'table.columnsExtra'), answer.with(1, 'table.columnsExtra=burn')])
      expect((await correct('extra.csv', 'none.csv', ...wrong)).status).toBe(2)
    expect(existsSync(at('none.csv'))).toBe(false)
  })

  it.for([
    { out: 'bad.csv', sentence: 'is the file itself' },
    { out: 'link/bad.csv', sentence: 'is the file itself' },
    { out: 'link-to-bad.csv', sentence: 'is the file itself' },
    { out: 'dictionary.json', sentence: 'is the dictionary' },
  ])('refuses to write over $out', async ({ out, sentence }) => {
    const before = readFileSync(at(out))
    const { status, stderr } = await correct('bad.csv', out)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(readFileSync(at(out))).toEqual(before)
  })

  it('refuses an unknown cause before it writes anything', async () => {
    writeFileSync(at('kept.csv'), 'kept')
    const { status, stderr } = await correct('bad.csv', 'kept.csv', '--cause', 'A.other')
    expect([status, stderr]).toEqual([2, expect.stringContaining("has no cause 'A.other'")])
    expect(readFileSync(at('kept.csv'), 'utf8')).toBe('kept')
  })
})

describe('veridict --version', () => {
  it('prints the version of the project and the commit of the checkout', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
    expect((await veridict('--version')).stdout).toBe(`veridict ${version} (${commit.slice(0, 12)})\n`)
  })
})

describe('Wrong arguments', () => {
  it.for([
    { args: [], sentence: 'One command and one file' },
    { args: ['validate', 'x.csv'], sentence: '--dictionary' },
    { args: ['template', 'x.xlsx'], sentence: '--dictionary' },
    { args: ['correct', 'x.csv', '--dictionary', 'd.json'], sentence: '--out' },
    { args: ['inspect', 'x.csv'], sentence: "no command 'inspect'" },
    { args: ['convert', 'd.json'], sentence: 'convert needs a dictionary' },
    { args: ['migrate', 'now'], sentence: 'migrate [--finish]' },
    { args: ['validate', 'x.csv', '--colour'], sentence: '--colour' },
    { args: ['read', 'no-such-file.csv'], sentence: 'there is no such file' },
    { args: ['validate', 'x.csv', '--dictionary', 'no-such-file.json'], sentence: 'there is no such file' },
  ])('$args: exit code 2 and the reason', async ({ args, sentence }) => {
    const { status, stderr } = await veridict(...args)
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
  })

  it('name every problem of a Table Schema', async () => {
    writeFileSync(
      at('wrong-schema.json'),
      JSON.stringify({ resources: [{ schema: { fields: [{ name: 'A', type: 'strng' }, {}] } }] }),
    )
    const { status, stderr } = await veridict(
      'validate',
      at('good.csv'),
      '--dictionary',
      at('wrong-schema.json'),
    )
    expect(status).toBe(2)
    expect(stderr).toContain(
      "Field 1 'A', type: 'strng' is not a type of Table Schema; did you mean 'string'?",
    )
    expect(stderr).toContain('Field 2, name: Name is required')
  })

  it('name every problem of a dictionary', async () => {
    const fields = [
      { itemName: '', ruleType: 99 },
      { itemName: 'A', ruleType: 2, ruleConfig: { format: 'DD' } },
      { itemName: 'a', ruleType: 3, ruleConfig: { regularExpression: '(?=x)' } },
      { itemName: 'C', ruleType: 1, ruleConfig: { minimum: 1 } },
    ]
    writeFileSync(at('wrong.json'), JSON.stringify({ name: 'Wrong', fields }))
    const { status, stderr } = await veridict('validate', at('good.csv'), '--dictionary', at('wrong.json'))
    expect(status).toBe(2)
    const types = ruleTypes.map((type) => `${ruleNumbers[type]} ${ruleTypeNames[type]}`)
    for (const sentence of [
      'Field 1, itemName: Name is required',
      `Field 1, ruleType: it must be ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
      "Field 2, 'A', format: A valid date format is required.",
      "Field 3, 'a', regularExpression: This regular expression cannot be used: look-ahead",
      "Field 3, 'a', itemName: 'a' is already the name of field 2.",
      "Field 4, 'C', ruleConfig: The rule configuration is not valid for this type.",
      'It may hold scale, min and max.',
    ])
      expect(stderr).toContain(sentence)
  })
})

// Only on Linux: a device that is as full as a disk can be.
const fullDisks = existsSync('/dev/full') ? ['/dev/full'] : []
describe.for(fullDisks)('Output that cannot be written because the disk is full (%s)', (path) => {
  it.for([
    ['validate', 'good.csv', '--json'],
    ['validate', 'bad.csv'],
    ['correct', 'bad.csv', '--out', 'full.csv'],
    ['read', 'good.csv', '--json'],
    ['infer', 'good.csv'],
    ['--help'],
  ])('%s %s: exit code 2 and the reason', ([command, file, ...options]) => {
    const dictionary = ['validate', 'correct'].includes(command)
      ? ['--dictionary', at('dictionary.json')]
      : []
    const paths = options.map((option) => (option.startsWith('--') ? option : at(option)))
    const args = [main, command, ...(file === undefined ? [] : [at(file), ...dictionary, ...paths])]
    const full = openSync(path, 'w')
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringContaining('ENOSPC')])
  })
})

describe('A bug', () => {
  // In the process of the command, and in the one that does the work of an operator's command.
  it.for([
    { args: ['validate', 'good.csv', '--dictionary', 'dictionary.json'], program: 'main.mjs' },
    { args: ['check'], program: 'main.mjs' },
    { args: ['check'], program: 'check.ts' },
    { args: ['audit', 'verify'], program: 'verify-audit.ts' },
    { args: ['backup', 'copy'], program: 'back-up.ts' },
    { args: ['restore', 'copy'], program: 'restore.ts' },
    { args: ['migrate'], program: 'migrate.ts' },
  ])('$args: exit code 2 and the error ($program)', ({ args, program }) => {
    // Thrown as soon as errors are handled, so that no program loads its other modules.
    const bug =
      `if (process.argv[1].endsWith('/${program}')) process.on('newListener', (name) => ` +
      `name === 'uncaughtException' && queueMicrotask(() => { throw new Error('a bug') }))`
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: `--import="data:text/javascript,${bug}"` },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([2, expect.stringContaining('Error: a bug')])
  })
})
