/**
 * Bundles the command line if its sources have changed: a few files instead of sixty halve the time of a
 * start. For `npm start`, `npm test` and `npm run bench`; without a fresh bundle the sources run.
 */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import {
  type BuiltFile,
  type BuiltFrom,
  builtFromName,
  bundleFolder,
  digestOf,
  freshBundle,
  LATER_FILE,
} from '#fresh-bundle.ts'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'node_modules')

/** A replaced bundle is removed after this time: until then commands that run may load more of its files. */
const KEPT_MILLISECONDS = 60 * 60 * 1000
/** A file in a replaced bundle, written at that time. */
const REPLACED = 'replaced'

export type BundleRequest = {
  /** The folder of all bundles. */
  folder: string
  /** For each file of the bundle, the path of its entry module. */
  entries: Readonly<Record<string, string>>
  /** Entries of threads, by file name, too; they share no file with the others. */
  threads?: Readonly<Record<string, string>>
  /** Modules that share one file with all their static imports; dynamic imports get files of their own. */
  together: RegExp
  /** For calls of `run`, which an entry exports: the code that V8 compiles for these calls is stored. */
  calls?: Readonly<Record<string, readonly unknown[]>>
}

/**
 * Writes a bundle into a folder of its own and then names it as the newest: a command that starts or runs
 * meanwhile never mixes the files of two bundles. Returns the folder.
 */
export async function makeBundle({ folder, ...request }: BundleRequest): Promise<string> {
  const name = crypto.randomUUID()
  const bundle = join(folder, name)
  fs.mkdirSync(bundle, { recursive: true })
  try {
    const files = await writeBundle(bundle, request)
    const list: BuiltFrom = {
      bundle: name,
      files: files.map(([path, ...rest]) => [relative(folder, path), ...rest]),
    }
    const written = join(bundle, builtFromName)
    fs.writeFileSync(written, JSON.stringify(list), { flush: true })
    fs.renameSync(written, join(folder, builtFromName))
  } catch (error) {
    fs.rmSync(bundle, { recursive: true, force: true })
    throw error
  }
  removeOld(folder, name)
  return bundle
}

function removeOld(folder: string, newest: string): void {
  const others = fs.readdirSync(folder).filter((name) => name !== newest && name !== builtFromName)
  for (const path of others.map((name) => join(folder, name))) {
    const { mtimeMs } = fs.statSync(join(path, REPLACED), { throwIfNoEntry: false }) ?? {}
    if (mtimeMs === undefined) fs.writeFileSync(join(path, REPLACED), '')
    else if (mtimeMs < Date.now() - KEPT_MILLISECONDS) fs.rmSync(path, { recursive: true, force: true })
  }
}

/** What only files with errors need: half of the code. */
const later = {
  name: basename(LATER_FILE, '.cjs'),
  test: new RegExp(
    '/engine/src/(?:causes/(?!find-second)|header/(?!check-header|pair-columns)|likeness/(?!clean-text)|' +
      'known/(?!heading|iban|placeholder)|row-structure)|/contract/src/(?:messages/(?:cause|notices|' +
      'row-rules|structure|template)|notation/(?:excel|rule))',
  ),
  priority: 1,
  includeDependenciesRecursively: false,
}

