import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** vite's settings for `npm run dev`, as a process with this environment reads them. */
function serverSettings(env: { PORT?: string }) {
  const program =
    "const { default: config } = await import('./apps/web/vite.config.ts'); " +
    'console.log(JSON.stringify(config.server))'
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  return JSON.parse(stdout) as { port: number; proxy: Record<string, string | { target: string }> }
}

describe('npm run dev', () => {
  it.for([
    { env: {}, port: 3000 },
    { env: { PORT: '' }, port: 3000 },
    { env: { PORT: '4321' }, port: 4321 },
  ])('sends the calls of the page to the portal on port $port', ({ env, port }) => {
    const portal = `http://127.0.0.1:${port}`
    expect(serverSettings(env).proxy).toEqual({
      '/api': portal,
      '/config.json': portal,
      '/ws': { target: portal, ws: true },
    })
  })

  it("gives the portal the page's address for its banner", () => {
    const dev = readFileSync(join(ROOT, 'scripts/dev.mjs'), 'utf8')
    expect(dev).toContain(`PUBLIC_URL ||= 'http://localhost:${serverSettings({}).port}'`)
  })
})
