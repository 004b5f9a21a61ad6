import { once } from 'node:events'
import { createConnection, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { liveCloseCodes } from '@veridict/contract/api/live'
import { connectionLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer, type ClientOptions } from 'ws'
import { buildApp } from '#app.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { Hub } from '#submissions/live/hub.ts'
import { serveLiveConnection, type LiveContext } from '#submissions/live/mount-live.ts'
import { createPgStatusBus, type PgStatusBus } from '#platform/live/pg-status-bus.ts'
import { findViewer } from '#platform/access/find-viewer.ts'
import { addSession } from '#users/sessions.ts'
import { logOut } from '#session/log-in.ts'
import { identifyWatcher } from '#submissions/live/identify-watcher.ts'
import { buildCompanyToken, buildSubmission, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

let portal: TestApp
let bus: PgStatusBus
let otherBus: PgStatusBus
let app: Awaited<ReturnType<typeof buildApp>>
let address: string
let colleague: UserRow
let otherCompanyUser: UserRow

beforeAll(async () => {
  portal = await createTestApp()
  const { db, log, env } = portal.deps
  bus = createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
  otherBus = createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
  app = await buildApp({ ...portal.deps, bus, metrics: createMetrics() })
  await app.listen({ port: 0, host: '127.0.0.1' })
  address = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
  colleague = await buildUser(db, { companyId: portal.clerk.companyId })
  otherCompanyUser = await buildUser(db)
  await until(() => bus.leases.next().holder !== null)
})
afterAll(async () => {
  await app.close()
  await bus.close()
  await otherBus.close()
  await portal.close()
})

type Client = { socket: WebSocket; received: unknown[]; closed: Promise<number> }

/** Opens a socket; `closed` settles with its close code, or with the HTTP status that refused it. */
function connect(options: ClientOptions = {}, path = '/ws', host = address): Client {
  const socket = new WebSocket(`ws://${host}${path}`, options)
  const received: unknown[] = []
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => {})
  })
  socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString())))
  onTestFinished(() => socket.terminate())
  return { socket, received, closed }
}

const send = async ({ socket }: Client, message: string | Buffer) => {
  if (socket.readyState === socket.CONNECTING) await new Promise((resolve) => socket.once('open', resolve))
  socket.send(message)
}
const handshakeOf = async (user: UserRow, changes: object = {}) => {
  const AccessToken = await portal.tokenOf(user)
  return JSON.stringify({
    ApiKey: portal.deps.env.apiKey,
    ClientRole: 'Consumer',
    UserId: user.id,
    AccessToken,
    ...changes,
  })
}

/** The first line of the reply to an upgrade; `target` is sent as it is, which no client would do. */
async function statusOfUpgrade(target: string, protocol: string): Promise<string | undefined> {
  const socket = createConnection({ host: '127.0.0.1', port: Number(address.split(':')[1]) })
  onTestFinished(() => void socket.destroy())
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: ${address}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
  )
  const [reply] = (await once(socket, 'data')) as [Buffer]
  return reply.toString().split('\r\n')[0]
}

/** Connects a client and waits until it has received a status: from then on it gets every push. */
async function listen(user: UserRow): Promise<Client> {
  const { id } = await buildSubmission(portal.deps.db, { userId: user.id, companyId: user.companyId ?? 0 })
  const client = connect()
  await send(client, await handshakeOf(user))
  await until(() => client.received.some((push) => (push as { FileId: number }).FileId === id))
  client.received.length = 0
  return client
}

const newsFor = (user: UserRow, FileId: number) => ({
  FileId,
  FilesStatus: 1 as const,
  RecordCount: null,
  companyId: user.companyId ?? 0,
  userId: user.id,
})