/** Returns the sources and the written files. */
async function writeBundle(
  folder: string,
  { entries, threads = {}, together, calls = {} }: Omit<BundleRequest, 'folder'>,
): Promise<BuiltFile[]> {
  const files = new Map<string, BuiltFile>()
  const note = (path: string) => {
    const { mtimeMs, size } = fs.statSync(path)
    if (!files.has(path)) files.set(path, [path, mtimeMs, size, digestOf(fs.readFileSync(path))])
  }
  // Represents all installed packages: npm writes this file whenever one of them changes.
  note(join(packages, '.package-lock.json'))
  for (const name of ['make-bundle', 'fresh-bundle', 'write-code'])
    note(join(import.meta.dirname, `${name}.ts`))
  // Noted before the file is read, so that a later change makes the bundle outdated.
  const load = (id: string) => {
    if (isAbsolute(id) && !id.startsWith(packages)) note(id)
    return null
  }
  const plugins = [{ name: 'note-sources', load }]
  // CommonJS, because V8 returns compiled code only for scripts, not for modules.
  const preserveEntrySignatures = 'allow-extension'
  const bundle = await rolldown({ input: { ...entries }, platform: 'node', plugins, preserveEntrySignatures })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    // `import()` in a script would need an experimental option of Node, which prints a warning.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: { groups: [later, { name: 'core', test: together }] },
    comments: false,
    // Here, because adding it to a text that `loadBundle` has read would copy that.
    postBanner: '(function (exports, require, module, __filename) {',
    postFooter: '})',
  })
  await bundle.close()
  if (Object.keys(threads).length > 0) {
    const others = await rolldown({ input: { ...threads }, platform: 'node', plugins })
    await others.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'thread-[name].mjs' })
    await others.close()
  }
  for (const name of fs.readdirSync(folder)) makeAscii(join(folder, name))
  for (const [name, inputs] of Object.entries(calls)) writeCode(join(folder, `${name}.cjs`), inputs)
  for (const name of fs.readdirSync(folder)) note(join(folder, name))
  return [...files.values()]
}

/** A character beyond ASCII after a backslash, or in a template whose escapes mean nothing. */
const NOT_TO_ESCAPE = /\\[^\0-\x7f]|String\.raw\s*`[^`]*[^\0-\x7f]/

/**
 * `loadBundle` reads latin1: decoding UTF-8 takes 6 ms of a start, and V8 then keeps each character in two
 * bytes. An escape is right in strings, names, regular expressions and templates without a tag.
 */
function makeAscii(path: string): void {
  const source = fs.readFileSync(path, 'utf8')
  const [place] = NOT_TO_ESCAPE.exec(source) ?? []
  if (place !== undefined) throw new Error(`An escape would mean something else here: ${place}`)
  const escaped = source.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // Before the list that names the file: after a power failure, it could have a size but no content.
  fs.writeFileSync(path, escaped, { flush: true })
}

/** In a new process, which has compiled nothing else. If this fails, the bundle works but starts slower. */
function writeCode(path: string, inputs: readonly unknown[]): void {
  const writer = join(import.meta.dirname, 'write-code.ts')
  const { status, stderr } = spawnSync(process.execPath, [writer, path, JSON.stringify(inputs)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) console.error(`The code of ${path} could not be written: ${stderr}`)
}

const samples = join(root, 'samples')
/** A new bundle validates one file of each kind, so that the code for bad cells is compiled and stored. */
export const sampleFiles = ['csv', 'xlsx'].map((kind) => join(samples, `claims-with-errors.${kind}`))
export const sampleDictionary = join(samples, 'dictionaries/medical-claims.json')
const validateCalls = (...options: string[]) =>
  sampleFiles.map((path) => ['validate', path, '--dictionary', sampleDictionary, ...options])

export const commandLine: Omit<BundleRequest, 'folder'> = {
  entries: { run: join(import.meta.dirname, 'run.ts') },
  // A thread is started by path, so this file must be beside the module that starts it.
  threads: { 'filter-thread': join(root, 'packages/engine-node/src/filter-thread.mjs') },
  together: /apps.cli.src.(run|commands.validate)\.ts$/,
  calls: { run: [...validateCalls('--json'), ...validateCalls()] },
}

// A copied checkout gets a bundle of its own here, since its times make each start compare contents.
if (import.meta.main && freshBundle(bundleFolder, true) === null) {
  try {
    await makeBundle({ ...commandLine, folder: bundleFolder })
  } catch (error) {
    // For example a folder without write permission: only the start becomes slower.
    console.error(
      `The command line could not be bundled and runs from its sources: ${(error as Error).message}`,
    )
  }
}
