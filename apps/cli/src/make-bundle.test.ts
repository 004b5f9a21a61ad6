import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CODE_ENDING, freshBundle, LATER_FILE, loadBundle } from '#fresh-bundle.ts'
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
    rmSync(folder(), { recursive: true, force: true })
    made = await make()
  })

  let made: string
  const make = () =>
    makeBundle({
      folder: folder(),
      entries: { run: at('original/run.ts') },
      together: /run\.ts$/,
      calls: { run: [null] },
    })
  const runBundle = (bundle: string) => (loadBundle(join(bundle, 'run.cjs')) as { run: () => string }).run()
  const code = () => join(made, `run.cjs${CODE_ENDING}`)

  it('is used while its sources are unchanged', () => {
    expect(runBundle(freshBundle(folder())!)).toBe('original')
  })

  it('has the text of its sources in ASCII', async () => {
    writeFileSync(part(), `export const part: string = 'é' + /😀/u.exec('a😀')![0] + \`–\`\n`)
    expect(runBundle(await make())).toBe('é😀–')
  })

  it('is not made where an escape would mean something else', async () => {
    writeFileSync(part(), 'export const part: string = String.raw`é${process.pid}`\n')
    await expect(make()).rejects.toThrow('An escape would mean something else')
  })

  it('is complete or not there', async () => {
    const failing = makeBundle({ folder: at('new/dist'), entries: { run: at('none.ts') }, together: /x/ })
    await expect(failing).rejects.toThrow()
    expect(freshBundle(at('new/dist'))).toBeNull()
    expect(readdirSync(at('new/dist'))).toEqual([])
  })

  it('replaces another for commands that start, not for those that run', async () => {
    writeFileSync(part(), `export const part: string = 'changed'\n`)
    await make()
    expect(runBundle(freshBundle(folder())!)).toBe('changed')
    expect(runBundle(made)).toBe('original')
  })

  it('removes others an hour after they were replaced', async () => {
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
    utimesSync(made, twoHoursAgo, twoHoursAgo)
    await make()
    expect(runBundle(made)).toBe('original')
    utimesSync(join(made, 'replaced'), twoHoursAgo, twoHoursAgo)
    const newest = await make()
    expect(existsSync(made)).toBe(false)
    expect(freshBundle(folder())).toBe(newest)
  })

  it('is found where several are made at once', async () => {
    const bundles = await Promise.all([make(), make(), make()])
    expect(new Set(bundles).size).toBe(3)
    expect(bundles).toContain(freshBundle(folder()))
    for (const bundle of bundles) expect(runBundle(bundle)).toBe('original')
  })

  it('is used without code where its calls fail', async () => {
    writeFileSync(part(), `throw new Error('fails')\nexport const part: string = 'failing'\n`)
    made = await make()
    expect(existsSync(code())).toBe(false)
    expect(freshBundle(folder())).toBe(made)
  })

  it.for([
    {
      why: 'a source is longer',
      change: () => writeFileSync(part(), `export const part: string = 'original, and more'\n`),
    },
    {
      why: 'a source has other bytes, as many',
      change: () => writeFileSync(part(), `export const part: string = 'ORIGINAL'\n`),
    },
    { why: 'a source is gone', change: () => rmSync(part()) },
    { why: 'its code is damaged', change: () => writeFileSync(code(), readFileSync(code()).fill(7, 64)) },
    { why: 'its code is cut', change: () => truncateSync(code(), 64) },
    { why: 'its code is gone', change: () => rmSync(code()) },
    { why: 'one of its files is cut', change: () => truncateSync(join(made, 'run.cjs'), 9) },
    { why: 'the list of its files is missing', change: () => rmSync(join(folder(), 'built-from.json')) },
  ])('is not used where $why', ({ change }) => {
    change()
    expect(freshBundle(folder())).toBeNull()
  })

  // -a keeps the times of the last change, to the nanosecond.
  it.for(['-a', '-r'])('is used in a copy of its checkout (cp %s) until a source changes there', (option) => {
    rmSync(at('copied'), { recursive: true, force: true })
    execFileSync('cp', [option, at('original'), at('copied')])
    expect(freshBundle(at('copied/dist'), true) !== null).toBe(option === '-a')
    const bundle = freshBundle(at('copied/dist'))!
    expect(bundle).toBe(join(at('copied/dist'), basename(made)))
    expect(runBundle(bundle)).toBe('original')
    writeFileSync(at('copied/part.ts'), `export const part: string = 'CHANGED!'\n`)
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
  /** Scripts that load the command line. `bundle` fails if V8 does not use the stored code. */
  const loaders = { sources: '', bundle: '', 'bundle, code of another V8': '', 'bundle without causes': '' }
  /** V8 refuses code that was compiled with other flags. */
  const flags: Partial<Record<keyof typeof loaders, string[]>> = {
    'bundle, code of another V8': ['--no-lazy'],
  }

  /** What a command prints, its exit code, and every file that it writes. */
  function outcome(form: keyof typeof loaders, args: readonly string[]) {
    const out = mkdtempSync(at('out-'))
    const script = `${loaders[form]}; process.exitCode = await run(process.argv.slice(1))`
    const words = args.map((arg) => arg.replace('OUT', out))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...(flags[form] ?? []), '--input-type=module', '-e', script, '--', ...words],
      { encoding: 'utf8' },
    )
    return {
      status,
      stdout,
      stderr,
      files: readdirSync(out).map((name) => [name, readFileSync(join(out, name)).toString('base64')]),
    }
  }

  beforeAll(async () => {
    const bundle = await makeBundle({ ...commandLine, folder: at('bundle') })
    cpSync(bundle, at('withoutCauses'), { recursive: true })
    rmSync(at(`withoutCauses/${LATER_FILE}`))
    const loader = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'fresh-bundle.ts')).href)
    const load = (isRefused: boolean, folder = bundle) =>
      `const { loadBundle } = await import(${loader}); const scripts = new Map(); ` +
      `const { run } = loadBundle(${JSON.stringify(join(folder, 'run.cjs'))}, scripts); ` +
      `for (const { cachedDataRejected } of scripts.values()) ` +
      `if (cachedDataRejected !== ${isRefused}) throw new Error('Other code than expected')`
    loaders.bundle = load(false)
    loaders['bundle, code of another V8'] = load(true)
    loaders['bundle without causes'] = load(false, at('withoutCauses'))
    const sources = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'run.ts')).href)
    loaders.sources = `const { run } = await import(${sources})`
    writeFileSync(at('dictionary.json'), JSON.stringify({ name: 'People', fields: FIELDS }))
    writeFileSync(at('people.csv'), 'Id,Name\n1,Zoë\n901,Ann\n2,R2\n')
    writeFileSync(at('right.csv'), 'Id\n1\n2\n')
    writeFileSync(at('ids.json'), JSON.stringify({ name: 'Ids', fields: FIELDS.slice(0, 1) }))
    // Large enough for several threads, with a bad cell at the end.
    writeFileSync(at('ids.csv'), `Id\n${`${'0'.repeat(14)}7\n`.repeat(4_300_000)}x\n`)
  })

  it.for<{ output: string; args: string[]; forms?: (keyof typeof loaders)[] }>([
    {
      output: 'a verdict',
      args: ['validate', 'people.csv', '--dictionary', 'dictionary.json'],
      forms: ['bundle', 'bundle, code of another V8'],
    },
    {
      output: 'the verdict of a right file',
      args: ['validate', 'right.csv', '--dictionary', 'ids.json', '--json'],
      forms: ['bundle', 'bundle without causes'],
    },
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
      forms: ['bundle', 'bundle, code of another V8'],
    },
    { output: 'a template', args: ['template', 'OUT/t.xlsx', '--dictionary', 'dictionary.json'] },
    { output: 'a dictionary from a sample', args: ['infer', 'people.csv'] },
    { output: 'the cells of a file', args: ['read', 'people.csv', '--json'] },
    { output: 'a refusal', args: ['validate', 'people.csv'] },
  ])('gives $output as its sources do', ({ args, forms = ['bundle'] }) => {
    const words = args.map((arg) => (/\.(csv|json)$/.test(arg) ? at(arg) : arg))
    const expected = outcome('sources', words)
    expect(expected.stdout + expected.stderr + expected.files.join('')).not.toBe('')
    for (const form of forms) expect(outcome(form, words)).toEqual(expected)
  })
})
