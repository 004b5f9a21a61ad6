import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addressOfUpgrade,
  callerAddress,
  fullAddress,
  rememberAddresses,
  warnOfUntrustedProxy,
} from '#platform/http/caller-address.ts'

async function createApp(trustProxy: string | false) {
  const warnings: string[] = []
  const log: FastifyBaseLogger = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(line) },
  )
  const app = Fastify({ loggerInstance: log, trustProxy })
  rememberAddresses(app)
  warnOfUntrustedProxy(app)
  app.get('/', async (request) => callerAddress(request))
  app.get('/full', async (request) => fullAddress(request))
  const addressOf = async (remoteAddress: string, forwarded?: string, url = '/') =>
    (
      await app.inject({
        url,
        remoteAddress,
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      })
    ).body
  return { app, addressOf, warnings }
}

describe('The address of a caller', () => {
  it.for([false, '127.0.0.1'] as const)(
    'is known when the client has left (TRUST_PROXY: %s)',
    async (trustProxy) => {
      const { app } = await createApp(trustProxy)
      const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const addresses = Promise.withResolvers<string[]>()
      app.get('/slow', async (request) => {
        begun.resolve()
        await gone.promise
        addresses.resolve([callerAddress(request), fullAddress(request)])
      })
      app.setErrorHandler((error) => addresses.reject(error))
      const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
      onTestFinished(() => app.close())
      const socket = connect(Number(port), '127.0.0.1')
      const [connection] = (await once(app.server, 'connection')) as [Socket]
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      await begun.promise
      socket.resetAndDestroy()
      await new Promise((resolve) => connection.once('close', resolve))
      gone.resolve()
      expect(await addresses.promise).toEqual(['127.0.0.1', '127.0.0.1'])
    },
  )

  it.for([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', async ([given, expected]) => {
    const { addressOf } = await createApp(false)
    expect(await addressOf(given as string)).toBe(expected)
  })

  it('is the one that a trusted proxy reports', async () => {
    const { addressOf, warnings } = await createApp('10.0.0.1')
    expect(await addressOf('10.0.0.1', '198.51.100.9, 203.0.113.7')).toBe('203.0.113.7')
    expect(warnings).toEqual([])
  })

  it.for([
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8:1:2::7]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('has no port, which changes with each connection: a proxy reports %s', async ([reported, address]) => {
    const trusted = await createApp('10.0.0.1')
    expect(await trusted.addressOf('10.0.0.1', `198.51.100.9, ${reported}`)).toBe(address)
    const other = await createApp(false)
    expect(await other.addressOf('10.0.0.1', `198.51.100.9, ${reported}`)).toBe(`10.0.0.1 ${address}`)
  })

  it.for([
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80::1'],
    ['1:2:3:4:5:6:7:8%::1', '1:2:3:4::/64', '1:2:3:4:5:6:7:8'],
    ['[fe80::1%eth0]:50123', 'fe80:0:0:0::/64', 'fe80::1'],
    ['::ffff:203.0.113.7%1', '203.0.113.7', '203.0.113.7'],
  ] as const)(
    'has no zone, which is a name of its machine: a proxy reports %s',
    async ([reported, address, full]) => {
      const trusted = await createApp('10.0.0.1')
      expect(await trusted.addressOf('10.0.0.1', reported)).toBe(address)
      expect(await trusted.addressOf('10.0.0.1', reported, '/full')).toBe(full)
      const other = await createApp(false)
      expect(await other.addressOf('10.0.0.1', reported)).toBe(`10.0.0.1 ${address}`)
      expect(await other.addressOf('10.0.0.1', reported, '/full')).toBe(`10.0.0.1 ${full}`)
    },
  )

  it('is not the same for two callers behind a proxy that is not trusted', async () => {
    const { addressOf } = await createApp(false)
    expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.7')).toBe('10.0.0.1 203.0.113.7')
    expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.8')).toBe('10.0.0.1 203.0.113.8')
    expect(await addressOf('10.0.0.1', 'not an address')).toBe('10.0.0.1')
  })

  it.for([
    [null, '203.0.113.7', '127.0.0.1 203.0.113.7'],
    [null, undefined, '127.0.0.1'],
    ['10.0.0.0/8, loopback', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
  ] as const)('of an upgrade is found likewise (%s, %s)', async ([trustProxy, forwarded, address]) => {
    const { app } = await createApp(trustProxy ?? false)
    app.get('/upgrade', async ({ raw }) => addressOfUpgrade(raw, trustProxy))
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    for (const url of ['/', '/upgrade'])
      expect((await app.inject({ url, remoteAddress: '127.0.0.1', headers })).body).toBe(address)
  })

  it.for([[false], ['192.0.2.1']] as const)(
    'is warned of once when a proxy is not trusted (%s)',
    async ([trust]) => {
      const { addressOf, warnings } = await createApp(trust)
      await addressOf('10.0.0.1')
      expect(warnings).toEqual([])
      await addressOf('10.0.0.1', '203.0.113.7')
      await addressOf('10.0.0.1', '203.0.113.8')
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain('TRUST_PROXY')
      expect(warnings[0]).not.toContain('203.0.113.7')
    },
  )
})
