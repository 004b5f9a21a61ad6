import { mkdtemp, rm } from 'node:fs/promises'
import { request, Agent, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

const metricsToken = 'a-token-for-metrics'
let database: TestDatabase
let dataDir: string
const running: PortalProcess[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'veridict-roles-'))
})
afterAll(async () => {
  await Promise.all(running.map((portal) => portal.end('SIGKILL')))
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(roles: string, settings: Record<string, string> = {}): Promise<PortalProcess> {
  const portal = await startPortalProcess(
    {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: 'admin@example.test',
      ADMIN_PASSWORD: 'Seven!Otters27',
      METRICS_TOKEN: metricsToken,
      ...settings,
    },
    roles,
  )
  running.push(portal)
  return portal
}

const get = (portal: PortalProcess, path: string) =>
  fetch(portal.address + path, { headers: { authorization: `Bearer ${metricsToken}` } })
const workersOf = async (portal: PortalProcess): Promise<number> => {
  const { value } = (await (await get(portal, '/api/ready')).json()) as { value: { workers: number } }
  return value.workers
}

/** A request on a connection of `agent`. */
async function statusOn(agent: Agent, address: string, path: string): Promise<number> {
  const sent = request(address + path, { agent }).end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  reply.resume()
  await once(reply, 'end')
  return reply.statusCode!
}

describe('A worker and a web server in processes of their own', () => {
  it('each have their own calls, and the web server is ready without a worker', async () => {
    const web = await start('web')
    expect(await workersOf(web)).toBe(0)
    const worker = await start('worker')
    for (const path of ['/api/health', '/api/ready', '/metrics'])
      expect((await get(worker, path)).status, path).toBe(200)
    for (const path of ['/', '/config.json', '/api/docs', '/api/Login'])
      expect((await get(worker, path)).status, path).toBe(404)
    await expect.poll(() => workersOf(web)).toBe(1)
    const metrics = await (await get(web, '/metrics')).text()
    expect(metrics).toMatch(/^veridict_workers 1$/m)
    await worker.end('SIGKILL')
    await expect.poll(() => workersOf(web)).toBe(0)
    await web.end('SIGTERM')
  })
})

describe('A web server that gets SIGTERM', () => {
  it('is not ready first, serves new and open connections, and then refuses connections', async () => {
    const web = await start('web', { DRAIN_SECONDS: '2' })
    const agent = new Agent({ keepAlive: true })
    expect(await statusOn(agent, web.address, '/api/health')).toBe(200)
    const ended = once(web.child, 'exit')
    web.child.kill('SIGTERM')
    const isReady = async () => (await get(web, '/api/ready')).status
    await expect.poll(isReady).toBe(503)
    expect((await get(web, '/api/health')).status).toBe(200)
    // The open connection has no request when the listener closes, and serves one within a second.
    const isRefused = () =>
      statusOn(new Agent(), web.address, '/api/health').then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
      )
    while (!(await isRefused())) await sleep(20)
    expect(await statusOn(agent, web.address, '/api/health')).toBe(200)
    expect(await ended).toEqual([0, null])
    agent.destroy()
  })
})
