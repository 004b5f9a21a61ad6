import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

/** Bytes of all scripts of /login, compressed with gzip. Ours: 1.6 Mbit/s carry them in 0.6 seconds. */
const maxLoginScripts = 120_000

const root = import.meta.dirname
/** What only administrators see. */
const forAdministrators = [
  'src/features/audit/',
  'src/features/companies/',
  'src/features/dictionaries/',
  'src/features/fields/',
  'src/features/users/',
  'src/screens/admin-home.tsx',
  'src/screens/audit-trail.tsx',
  'src/screens/companies.tsx',
  'src/screens/company-create.tsx',
  'src/screens/company-edit.tsx',
  'src/screens/dictionaries.tsx',
  'src/screens/dictionary-create.tsx',
  'src/screens/dictionary-edit.tsx',
  'src/screens/dictionary-import.tsx',
  'src/screens/field-edit.tsx',
  'src/screens/rule-edit.tsx',
  'src/screens/mails.tsx',
  'src/screens/operation.tsx',
  'src/screens/settings.tsx',
]
const forClerks = [
  'src/app/router.tsx',
  'src/app/shell.tsx',
  'src/app/overlays.tsx',
  'src/lib/session/keep-fresh.ts',
  'src/screens/user-home.tsx',
  'src/screens/file-upload.tsx',
  'src/screens/file-error.tsx',
  'src/screens/receipt.tsx',
  'src/screens/sessions.tsx',
]

/** A file of the page; scripts also have their modules, as paths from here. */
type BuiltFile = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'moduleIds'> &
  Pick<Rolldown.OutputChunk, 'facadeModuleId'> & { type: 'chunk' | 'asset' }

let files: BuiltFile[]

beforeAll(async () => {
  // Does nothing if the page is built.
  await promisify(execFile)(process.execPath, [join(root, '../../scripts/build-page.mjs')])
  files = JSON.parse(readFileSync(join(root, 'dist/.parts.json'), 'utf8')) as BuiltFile[]
}, 120_000)

const contentOf = ({ fileName }: BuiltFile) => readFileSync(join(root, 'dist', fileName), 'utf8')

describe('/login', () => {
  it(`loads at most ${maxLoginScripts / 1000} kB of compressed scripts`, () => {
    const beforePaint = files.filter(({ fileName }) => fileName.startsWith('assets/before-paint-'))
    expect(beforePaint).toHaveLength(1)
    const sizes = [...loginChunks(), ...beforePaint].map(
      (script) => gzipSync(contentOf(script), { level: 9 }).length,
    )
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maxLoginScripts)
  })

  it('is one script, so that none waits for another', () => {
    expect(loginChunks()).toHaveLength(1)
  })

  it.for(['/node_modules/zod/', '/node_modules/react-router/', '/@tanstack/', 'src/features/submissions/'])(
    'loads nothing of %s',
    (part) => {
      expect(modulesOf(loginChunks()).filter((id) => id.includes(part))).toEqual([])
    },
  )

  it('is painted from the page itself', () => {
    const html = readFileSync(join(root, 'dist/index.html'), 'utf8')
    expect(html).toContain('>Welcome back</h1>')
    const styles = files.filter(({ fileName }) => html.includes(fileName) && fileName.endsWith('.css'))
    const css = styles.map(contentOf).join('')
    const [, ownClass] = /<h1 class="([^"]+)"/.exec(html) ?? []
    expect(css).toContain(`.${ownClass}{`)
  })
})

describe('A clerk', () => {
  it.for(forClerks)('loads nothing of administrators with %s', (entry) => {
    const begin = chunks().find(({ facadeModuleId }) => facadeModuleId === entry)
    expect(begin, `a chunk of ${entry}`).toBeDefined()
    const modules = modulesOf(begin ? withImports(begin) : [])
    expect(modules.filter((id) => forAdministrators.some((part) => id.startsWith(part)))).toEqual([])
  })

  it.for(forAdministrators)('could load %s', (part) => {
    expect(existsSync(join(root, part))).toBe(true)
  })

  it('has no other screens than these and those of visitors', () => {
    const router = readFileSync(join(root, 'src/app/router.tsx'), 'utf8')
    const screens = [...router.matchAll(/import\('#(screens\/[^']+)'\)/g)].map(([, file]) => `src/${file}`)
    const others = ['about-us', 'forgot-password', 'set-password'].map((name) => `src/screens/${name}.tsx`)
    const known = [...forAdministrators, ...forClerks, ...others]
    expect(
      screens.filter((file) => !known.includes(file)),
      'Say above who sees these screens.',
    ).toEqual([])
  })
})

const chunks = () => files.filter((file) => file.type === 'chunk')
const loginChunks = () =>
  chunks()
    .filter(({ isEntry }) => isEntry)
    .flatMap(withImports)
const modulesOf = (loaded: BuiltFile[]) => loaded.flatMap(({ moduleIds }) => moduleIds)

/** A chunk and all that load before it. */
function withImports(begin: BuiltFile): BuiltFile[] {
  const loaded = new Set([begin])
  for (const { imports } of loaded)
    for (const file of chunks()) if (imports.includes(file.fileName)) loaded.add(file)
  return [...loaded]
}
