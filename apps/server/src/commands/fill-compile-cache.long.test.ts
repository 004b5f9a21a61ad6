import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

it('Processes of an image find all that they import compiled, but for the program itself', () => {
  const cache = mkdtempSync(join(tmpdir(), 'veridict-compiled-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  const env = { ...process.env, NODE_COMPILE_CACHE: cache }
  const count = () =>
    readdirSync(cache, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).length
  execFileSync(process.execPath, [source('commands/fill-compile-cache.ts')], { env })
  const filled = count()
  // Each program ends at once: of a role that does not exist, without a parent, without a database.
  for (const [path, ...args] of [
    ['main.ts', '--roles=none'],
    ['platform/validator/validator-process.ts'],
    ['commands/migrate.ts'],
    ['../../cli/src/main.mjs'],
  ] as const)
    spawnSync(process.execPath, ['--max-old-space-size=512', source(path), ...args], {
      env: path.startsWith('platform') ? { ...env, NODE_COMPILE_CACHE: join(cache, 'validators') } : env,
      stdio: 'ignore',
    })
  // TypeScript is there twice: without its types, and compiled.
  const ofCommandLine = ['main.mjs', 'require-node.mjs', 'exit-with-2.mjs'].length
  const ofPrograms = 2 * ['main.ts', 'migrate.ts'].length + ofCommandLine
  expect(count() - filled).toBe(ofPrograms)
}, 60_000)
