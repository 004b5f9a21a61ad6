import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * The floors (who may import whom) stand in .oxlintrc.json. A rule that silently does nothing looks exactly
 * like a rule that is kept, so each is broken here on purpose, in a copy of the folders, and must be seen.
 */
const ROOT = join(import.meta.dirname, '../..')
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint')

type Pattern = { group?: string[]; regex?: string; message: string }
type Floor = { files: string[]; rules: { 'no-restricted-imports': [string, { patterns: Pattern[] }] } }
const floors = (JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as { overrides: Floor[] })
  .overrides

/** An import that each regular expression must refuse; the globs are turned into imports by themselves. */
const brokenBy: Record<string, string> = { '^node:': 'node:fs', '^@veridict/engine$': '@veridict/engine' }

function importsAgainst({ group, regex }: Pattern): string[] {
  if (regex !== undefined) return [brokenBy[regex]]
  const globs = group?.filter((glob) => !glob.startsWith('!')) ?? []
  return globs.map((glob) => glob.replace('/**', '/planted.ts').replace('*', 'planted-package'))
}

/** One planted file per thing that a floor refuses. */
const plants = floors
  .flatMap(({ files, rules }) =>
    rules['no-restricted-imports'][1].patterns.map((pattern) => ({
      folder: files[0].replace('/**', ''),
      pattern,
    })),
  )
  .flatMap(({ folder, pattern }) =>
    importsAgainst(pattern).map((specifier) => ({ folder, specifier, message: pattern.message })),
  )
  .map((plant, number) => ({ ...plant, file: `${plant.folder}/planted-${number}.ts` }))

/** What every room may import; if this is refused, a floor refuses everything and its reds mean nothing. */
const harmless = floors.map((floor) => ({
  folder: floor.files[0].replace('/**', ''),
  file: join(floor.files[0].replace('/**', ''), 'harmless.ts'),
}))

describe('Lint floors', () => {
  let copy = ''
  let refusals: { filename: string; help?: string; message: string; code: string }[] = []

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'veridict-floors-'))
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(copy, '.oxlintrc.json'))
    for (const { file, specifier } of plants) plant(file, `import '${specifier}'\n`)
    for (const { file } of harmless) plant(file, `import './neighbour.ts'\nimport '#limits.ts'\n`)
    plant('packages/contract/src/cycle-a.ts', `import { b } from './cycle-b.ts'\nexport const a = () => b\n`)
    plant('packages/contract/src/cycle-b.ts', `import { a } from './cycle-a.ts'\nexport const b = () => a\n`)
    const { stdout } = spawnSync(process.execPath, [OXLINT, '-f', 'json'], {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    refusals = (JSON.parse(stdout) as { diagnostics: typeof refusals }).diagnostics
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  const plant = (file: string, code: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), code)
  }
  const refusalsOf = (file: string) =>
    refusals.filter(({ filename, code }) => filename === file && code.includes('no-restricted-imports'))

  it.for(plants)('$folder may not import $specifier', ({ file, message }) => {
    expect(refusalsOf(file).map(({ help }) => help)).toContain(message)
  })

  it.for(harmless)('$folder may import what stands beside it', ({ file }) => {
    expect(refusalsOf(file)).toEqual([])
  })

  it('a cycle of imports is refused', () => {
    expect(refusals.map(({ code }) => code)).toContain('import(no-cycle)')
  })

  it('no file meets two floors: of two overrides for one file, the first would silently not count', () => {
    const files = globSync(['packages/**/*.{ts,tsx}', 'apps/**/*.{ts,tsx}'], {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/dist/**'],
    })
    const meetsTwo = files.filter(
      (file) => floors.filter((floor) => floor.files.some((glob) => matchesGlob(file, glob))).length > 1,
    )
    expect(meetsTwo).toEqual([])
  })
  it('every feature of the page has a floor; a new one needs its override in .oxlintrc.json', () => {
    const features = globSync('apps/web/src/features/*', { cwd: ROOT })
    expect(
      features.filter((feature) => !floors.some((floor) => floor.files.includes(`${feature}/**`))),
    ).toEqual([])
  })
})
