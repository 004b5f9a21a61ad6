import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshBundle } from '#fresh-bundle.ts'
import { commandLine, makeBundle } from '#make-bundle.ts'

let scratch: string
const at = (name: string) => join(scratch, name)

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'veridict-bundle-'))
})
afterAll(() => rmSync(scratch, { recursive: true }))

describe('A bundle', () => {
  const folder = () => at('original/dist')
  const part = () => at('original/part.ts')

  beforeEach(async () => {
    mkdirSync(at('original'), { recursive: true })
    writeFileSync(
      at('original/run.ts'),
      `import { part } from './part.ts'\nexport const run: () => string = () => part\n`,
    )
    writeFileSync(part(), `export const part: string = 'original'\n`)
    await makeBundle({ folder: folder(), entries: { run: at('original/run.ts') }, together: /run\.ts$/ })
  })

  const runBundle = async (address: string) => ((await import(address)) as { run: () => string }).run()

  it('is used while its sources are unchanged', async () => {
    expect(await runBundle(freshBundle(folder())!)).toBe('original')
  })

  it.for([
    {
      why: 'a source is longer',
      change: () => writeFileSync(part(), `export const part: string = 'original, and more'\n`),
    },
    { why: 'a source was written again', change: () => utimesSync(part(), new Date(), new Date(2020, 1, 1)) },
    { why: 'a source is gone', change: () => rmSync(part()) },
    { why: 'its list of sources is missing', change: () => rmSync(join(folder(), 'built-from.json')) },
  ])('is not used where $why', ({ change }) => {
    change()
    expect(freshBundle(folder())).toBeNull()
  })

  it('is used in a copy of its checkout until a source changes there', async () => {
    // Keeps the times of the last change, to the nanosecond, which cpSync does not.
    execFileSync('cp', ['-a', at('original'), at('copied')])
    const address = freshBundle(at('copied/dist'))!
    expect(address).toBe(pathToFileURL(at('copied/dist/run.mjs')).href)
    expect(await runBundle(address)).toBe('original')
    writeFileSync(at('copied/part.ts'), `export const part: string = 'changed in the copy'\n`)
    expect(freshBundle(at('copied/dist'))).toBeNull()
    expect(freshBundle(folder())).not.toBeNull()
  })
})

describe('The bundled command line', () => {
  const FIELDS = [
    {
      itemName: 'Id',
      description: '',
      category: '',
      ruleType: 1,
      isRequired: true,
      ruleConfig: { scale: 0, max: 900 },
    },
    {
      itemName: 'Name',
      description: '',
      category: '',
      ruleType: 3,
      isRequired: true,
      ruleConfig: { regularExpression: '\\p{L}+' },
    },
  ]
  const addresses: Record<'sources' | 'bundle', string> = { sources: '', bundle: '' }

  /** What a command prints, its exit code, and every file that it writes. */
  function outcome(form: keyof typeof addresses, args: readonly string[]) {
    const out = mkdtempSync(at(`${form}-`))
    const script =
      `const { run } = await import(${JSON.stringify(addresses[form])}); ` +
      'process.exitCode = await run(process.argv.slice(1))'
    const words = args.map((arg) => arg.replace('OUT', out))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', script, '--', ...words],
      {
        encoding: 'utf8',
      },
    )
    return {
      status,
      stdout,
      stderr,
      files: readdirSync(out).map((name) => [name, readFileSync(join(out, name)).toString('base64')]),
    }
  }

  beforeAll(async () => {
    await makeBundle({ ...commandLine, folder: at('bundle') })
    addresses.bundle = freshBundle(at('bundle'))!
    addresses.sources = pathToFileURL(join(import.meta.dirname, 'run.ts')).href
    writeFileSync(at('dictionary.json'), JSON.stringify({ name: 'People', fields: FIELDS }))
    writeFileSync(at('people.csv'), 'Id,Name\n1,Zoë\n901,Ann\n2,R2\n')
    writeFileSync(at('ids.json'), JSON.stringify({ name: 'Ids', fields: FIELDS.slice(0, 1) }))
    // Large enough for several threads, with a bad cell at the end.
    writeFileSync(at('ids.csv'), `Id\n${`${'0'.repeat(14)}7\n`.repeat(4_300_000)}x\n`)
  })

  it.for([
    { output: 'a verdict', args: ['validate', 'people.csv', '--dictionary', 'dictionary.json'] },
    {
      output: 'the verdict of several threads',
      args: ['validate', 'ids.csv', '--dictionary', 'ids.json', '--json'],
    },
    {
      output: 'error files',
      args: [
        'validate',
        'people.csv',
        '--dictionary',
        'dictionary.json',
        '--errors',
        'OUT/e.xlsx',
        '--highlighted',
        'OUT/h.xlsx',
      ],
    },
    { output: 'a template', args: ['template', 'OUT/t.xlsx', '--dictionary', 'dictionary.json'] },
    { output: 'a dictionary from a sample', args: ['infer', 'people.csv'] },
    { output: 'the cells of a file', args: ['read', 'people.csv', '--json'] },
    { output: 'a refusal', args: ['validate', 'people.csv'] },
  ])('gives $output as its sources do', ({ args }) => {
    const words = args.map((arg) => (/\.(csv|json)$/.test(arg) ? at(arg) : arg))
    const bundled = outcome('bundle', words)
    expect(bundled.stdout + bundled.stderr + bundled.files.join('')).not.toBe('')
    expect(bundled).toEqual(outcome('sources', words))
  })
})
