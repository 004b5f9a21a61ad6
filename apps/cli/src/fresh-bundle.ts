import { basename, dirname, join } from 'node:path'
import type { Script } from 'node:vm'

// Not imported: an import evaluates all exports, streams among them, and costs 2 ms at every start.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs')

/**
 * A file that a bundle is made of: path from the folder of the bundle, so that a copied checkout looks at its
 * own files; time of the last change in ms; size in bytes.
 */
export type SourceFile = [path: string, modified: number, size: number]

/** The folder of the bundled command line. */
export const bundleFolder = join(import.meta.dirname, '../dist')
/** The file beside a bundle that lists its `SourceFile`s. */
export const builtFromName = 'built-from.json'
/** Added to the name of a file of the bundle: what V8 compiled of it, in `write-code.ts`. */
export const CODE = '.code'

/**
 * The path of the bundled command line; null where there is none, or where a source or a file with code has
 * changed since. The check takes two milliseconds, the bundle saves forty.
 */
export function freshBundle(folder: string = bundleFolder): string | null {
  try {
    const files = JSON.parse(readFileSync(join(folder, builtFromName), 'utf8')) as SourceFile[]
    const isUnchanged = ([path, modified, size]: SourceFile) => {
      // `join` would take longer than the call itself.
      const now = statSync(`${folder}/${path}`)
      return now.mtimeMs === modified && now.size === size
    }
    return files.every(isUnchanged) ? join(folder, 'run.cjs') : null
  } catch {
    return null
  }
}

type Module = { exports: object }

/**
 * Loads a file of a bundle and what it requires, with the code that V8 compiled of it in an earlier process,
 * where it is there and of this V8: Node's own compile cache is filled before any function has run, so each
 * function that is used would be compiled at every start. V8 compares its version, its flags and the length
 * of the source, but reads damaged code without a check: so only a bundle that `freshBundle` found may be
 * loaded. `scripts` collects what was loaded.
 */
export function loadBundle(path: string, scripts: Map<string, Script> = new Map()): object {
  const { Script } = process.getBuiltinModule('node:vm')
  const folder = dirname(path)
  const modules = new Map<string, Module>()
  const load = (name: string): object => {
    const loaded = modules.get(name)
    if (loaded !== undefined) return loaded.exports
    const module: Module = { exports: {} }
    modules.set(name, module)
    const filename = join(folder, name)
    const source = readFileSync(filename, 'utf8')
    const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
      filename,
      cachedData: codeOf(filename),
    })
    scripts.set(filename, script)
    const run = script.runInThisContext() as (...values: unknown[]) => void
    run(module.exports, requireFrom, module, filename)
    return module.exports
  }
  // A bundle contains all packages; what is left are parts of Node.
  const requireFrom = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : process.getBuiltinModule(id))
  return load(basename(path))
}

function codeOf(filename: string): Buffer | undefined {
  try {
    return readFileSync(filename + CODE)
  } catch {
    return undefined
  }
}
