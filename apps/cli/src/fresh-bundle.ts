import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// Not imported: that would evaluate all of its exports, streams among them, for two milliseconds of every
// start.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs')

/** A file that a bundle is made of: path, time of the last change in ms, size in bytes. */
export type SourceFile = [path: string, modified: number, size: number]

/** Where the bundle of the command line lies. */
export const bundleFolder = join(import.meta.dirname, '../dist')
/** The file beside a bundle that lists its `SourceFile`s. */
export const builtFromName = 'built-from.json'

/**
 * The address of the bundled command line; null where there is none, or where it was made of other sources
 * than those that are there: what runs is always what is written. Asking costs a millisecond, the bundle
 * saves forty.
 */
export function freshBundle(folder: string = bundleFolder): string | null {
  try {
    const files = JSON.parse(readFileSync(join(folder, builtFromName), 'utf8')) as SourceFile[]
    return files.every(isAsItWas) ? pathToFileURL(join(folder, 'run.mjs')).href : null
  } catch {
    return null
  }
}

function isAsItWas([path, modified, size]: SourceFile): boolean {
  const now = statSync(path)
  return now.mtimeMs === modified && now.size === size
}
