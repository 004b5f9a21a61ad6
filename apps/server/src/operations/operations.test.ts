import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mountWeb } from '#platform/http/mount-web.ts'
import { addSecurityHeaders } from '#platform/http/security-headers.ts'
import { commit, version } from '#version.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp({ metricsToken: 'a-token-for-metrics' })
})
afterAll(() => portal.close())

/** The names of the table of metrics in docs/OPERATIONS.md. */
function documentedMetrics(): string[] {
  const text = readFileSync(new URL('../../../../docs/OPERATIONS.md', import.meta.url), 'utf8')
  return [...text.matchAll(/^\| `(veridict_\w+)/gm)].map(([, name]) => name)
}

const get = (url: string, headers: Record<string, string> = {}) => portal.app.inject({ url, headers })

describe('Calls for operators', () => {
  it.for(['/api/health', '/api/ready', '/config.json', '/api/openapi.json', '/api/docs'])(
    '%s needs no key',
    async (url) => {
      expect((await get(url)).statusCode).toBe(200)
    },
  )

  it('give the page its API key', async () => {
    expect((await get('/config.json')).json()).toEqual({ apiKey: 'test-api-key', version })
  })

  it('say how many processes take jobs', async () => {
    expect((await get('/api/ready')).json()).toEqual({ degraded: [], value: { status: 'ready', workers: 0 } })
  })

  it('report what is not ready', async () => {
    await portal.owner.schema.dropTable('timers').execute()
    await rm(portal.deps.env.storageUrl, { recursive: true })
    await writeFile(portal.deps.env.storageUrl, 'a file where the folder was')
    const reply = await get('/api/ready')
    expect(reply.statusCode).toBe(503)
    expect(reply.json()).toEqual({ message: 'Not ready: storage, queue.' })
    expect(reply.headers['retry-after']).toBe('5')
  })

  it('get a response with the id that the log has for the call, as every call does', async () => {
    const [ready, missing] = [await get('/api/ready'), await get('/api/nothing')]
    expect(ready.headers['x-request-id']).toMatch(/^[0-9a-f]{8}$/)
    expect(missing.headers['x-request-id']).toMatch(/^[0-9a-f]{8}$/)
    expect(missing.headers['x-request-id']).not.toBe(ready.headers['x-request-id'])
  })

  it('give metrics only to owners of the token', async () => {
    expect((await get('/metrics')).statusCode).toBe(403)
    expect((await get('/metrics', { authorization: 'Bearer wrong' })).statusCode).toBe(403)
    const reply = await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })
    expect(reply.body).toContain(
      'veridict_http_request_duration_seconds_count{method="GET",path="/api/health",status="200"} 1',
    )
  })

  it('say which version runs', async () => {
    expect((await get('/api/health')).json()).toEqual({ value: { status: 'ok', version } })
    const migrations = readdirSync(new URL('../platform/database/migrations/', import.meta.url)).toSorted()
    const { body } = await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })
    expect(body).toContain(
      `veridict_build_info{version="${version}",commit="${commit}",` +
        `schema="${migrations.at(-1)?.slice(0, -4)}"} 1\n`,
    )
    expect(commit).toMatch(/^[0-9a-f]{12}$/)
  })

  it('give the metrics of the process while the database cannot be read', async () => {
    await portal.owner.schema.alterTable('marks').renameTo('no_marks').execute()
    const reply = await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })
    expect(reply.body).toMatch(/^veridict_database_available 0$/m)
    expect(reply.body).toMatch(/^veridict_sockets 0$/m)
  })

  it('give every metric that docs/OPERATIONS.md lists', async () => {
    const { body } = await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })
    const given = new Set(body.match(/^# TYPE veridict_\w+/gm)?.map((line) => line.split(' ')[2]))
    expect(given).toEqual(new Set(documentedMetrics()))
  })

  it('give metrics without a token only beside a demo, and not through a proxy', async () => {
    const open = await createTestApp()
    onTestFinished(() => open.close())
    const status = async (request: InjectOptions) =>
      (await open.app.inject({ url: '/metrics', ...request })).statusCode
    expect(await status({ headers: { accept: '*/*', 'x-prometheus-scrape-timeout-seconds': '10' } })).toBe(
      200,
    )
    for (const header of ['X-Forwarded-For', 'X-Real-IP', 'Via', 'CF-Connecting-IP', 'Forwarded', 'X-New'])
      expect(await status({ headers: { [header]: '10.1.1.1' } }), header).toBe(403)
    expect(await status({ headers: { host: 'portal.example.test' } })).toBe(403)
    expect(await status({ remoteAddress: '10.1.1.1' })).toBe(403)
    open.deps.env.isDemo = false
    expect(await status({})).toBe(403)
  })
})

describe('The page', () => {
  const page = async (publicUrl = 'http://localhost:3000') => {
    const folder = await mkdtemp(join(tmpdir(), 'veridict-page-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
    await writeFile(join(folder, 'assets', 'Index-AbC123.js'), 'export {}')
    await writeFile(join(folder, 'assets', 'Index-AbC123.js.br'), 'as brotli')
    await writeFile(join(folder, 'assets', 'Index-AbC123.js.gz'), 'as gzip')
    const app = Fastify({ routerOptions: { caseSensitive: false } })
    addSecurityHeaders(app, publicUrl)
    await mountWeb(app, folder)
    return app
  }

  it.for([
    '/',
    '/login',
    '/home/dictionary/edit/0f0e?x=1',
    '/set-password?email=a&token=b',
    '/API-of-somebody',
  ])('is the reply to %s, never cached', async (url) => {
    const reply = await (await page()).inject(url)
    expect([reply.statusCode, reply.body]).toEqual([200, '<!doctype html><title>page</title>'])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('has assets that are cached for ever, by their exact name', async () => {
    const reply = await (await page()).inject('/assets/Index-AbC123.js')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it.for([
    ['gzip, deflate, br, zstd', 'br', 'as brotli'],
    ['gzip', 'gzip', 'as gzip'],
    ['identity', undefined, 'export {}'],
  ] as const)('goes out compressed to who takes %s', async ([accepted, encoding, body]) => {
    const reply = await (
      await page()
    ).inject({ url: '/assets/Index-AbC123.js', headers: { 'accept-encoding': accepted } })
    expect([reply.statusCode, reply.headers['content-encoding'], reply.body]).toEqual([200, encoding, body])
    expect(reply.headers['content-type']).toMatch(/javascript/)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(String(reply.headers.vary).toLowerCase()).toContain('accept-encoding')
  })

  it.for([
    '/assets/gone.js',
    '/api/nothing',
    '/metrics/x',
    '/../../package.json',
    '/assets/..%2f..%2fpackage.json',
  ])('is not %s', async (url) => {
    const reply = await (await page()).inject(url)
    expect([403, 404, 200]).toContain(reply.statusCode)
    if (reply.statusCode === 200) expect(reply.body).toContain('<title>page')
  })

  it('lets only the workers that read files compile WebAssembly', async () => {
    const app = await page()
    const policyOf = async (url: string) => String((await app.inject(url)).headers['content-security-policy'])
    for (const worker of ['check', 'correct'])
      expect(await policyOf(`/assets/${worker}-worker-D1_a-b2.js`)).toMatch(
        /; script-src 'self' 'wasm-unsafe-eval'$/,
      )
    for (const url of [
      '/',
      '/assets/index-D1ab.js',
      '/api/x?/assets/check-worker-a.js',
      '/check-worker-a.js',
    ])
      expect(await policyOf(url)).not.toContain('wasm')
  })

  it('has a strict policy, and HSTS for https', async () => {
    const plain = (await (await page()).inject('/')).headers
    expect(plain['content-security-policy']).toMatch(
      /^default-src 'self'; style-src 'self' 'unsafe-inline'; /,
    )
    expect(plain['content-security-policy']).not.toMatch(/script-src|unsafe-eval/)
    expect(plain).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    expect(plain['strict-transport-security']).toBeUndefined()
    const secure = (await (await page('https://portal.example.test')).inject('/')).headers
    expect(secure['strict-transport-security']).toMatch(/^max-age=31536000/)
  })
})
