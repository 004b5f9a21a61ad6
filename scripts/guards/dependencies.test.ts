import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
type Manifest = Partial<Record<(typeof kinds)[number], Record<string, string>>>

const manifests = globSync(
  ['package.json', 'bench/{,peers/}package.json', '{apps,packages}/*/package.json'],
  { cwd: ROOT },
)

const { dependencies: rootDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Manifest

/** The rows of each `##` section of docs/DEPENDENCIES.md: package and reason. */
const sections = new Map(
  readFileSync(join(ROOT, 'docs/DEPENDENCIES.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), rowsOf(section)] as const),
)

function rowsOf(section: string): { name: string; why: string }[] {
  return [...section.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = '', why = '']) => ({
    name,
    why: why.trim(),
  }))
}

function directDependencies(manifest: string): string[] {
  const parsed = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8')) as Manifest
  return kinds
    .flatMap((kind) => Object.keys(parsed[kind] ?? {}))
    .filter((name) => !name.startsWith('@veridict/'))
}

describe('docs/DEPENDENCIES.md', () => {
  it.for(manifests)('has a row for each dependency of %s, and no other', (manifest) => {
    const section = manifest === 'package.json' ? manifest : dirname(manifest)
    const rows = (sections.get(section) ?? []).map(({ name }) => name)
    expect(rows.toSorted(), `Edit the section "${section}" of docs/DEPENDENCIES.md.`).toEqual(
      directDependencies(manifest).toSorted(),
    )
  })

  it('gives a reason in each row', () => {
    const rows = [...sections.values()].flat()
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ why }) => why.length < 3)).toEqual([])
  })
})

/** `npm start` and the container image install no `devDependencies`. */
describe.for(manifests.filter((manifest) => /^(?:apps|packages)/.test(manifest)))('%s', (manifest) => {
  it('has in its dependencies every package that its sources import, tests aside', () => {
    const folder = dirname(manifest)
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8')) as Manifest
    const sources = globSync(`${folder}/{,src/**/}*.{ts,tsx,mjs}`, { cwd: ROOT }).filter(
      (file) => !/\.test\.tsx?$|\/src\/test\//.test(file),
    )
    const imported = sources.flatMap((file) => packagesImportedBy(readFileSync(join(ROOT, file), 'utf8')))
    expect(sources.length).toBeGreaterThan(0)
    const known = Object.keys({ ...dependencies, ...rootDependencies })
    expect([...new Set(imported)].filter((name) => !known.includes(name))).toEqual([])
  })
})

/**
 * The packages of `import … from 'x'`, `import 'x'` and `import('x')`. Left out: imports of types only,
 * files, `#…` and modules of Node.
 */
function packagesImportedBy(text: string): string[] {
  const code = text.replaceAll(/^\s*(?:import|export) type [^']*'[^']*'/gm, '')
  return [...code.matchAll(/(?:\bfrom |\bimport ?\(?)'((?:@[\w-]+\/)?[\w-][\w.-]*)[^']*'/g)]
    .map(([, name]) => name)
    .filter((name) => !isBuiltin(name) && name !== 'node')
}

it('the lock file has no package that we replaced because of its vulnerabilities', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  const names = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''))
  expect(names).toContain('fastify')
  // xlsx 0.18.5, its last release on npm, allows prototype pollution and has slow regular expressions.
  expect(names).not.toContain('xlsx')
})
