import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })
/** Where a path of a page may begin: pages name most files from the room they talk about. */
const ROOMS = [
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

describe.for(pages)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('links to files that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map((match) => match[1])
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([])
  })

  it('names files that exist', () => {
    const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|json))`/g)].map(
      (match) => match[1],
    )
    expect(paths.filter((path) => !ROOMS.some((room) => existsSync(join(ROOT, room, path))))).toEqual([])
  })
})
