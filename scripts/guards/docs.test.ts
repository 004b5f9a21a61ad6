import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FOLDERS, namedTests, problemOfTest } from './named-tests.ts'
import { trackedTexts } from './tracked-texts.ts'

const ROOT = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT })

describe.for(pages)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('links to files that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map((match) => match[1])
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([])
  })

  it('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s#]*\.md)?#([^)\s]+)\)/g)]
    const missing = links.filter(
      ([, file, anchor]) => !anchorsOf(file ? join(dirname(page), file) : page).includes(anchor),
    )
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('names files that exist', () => {
    const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|json))`/g)].map(
      (match) => match[1],
    )
    expect(paths.filter((path) => !FOLDERS.some((folder) => existsSync(join(ROOT, folder, path))))).toEqual(
      [],
    )
  })

  it('names tests that exist', () => {
    const problems = namedTests(text).map(problemOfTest)
    expect(problems.filter((problem) => problem !== null)).toEqual([])
  })
})

describe('docs/BEHAVIOUR.md', () => {
  const anchors = anchorsOf('docs/BEHAVIOUR.md')

  it('has one anchor for each heading', () => {
    expect(anchors).toEqual([...new Set(anchors)])
  })

  it('has every heading that a comment or a page links to', () => {
    const links = trackedTexts.flatMap(({ file, text }) =>
      [...text.matchAll(/BEHAVIOUR\.md#([\w-]+)/g)].map(([, anchor]) => ({ file, anchor })),
    )
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter(({ anchor }) => !anchors.includes(anchor))).toEqual([])
  })

  it('is named with an anchor in every comment that refers to it', () => {
    const bare = trackedTexts
      .filter(({ file, text }) => /\.(ts|tsx|mjs|css|sql)$/.test(file) && /BEHAVIOUR\.md(?!#)\b/.test(text))
      .filter(({ file }) => !file.startsWith('scripts/guards/'))
    expect(bare.map(({ file }) => file)).toEqual([])
  })
})

/** The anchors that GitHub gives headings: lower case, hyphens for spaces, no punctuation. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}
