import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

it('The version is three numbers, in the package.json of the project and in no other', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const others = globSync('{apps,packages}/*/package.json', { cwd: ROOT })
  expect(others.length).toBeGreaterThan(5)
  expect(others.filter((file) => 'version' in JSON.parse(read(file)))).toEqual([])
})

it('CHANGELOG.md begins with the version', () => {
  expect(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})

it('The manifests name the image of the version', () => {
  const tags = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/(?:newTag: |image: veridict:)(\S+)/g)].map(([, tag]) => tag),
  )
  expect(tags).toEqual([version])
})

it('The sources of a release name their commit', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  expect(git('archive', 'HEAD', 'package.json')).toContain(`"commit": "${git('rev-parse', 'HEAD').trim()}"`)
})
