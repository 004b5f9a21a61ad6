import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Folders from which a page may name a file. */
export const FOLDERS = [
  '',
  'packages',
  'packages/engine',
  'packages/engine/src',
  'packages/contract/src',
  'apps',
  'apps/server/src',
  'apps/web/src',
  'apps/cli/src',
]

export type NamedTest = { file: string; title: string }

/** The tests that a text names: a file in backticks, then one or more titles in double quotes. */
export function namedTests(text: string): NamedTest[] {
  return [...text.matchAll(/`([\w./-]+\.test\.ts)`((?:,? "[^"]+")+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  )
}

/** Test files in backticks, with or without titles. */
export const namedTestFiles = (text: string): string[] =>
  [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file)

/** Says which of a named test does not exist: its file or its title. null if both exist. */
export function problemOfTest({ file, title }: NamedTest): string | null {
  const path = FOLDERS.map((folder) => join(ROOT, folder, file)).find((candidate) => existsSync(candidate))
  if (path === undefined) return `${file} does not exist`
  return titlesIn(path).has(title) ? null : `${file} has no test "${title}"`
}

const titles = new Map<string, ReadonlySet<string>>()

/** The titles of all tests and groups of a file, as in its source: `$name` and `%s` are not filled in. */
function titlesIn(path: string): ReadonlySet<string> {
  let found = titles.get(path)
  if (found === undefined) {
    const written = readFileSync(path, 'utf8').matchAll(
      /(?:\b(?:it|describe)|\))\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`)/g,
    )
    const texts = [...written].map(([, single, double, template]) => single ?? double ?? template ?? '')
    found = new Set(texts.map((title) => title.replaceAll(/\\(.)/g, '$1')))
    titles.set(path, found)
  }
  return found
}
