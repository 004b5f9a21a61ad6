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

type BuiltFile = Pick<Rolldown.OutputChunk, 'fileName' | 'code' | 'isEntry' | 'imports' | 'moduleIds'> &
  Pick<Rolldown.OutputChunk, 'facadeModuleId'> & { type: 'chunk' | 'asset'; source: string }

/** Prints the built files as JSON. Sources of other files than texts are not needed. */
const buildPage = `
  import { build } from 'vite'
  const { output } = await build({ mode: 'production', logLevel: 'error', build: { write: false } })
  const files = output.map(({ type, fileName, code, source, isEntry, imports, moduleIds, facadeModuleId }) =>
    ({ type, fileName, code, isEntry, imports, moduleIds, facadeModuleId,
       source: typeof source === 'string' ? source : '' }))
  process.stdout.write(JSON.stringify(files))`

let files: BuiltFile[]

// In a process of its own: React decides once for a process whether it is its production build, and another
// test may have loaded the other one.
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', buildPage], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: Infinity,
  })
  files = JSON.parse(stdout) as BuiltFile[]
}, 120_000)

describe('/login', () => {
  it(`loads at most ${maxLoginScripts / 1000} kB of compressed scripts`, () => {
    const beforePaint = files.filter(({ fileName }) => fileName.startsWith('assets/before-paint-'))
    expect(beforePaint).toHaveLength(1)
    const sources = [
      ...loginChunks().map(({ code }) => code),
      ...beforePaint.map(({ type, source, code }) => (type === 'asset' ? source : code)),
    ]
    const sizes = sources.map((source) => gzipSync(source, { level: 9 }).length)
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
    const html = files.find(({ fileName }) => fileName === 'index.html')?.source ?? ''
    expect(html).toContain('>Welcome back</h1>')
    const styles = files.filter(({ fileName }) => html.includes(fileName) && fileName.endsWith('.css'))
    const css = styles.map(({ source }) => source).join('')
    const [, ownClass] = /<h1 class="([^"]+)"/.exec(html) ?? []
    expect(css).toContain(`.${ownClass}{`)
  })
})

describe('A clerk', () => {
  it.for(forClerks)('loads nothing of administrators with %s', (entry) => {
    const begin = chunks().find(({ facadeModuleId }) => facadeModuleId === join(root, entry))
    expect(begin, `a chunk of ${entry}`).toBeDefined()
    const parts = forAdministrators.map((part) => join(root, part))
    const modules = modulesOf(begin ? withImports(begin) : [])
    expect(modules.filter((id) => parts.some((part) => id.startsWith(part)))).toEqual([])
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
