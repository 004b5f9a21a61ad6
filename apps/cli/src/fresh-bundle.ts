import { basename, dirname, join } from 'node:path'
import type { Script } from 'node:vm'

// Not imported: an import evaluates all exports, streams among them, and costs 2 ms at every start.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs')

/**
 * `path` begins at the folder of all bundles, so that a copied checkout looks at its own files; the last
 * change is in ms, the size in bytes; `digestOf` its content.
 */
export type BuiltFile = [path: string, modified: number, size: number, digest: string]

/** `bundle`: a folder inside that of all bundles. `files`: its sources and its own files. */
export type BuiltFrom = { bundle: string; files: readonly BuiltFile[] }

export const bundleFolder = join(import.meta.dirname, '../dist')
/** A file in this folder, which contains a `BuiltFrom`. */
export const builtFromName = 'built-from.json'
/** Ending of compiled code (`write-code.ts`), which another Node version does not find, so it compiles. */
export const CODE_ENDING = `.${process.version}-${process.arch}.code`

/**
 * Of a bundle: a file that is loaded when something of it is first used. TRAP: it needs the other files, so
 * loading it at once would fail.
 */
export const LATER_FILE = 'later.cjs'

export const digestOf = (content: Uint8Array): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', content, 'base64')

/**
 * The folder of the newest bundle in `folder`; null if there is none, or if a source or file of it changed.
 * The check takes 2 ms, the bundle saves 100. Files with other times (a copied checkout) are read, for 10 ms,
 * unless `areTimesEnough`.
 */
export function freshBundle(folder: string = bundleFolder, areTimesEnough = false): string | null {
  try {
    const { bundle, files } = JSON.parse(readFileSync(join(folder, builtFromName), 'utf8')) as BuiltFrom
    const isUnchanged = ([path, modified, size, digest]: BuiltFile) => {
      // `join` would take longer than the call itself.
      const file = `${folder}/${path}`
      const now = statSync(file)
      if (now.size !== size || now.mtimeMs === modified) return now.size === size
      return !areTimesEnough && digestOf(readFileSync(file)) === digest
    }
    return files.every(isUnchanged) ? join(folder, bundle) : null
  } catch {
    return null
  }
}

/**
 * Loads a file of a bundle with the code that V8 compiled of it in an earlier process. Node's own compile
 * cache is filled before any function has run, so each function would be compiled at every start. V8 refuses
 * code for other flags or a source of another length, but does not see damage. A checksum takes 5 ms, as much
 * as the code of a small file saves: only load what `freshBundle` found. `scripts` collects what was loaded.
 */
export function loadBundle(path: string, scripts: Map<string, Script> = new Map()): object {
  const { Script } = process.getBuiltinModule('node:vm')
  const folder = dirname(path)
  const modules = new Map<string, { exports: object }>()
  const load = (name: string): object => {
    const loaded = modules.get(name)
    if (loaded !== undefined) return loaded.exports
    // Without a prototype it is in V8's dictionary mode at once; else each name makes another hidden class:
    // 40 kB for 155 names.
    const module = { exports: Object.create(null) as object }
    modules.set(name, module)
    try {
      run(join(folder, name), module)
    } catch (error) {
      // Not half of it at the next use.
      modules.delete(name)
      throw error
    }
    return module.exports
  }
  const run = (filename: string, module: { exports: object }) => {
    // `make-bundle.ts` writes a function, and nothing but ASCII.
    const source = readFileSync(filename, 'latin1')
    const script = new Script(source, { filename, cachedData: codeOf(filename) })
    scripts.set(filename, script)
    const start = script.runInThisContext() as (...values: unknown[]) => void
    start(module.exports, requireFrom, module, filename)
  }
  const later = new Proxy({}, { get: (_, name) => Reflect.get(load(LATER_FILE), name) as unknown })
  // A bundle contains all packages, so only modules of Node are required here.
  const requireFrom = (id: string) =>
    id === `./${LATER_FILE}` ? later : id.startsWith('./') ? load(id.slice(2)) : process.getBuiltinModule(id)
  return load(basename(path))
}

function codeOf(filename: string): Buffer | undefined {
  try {
    return readFileSync(filename + CODE_ENDING)
  } catch {
    return undefined
  }
}
