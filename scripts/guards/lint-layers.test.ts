import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Refusal } from '../lint/layer-rule.ts'
import { layerRules } from '../lint/layer-rules.ts'
import { publicFiles } from '../lint/server-layers.ts'

/**
 * A lint rule that finds nothing may simply not work. So these tests break each refusal on purpose, in a
 * temporary folder with the same configuration.
 */
const ROOT = join(import.meta.dirname, '../..')
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint')

/** For each regular expression an import that it must refuse; from globs an import is generated. */
const importsOfRegex: Record<string, string> = {
  '^node:': 'node:fs',
  '^@veridict/engine$': '@veridict/engine',
}

function refusedImports(refusal: Refusal): string[] {
  if ('regex' in refusal) return [importsOfRegex[refusal.regex]]
  const globs = refusal.group.filter((glob) => !glob.startsWith('!'))
  return globs.map((glob) => glob.replace('/**', '/planted.ts').replace('*', 'planted-package'))
}

/** One file for each import that a rule refuses. */
const planted = layerRules
  .flatMap(({ folder, files, refusals }) =>
    refusals.flatMap((refusal) =>
      refusedImports(refusal).map((specifier) => ({
        folder,
        specifier,
        message: refusal.message,
        names: files?.[0] ?? `${folder}/*.ts`,
      })),
    ),
  )
  .map((plant, number) => ({ ...plant, file: fileOf(plant.names, `planted-${number}`) }))

/** A file whose path fits a glob. */
function fileOf(glob: string, name: string): string {
  return glob.replace('**/', '').replace('*', name)
}

/** Imports that every folder allows: without them a rule that refuses everything would pass all tests. */
const harmless = layerRules.map(({ folder, files }) => ({
  folder,
  file: fileOf(files?.[0] ?? `${folder}/*.ts`, 'harmless'),
}))

describe('The rules of layers', () => {
  let copy = ''
  let refusals: { filename: string; help?: string; message: string; code: string }[] = []

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'veridict-layers-'))
    for (const part of ['oxlint.config.ts', 'scripts/lint'])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    for (const feature of globSync('apps/web/src/features/*', { cwd: ROOT }))
      mkdirSync(join(copy, feature), { recursive: true })
    for (const { file, specifier } of planted) plant(file, `import '${specifier}'\n`)
    for (const { file } of harmless) plant(file, `import './neighbour.ts'\nimport '#limits.ts'\n`)
    plant('packages/contract/src/cycle-a.ts', `import { b } from './cycle-b.ts'\nexport const a = () => b\n`)
    plant('packages/contract/src/cycle-b.ts', `import { a } from './cycle-a.ts'\nexport const b = () => a\n`)
    plant(
      'packages/contract/src/type-a.ts',
      `import type { B } from './type-b.ts'\nexport type A = { b: B }\n`,
    )
    plant(
      'packages/contract/src/type-b.ts',
      `import type { A } from './type-a.ts'\nexport type B = { a: A }\n`,
    )
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

  it.for([...new Set(planted.map(({ folder }) => folder))])('%s may not import what is refused', (folder) => {
    const imported = planted.filter(
      ({ folder: of, file, message }) =>
        of === folder && !refusalsOf(file).some(({ help }) => help === message),
    )
    expect(imported.map(({ specifier }) => specifier)).toEqual([])
  })

  it.for(harmless)('$folder may import a file beside it', ({ file }) => {
    expect(refusalsOf(file)).toEqual([])
  })

  it.for(['cycle-a.ts', 'type-a.ts'])('a cycle of imports is refused, also of types only: %s', (file) => {
    const inCycle = refusals.filter(({ filename }) => filename === `packages/contract/src/${file}`)
    expect(inCycle.map(({ code }) => code)).toContain('import(no-cycle)')
  })

  it('no folder with a rule lies inside another: of two overrides for a file oxlint ignores one', () => {
    const folders = layerRules.filter(({ files }) => files === undefined).map(({ folder }) => `${folder}/`)
    expect(
      folders.filter((folder, at) =>
        folders.some((other, index) => index !== at && folder.startsWith(other)),
      ),
    ).toEqual([])
  })

  it.for([
    ['packages/engine/src', 'engineFolders', []],
    ['apps/server/src', 'publicFiles', ['commands', 'platform', 'test']],
    ['apps/server/src/platform', 'platformFolders', []],
  ] as const)('every folder of %s has a rule; a new folder needs a line in %s', ([parent, , others]) => {
    const folders = globSync(`${parent}/*/`, { cwd: ROOT })
    const free = others.map((name) => `${parent}/${name}`)
    const ruled = layerRules.map(({ folder }) => folder)
    expect(folders.filter((folder) => !ruled.includes(folder) && !free.includes(folder))).toEqual([])
  })

  const ofServer = globSync('apps/server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).map(
    (path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
  )
  const named = Object.entries(publicFiles).flatMap(([noun, files]) => files.map((file) => ({ noun, file })))
  it.for(named)('$noun/$file is imported by another noun', ({ noun, file }) => {
    const importers = ofServer.filter(
      ({ path, text }) => !path.startsWith(`apps/server/src/${noun}/`) && text.includes(`'#${noun}/${file}'`),
    )
    const nouns = importers.filter(({ path }) => Object.keys(publicFiles).includes(path.split('/')[3]))
    expect(nouns).not.toEqual([])
  })
})
