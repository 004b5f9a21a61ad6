/**
 * Bundles the command line if its sources have changed: a few files instead of sixty, which halves the time
 * of a start. Run by `npm start`, `npm test` and `npm run bench`; without a fresh bundle the command line
 * runs from its sources (`fresh-bundle.ts`).
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { builtFromName, bundleFolder, CODE, freshBundle, type SourceFile } from '#fresh-bundle.ts'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'node_modules')

export type BundleRequest = {
  folder: string
  /** Name of a file of the bundle → its entry module. */
  entries: Readonly<Record<string, string>>
  /** The same for modules that threads start with; they share no file with the others. */
  threads?: Readonly<Record<string, string>>
  /** Modules that share one file with all their static imports; dynamic imports get files of their own. */
  together: RegExp
  /** Arguments for calls of `run`, which an entry exports; its code is kept as far as they need it. */
  calls?: Readonly<Record<string, readonly unknown[]>>
}

/**
 * Writes a bundle into a folder beside its own, with the list of its sources, and then replaces the old one:
 * code must never meet the source of another bundle.
 */
export async function makeBundle({ folder, ...request }: BundleRequest): Promise<void> {
  const staging = `${folder}.${process.pid}`
  try {
    const sources = await writeBundle(staging, request)
    const list: SourceFile[] = sources.map(([path, ...rest]) => [relative(staging, path), ...rest])
    writeFileSync(join(staging, builtFromName), JSON.stringify(list))
    rmSync(folder, { recursive: true, force: true })
    renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function writeBundle(
  folder: string,
  { entries, threads = {}, together, calls = {} }: Omit<BundleRequest, 'folder'>,
): Promise<SourceFile[]> {
  const sources = new Map<string, SourceFile>()
  const note = (path: string) => {
    const { mtimeMs, size } = statSync(path)
    if (!sources.has(path)) sources.set(path, [path, mtimeMs, size])
  }
  // Stands for all installed packages: npm writes it whenever one of them changes.
  note(join(packages, '.package-lock.json'))
  note(import.meta.filename)
  // Noted before it is read: a later change makes the bundle stale.
  const load = (id: string) => {
    if (isAbsolute(id) && !id.startsWith(packages)) note(id)
    return null
  }
  const plugins = [{ name: 'note-sources', load }]
  // CommonJS, because only of a script V8 gives the code that it has compiled so far.
  const bundle = await rolldown({ input: { ...entries }, platform: 'node', plugins })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    // `import()` in a script would need an experimental option of Node, which prints a warning.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: { groups: [{ name: 'core', test: together }] },
  })
  await bundle.close()
  if (Object.keys(threads).length > 0) {
    const others = await rolldown({ input: { ...threads }, platform: 'node', plugins })
    await others.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'thread-[name].mjs' })
    await others.close()
  }
  for (const [name, inputs] of Object.entries(calls)) writeCode(join(folder, `${name}.cjs`), inputs)
  for (const name of readdirSync(folder)) if (name.endsWith(CODE)) note(join(folder, name))
  return [...sources.values()]
}

/** In a process of its own, which has compiled nothing else. Without code the bundle is only slower. */
function writeCode(path: string, inputs: readonly unknown[]): void {
  const writer = join(import.meta.dirname, 'write-code.ts')
  const { status, stderr } = spawnSync(process.execPath, [writer, path, JSON.stringify(inputs)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) console.error(`The code of ${path} could not be written: ${stderr}`)
}

const samples = join(root, 'samples')
/** What a new bundle validates once, so that the code for bad cells is kept: of each kind one file. */
export const sampleFiles = ['csv', 'xlsx'].map((kind) => join(samples, `claims-with-errors.${kind}`))
export const sampleDictionary = join(samples, 'dictionaries/medical-claims.json')
const validateCalls = (...options: string[]) =>
  sampleFiles.map((path) => ['validate', path, '--dictionary', sampleDictionary, ...options])

export const commandLine: Omit<BundleRequest, 'folder'> = {
  entries: { run: join(import.meta.dirname, 'run.ts') },
  // A thread is started by path, so this file must be beside the module that starts it.
  threads: { 'range-thread': join(root, 'packages/engine-node/src/range-thread.mjs') },
  together: /apps.cli.src.(run|commands.validate)\.ts$/,
  calls: { run: [...validateCalls('--json'), ...validateCalls()] },
}

if (import.meta.main && freshBundle() === null) {
  try {
    await makeBundle({ ...commandLine, folder: bundleFolder })
  } catch (error) {
    // For example a folder without write permission: only the start becomes slower.
    console.error(
      `The command line could not be bundled and runs from its sources: ${(error as Error).message}`,
    )
  }
}