describe('The live connection', () => {
  it('sends recent changes first and then new ones, also from another process', async () => {
    const client = await listen(portal.clerk)
    await otherBus.publish(newsFor(portal.clerk, 7))
    await until(() => client.received.length > 0)
    expect(client.received).toEqual([{ FileId: 7, FilesStatus: 1, RecordCount: null }])
  })

  it('sends a change when its transaction commits, and none if it does not', async () => {
    const client = await listen(portal.clerk)
    const failing = portal.deps.db.transaction().execute(async (trx) => {
      await bus.publish(newsFor(portal.clerk, 1), trx)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await portal.deps.db.transaction().execute((trx) => bus.publish(newsFor(portal.clerk, 2), trx))
    await until(() => client.received.length > 0)
    expect(client.received).toMatchObject([{ FileId: 2 }])
  })

  it('sends changes to colleagues, and not to another company', async () => {
    const [mine, theirs] = [await listen(colleague), await listen(otherCompanyUser)]
    await bus.publish(newsFor(portal.clerk, 3))
    await bus.publish(newsFor(otherCompanyUser, 4))
    await until(() => mine.received.length > 0 && theirs.received.length > 0)
    expect([mine.received, theirs.received]).toMatchObject([[{ FileId: 3 }], [{ FileId: 4 }]])
  })

  it('sends changes only to the uploader with HISTORY_SCOPE=user', async () => {
    portal.deps.env.historyScope = 'user'
    const [mine, ours] = [await listen(portal.clerk), await listen(colleague)]
    portal.deps.env.historyScope = 'company'
    await bus.publish(newsFor(portal.clerk, 5))
    await bus.publish(newsFor(colleague, 6))
    await until(() => mine.received.length > 0 && ours.received.length > 0)
    expect([mine.received, ours.received]).toMatchObject([[{ FileId: 5 }], [{ FileId: 6 }]])
  })

  it.for([
    { end: 'the deletion of its user', publish: (user: UserRow) => bus.publishEnd({ userId: user.id }) },
    {
      end: 'the end of its session',
      publish: async (user: UserRow) => {
        const { id } = await portal.deps.db
          .selectFrom('sessions')
          .select('id')
          .where('userId', '=', user.id)
          .orderBy('createdAt', 'desc')
          .executeTakeFirstOrThrow()
        await otherBus.publishEnd({ sessionId: id })
      },
    },
  ])('is closed by $end', async ({ publish }) => {
    const user = await buildUser(portal.deps.db)
    const client = await listen(user)
    await publish(user)
    expect(await client.closed).toBe(liveCloseCodes.unauthorized)
  })

  it('is closed when its token expires', async () => {
    const clock = { now: () => new Date(Date.now() - portal.deps.env.accessTokenMinutes * 60_000 + 2_000) }
    const sessionId = portal.deps.ids.uuid()
    await addSession(portal.deps.db, {
      id: sessionId,
      userId: otherCompanyUser.id,
      expiresAt: new Date(Date.now() + 60_000),
    })
    const AccessToken = createTokens(portal.deps.env, clock).issueAccess({
      userId: otherCompanyUser.id,
      role: otherCompanyUser.role,
      email: otherCompanyUser.email,
      sessionId,
    })
    const client = connect()
    await send(client, await handshakeOf(otherCompanyUser, { AccessToken }))
    expect(await client.closed).toBe(liveCloseCodes.unauthorized)
  })

  it('asks clients to reconnect after the database connection was lost, and goes on', async () => {
    const client = await listen(portal.clerk)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'veridict news%' and datname = current_database()
    `.execute(portal.owner)
    expect(await client.closed).toBe(1012)
    const again = await listen(portal.clerk)
    await until(() => otherBus.leases.next().holder !== null)
    await otherBus.publish(newsFor(portal.clerk, 8))
    await until(() => again.received.length > 0)
    expect(again.received).toMatchObject([{ FileId: 8 }])
  })

  it('sends servers of earlier versions nothing but status changes and ends, which they know', async () => {
    const earlier = new pg.Client({ connectionString: portal.deps.env.databaseUrl })
    await earlier.connect()
    onTestFinished(() => earlier.end())
    const received: string[] = []
    earlier.on('notification', ({ payload }) => received.push(payload ?? ''))
    await earlier.query('listen veridict_news')
    await bus.wake('sendMails')
    await bus.publish(newsFor(portal.clerk, 9))
    await until(() => received.length > 0)
    expect(received.map((payload) => Object.keys(JSON.parse(payload) as object))).toEqual([['status']])
  })

  it('ignores what only later versions send', async () => {
    const client = await listen(portal.clerk)
    await sql`select pg_notify('veridict_news', '{"later":1}')`.execute(portal.deps.db)
    await otherBus.publish(newsFor(portal.clerk, 10))
    await until(() => client.received.length > 0)
    expect(client.received).toMatchObject([{ FileId: 10 }])
  })
})

describe('The live connection refuses', () => {
  it('a request without an upgrade (426)', async () => {
    const reply = await fetch(`http://${address}/ws`)
    expect([reply.status, reply.headers.get('upgrade'), await reply.json()]).toEqual([
      426,
      'websocket',
      { message: noticeMessages.upgradeRequired },
    ])
  })

  it.for([
    { why: 'another origin', options: { origin: 'https://evil.test' }, path: '/ws', status: 403 },
    { why: 'an invalid origin', options: { origin: 'null' }, path: '/ws', status: 403 },
    { why: 'another path', options: {}, path: '/other', status: 404 },
  ])('$why at the upgrade ($status)', async ({ options, path, status }) => {
    expect(await connect(options, path).closed).toBe(status)
  })

  it.for(['//', '//:0', 'http://['])('the address %s (404), and the server goes on', async (target) => {
    expect(await statusOfUpgrade(target, 'websocket')).toBe('HTTP/1.1 404 Not Found')
    expect((await fetch(`http://${address}/api/health`)).status).toBe(200)
  })

  it('another path, and closes the connection', async () => {
    const count = promisify(app.server.getConnections.bind(app.server))
    const before = await count()
    const socket = createConnection({
      host: '127.0.0.1',
      port: Number(address.split(':')[1]),
      allowHalfOpen: true,
    })
    onTestFinished(() => void socket.destroy())
    socket.write(
      `GET /other HTTP/1.1\r\nHost: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const [reply] = (await once(socket, 'data')) as [Buffer]
    expect(reply.toString()).toContain('404')
    await expect.poll(() => count()).toBeLessThanOrEqual(before)
  })

  it('no request that offers HTTP/2: it gets a plain reply', async () => {
    expect(await statusOfUpgrade('/api/health', 'h2c')).toBe('HTTP/1.1 200 OK')
  })

  it('no client of the same origin', async () => {
    const client = connect({ origin: `http://${address}` })
    await send(client, 'x')
    expect(await client.closed).toBe(liveCloseCodes.badMessage)
  })

  it.for<{ why: string; message: () => Promise<string | Buffer>; code: number }>([
    { why: 'a wrong key', message: () => handshakeOf(portal.clerk, { ApiKey: 'wrong' }), code: 4401 },
    { why: 'no token', message: () => handshakeOf(portal.clerk, { AccessToken: '' }), code: 4401 },
    {
      why: "a company's token",
      message: async () => {
        const { token } = await buildCompanyToken(portal.deps, portal.clerk.companyId ?? 0)
        return handshakeOf(portal.clerk, { AccessToken: token })
      },
      code: 4401,
    },
    { why: 'a forged token', message: () => handshakeOf(portal.clerk, { AccessToken: 'a.b.c' }), code: 4401 },
    {
      why: 'the id of another user',
      message: () => handshakeOf(portal.clerk, { UserId: otherCompanyUser.id }),
      code: 4401,
    },
    { why: 'another role', message: () => handshakeOf(portal.clerk, { ClientRole: 'Producer' }), code: 4400 },
    {
      why: 'a handshake without a token',
      message: () => handshakeOf(portal.clerk, { AccessToken: undefined }),
      code: 4401,
    },
    {
      why: 'a handshake without a key',
      message: () => handshakeOf(portal.clerk, { ApiKey: undefined }),
      code: 4401,
    },
    {
      why: 'a handshake without a user',
      message: () => handshakeOf(portal.clerk, { UserId: undefined }),
      code: 4400,
    },
    { why: 'what is not JSON', message: async () => 'hello', code: 4400 },
    { why: 'binary', message: async () => Buffer.from([1, 2, 3]), code: 4400 },
    { why: 'a message of a megabyte', message: async () => 'x'.repeat(1_000_000), code: 1009 },
  ])('$why ($code), before it sends anything', async ({ message, code }) => {
    const client = connect()
    await send(client, await message())
    expect(await client.closed).toBe(code)
    expect(client.received).toEqual([])
  })

  it('a session that ends during the check (4401)', async () => {
    const { deps } = portal
    const context: LiveContext = {
      hub: new Hub(),
      async identify(handshake) {
        const watcher = await identifyWatcher(handshake, deps)
        // In another tab, at the same moment.
        const viewer = watcher && (await findViewer(deps.db, watcher.sessionId))
        if (viewer !== null) await logOut(viewer, deps)
        return watcher
      },
      recent: async () => [{ FileId: 1, FilesStatus: 0, RecordCount: null }],
    }
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => server.close())
    server.on('connection', (socket) => serveLiveConnection(socket, context, () => {}))
    await once(server, 'listening')
    const client = connect({}, '/ws', `127.0.0.1:${(server.address() as AddressInfo).port}`)
    await send(client, await handshakeOf(portal.clerk))
    expect([await client.closed, client.received]).toEqual([liveCloseCodes.unauthorized, []])
  })

  it('a flood of messages after the handshake', async () => {
    const client = await listen(portal.clerk)
    for (let number = 0; number < 100; number++) client.socket.send('{}')
    expect(await client.closed).toBe(1008)
  })

  it('more than 200 clients of one address without a handshake, until some send theirs (429)', async () => {
    const waiting = await Promise.all(
      Array.from({ length: connectionLimits.withoutHandshake }, async () => {
        const client = connect()
        await once(client.socket, 'open')
        return client
      }),
    )
    expect(await connect().closed).toBe(429)
    await send(waiting[0] as Client, 'x')
    await waiting[0]?.closed
    expect(await connect({ headers: { 'x-forwarded-for': '10.9.8.7' } }, '/other').closed).toBe(404)
    const client = await listen(portal.clerk)
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    for (const { socket } of waiting) socket.terminate()
  })

  it('to wait for a client that does not close its side', async () => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(address.split(':')[1]) })
    let received = ''
    socket.on('data', (part: Buffer) => (received += part.toString('latin1')))
    const closed = once(socket, 'close')
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    socket.write(`GET /ws HTTP/1.1\r\nHost: ${address}\r\n${upgrade}\r\n${key}\r\n\r\n`)
    await until(() => received.includes('101 Switching'))
    // A text of one masked byte, which is no handshake.
    socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]))
    await closed
    expect(received).toContain('not a handshake')
  })

  it('a client without a handshake after 10 s (4408)', async () => {
    expect(await connect().closed).toBe(liveCloseCodes.handshakeTimeout)
  })
})
