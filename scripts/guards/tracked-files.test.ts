import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trackedTexts } from './tracked-texts.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Patterns are written in pieces, so that this file does not match them. */
const guards: { name: string; files?: RegExp; pattern: RegExp; planted: string; advice: string }[] = [
  {
    name: 'the host of a package registry',
    pattern: new RegExp(
      String.raw`https?://[\w.-]*(?:regis` +
        String.raw`try|artifac` +
        String.raw`tory|verdac` +
        String.raw`cio|nex` +
        String.raw`us)[\w.-]*[/:"'\s]`,
    ),
    planted: `"resolved": "https://regis${''}try.example.com/zod/-/zod-4.tgz"`,
    advice:
      'The lock file names packages, not registries (.npmrc has omit-lockfile-registry-resolved): ' +
      'run npm install again.',
  },
  {
    name: 'a path of one machine',
    // Not /home/…: those are addresses of the portal's page.
    pattern: /(?:^|[\s"'`(=:])\/(?:Users|root|work|workspace|farm|tmp\/team)\/[\w.-]+/m,
    planted: `const file = '/${'Users'}/ada/veridict'`,
    advice: 'Use a path relative to the repository, or a setting.',
  },
  {
    name: 'a note about unfinished work',
    pattern: new RegExp(String.raw`\b(?:TO` + String.raw`DO|FIX` + String.raw`ME|HA` + String.raw`CK)\b`),
    planted: `// TO${''}DO later`,
    advice: 'Finish it, or say in an issue what is missing.',
  },
  {
    name: 'a reference to a page outside of this repository',
    pattern: new RegExp(
      String.raw`Spec ` +
        String.raw`§|\bspec§|\b(?:Deci` +
        String.raw`sions|Relia` +
        String.raw`bility), (?:"|F\d)|(?<![\w/-])(?:ap` +
        String.raw`i|deci` +
        String.raw`sions|engi` +
        String.raw`ne|hou` +
        String.raw`se|sp` +
        String.raw`ec|relia` +
        String.raw`bility)\.md\b`,
    ),
    planted: `// Spec ${''}§5`,
    advice: 'Link to a heading of docs/BEHAVIOUR.md.',
  },
  {
    name: 'a line of code with more than 110 characters',
    files: /\.(ts|tsx|mjs|css)$/,
    pattern: /^.{111}/mu,
    planted: 'x'.repeat(111),
    advice: 'Break the line; long strings can be joined with +.',
  },
  {
    name: 'a number that is not written with writeCount',
    files: /^(?:apps|packages)\/.*\.tsx?$/,
    pattern: new RegExp(String.raw`\.toLocale` + String.raw`String\(|new Intl\.Number` + String.raw`Format`),
    planted: `count.toLocale${''}String('en')`,
    advice: 'Use writeCount of packages/contract/src/notation/count.ts: one form for all counts.',
  },
  {
    name: 'a colour outside of the tokens',
    files: /^apps\/web\/src\/(?!app\/tokens\.css$).*\.css$/,
    pattern: /:[^;{}]*(?:#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(|var\(--mantine-(?:primary-)?color-)/i,
    planted: `  color: #${''}fff;`,
    advice: 'Use a token of apps/web/src/app/tokens.css: each has a value for both themes.',
  },
]

describe.for(guards)('A tracked file with $name', ({ files = /./, pattern, planted, advice }) => {
  it('is found where it is planted', () => {
    expect(planted).toMatch(pattern)
  })

  it('does not exist', () => {
    const found = trackedTexts
      .filter(({ file, text }) => files.test(file) && pattern.test(text))
      .map(({ file, text }) => `${file}: ${pattern.exec(text)?.[0].trim()}`)
    expect(found, advice).toEqual([])
  })
})

describe('The lock file', () => {
  type Entry = { optionalDependencies?: Record<string, string> }
  const entries = (
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> }
  ).packages

  it('lists the builds of every package for macOS and for Linux', () => {
    const paths = Object.keys(entries)
    const optional = Object.values(entries).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    const builds = optional.filter((name) => /darwin-(arm64|x64)|linux-(arm64|x64)/.test(name))
    const missing = builds.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)))
    expect(
      missing,
      'npm left them out; choose a version whose builds are all published, or create the lock file again',
    ).toEqual([])
  })
})
