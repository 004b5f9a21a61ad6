import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
type Document = {
  bomFormat: string
  components: { group?: string; name: string; version: string; purl: string }[]
}

it('npm run -s sbom prints a CycloneDX document with the packages that are installed', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  expect(stdout, stderr).toMatch(/^\{/)
  const { bomFormat, components } = JSON.parse(stdout) as Document
  expect(bomFormat).toBe('CycloneDX')
  const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules/fastify/package.json'), 'utf8')) as {
    version: string
  }
  expect(components).toContainEqual(expect.objectContaining({ name: 'fastify', version: installed.version }))
  expect(components.map(({ group, name }) => `${group}/${name}`)).toContain('@veridict/server')
})
