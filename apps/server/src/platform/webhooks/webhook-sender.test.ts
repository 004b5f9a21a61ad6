import { webhookMessages } from '@veridict/contract/messages/webhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWebhookSender, type Resolve } from '#platform/webhooks/webhook-sender.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.respond = (response) => response.writeHead(204).end()
})
afterAll(() => receiver.close())

const TOO_MANY_INTERIM = 'there were more than 20 interim responses (1xx)'
const message = (url = receiver.url) => ({ url, headers: { 'content-type': 'text/plain' }, body: 'hello' })
const by = (resolve: Resolve) => ({ whenSet: resolve, whenSent: resolve })
const at = (...addresses: string[]) =>
  by(async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))

describe('An address', () => {
  const sender = createWebhookSender({ allowPrivate: false })
  it.for([
    ['http://example.com/', webhookMessages.httpsRequired, 'not encrypted'],
    ['https://127.0.0.1/', webhookMessages.privateAddress, 'loopback'],
    ['https://localhost/', webhookMessages.privateAddress, 'a name of this machine'],
    ['https://localhost./', webhookMessages.privateAddress, 'the same with a dot'],
    ['https://hooks.LOCALHOST/', webhookMessages.privateAddress, 'below it'],
    ['https://intranet/', webhookMessages.privateAddress, 'a name of this network'],
    ['https://metadata.google.internal/', webhookMessages.privateAddress, "a cloud's service by name"],
    ['https://2130706433/', webhookMessages.privateAddress, 'loopback as one number'],
    ['https://0x7f.1/', webhookMessages.privateAddress, 'loopback in hexadecimal'],
    ['https://0/', webhookMessages.privateAddress, 'this machine'],
    ['https://[::1]/', webhookMessages.privateAddress, 'loopback (IPv6)'],
    ['https://[::ffff:127.0.0.1]/', webhookMessages.privateAddress, 'IPv4-mapped'],
    ['https://[fe80::1]/', webhookMessages.privateAddress, 'link-local'],
    ['https://169.254.169.254/latest/meta-data/', webhookMessages.privateAddress, "a cloud's service"],
    ['https://100.64.0.1:8443/', webhookMessages.privateAddress, 'CGNAT'],
    ['https://8.8.8.8/', null, 'public'],
    ['https://[2606:4700::1111]/', null, 'public (IPv6)'],
  ] as const)('%s: %s (%s)', async ([url, refusal]) => {
    expect(await sender.refusalOf(url)).toBe(refusal)
  })

  it.for([
    { addresses: ['10.0.0.7'], why: 'a name of a private network' },
    { addresses: ['8.8.8.8', '127.0.0.1'], why: 'a name with one private address' },
    { addresses: ['::ffff:10.0.0.7'], why: 'a name with an IPv4-mapped address' },
  ])('is refused: $why', async ({ addresses }) => {
    const named = createWebhookSender({ allowPrivate: false }, at(...addresses))
    expect(await named.refusalOf('https://hooks.example/')).toBe(webhookMessages.privateAddress)
    expect(await named.send(message('https://hooks.example/'))).toEqual({
      problem: webhookMessages.privateAddress,
    })
  })

  it('of a name that is not known may be set, and gets nothing', async () => {
    const unknown: Resolve = () =>
      Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' }))
    const named = createWebhookSender({ allowPrivate: false }, by(unknown))
    expect(await named.refusalOf('https://hooks.example/')).toBeNull()
    expect(await named.send(message('https://hooks.example/'))).toEqual({
      problem: webhookMessages.nameUnknown,
    })
  })
})

describe('Sending', () => {
  const sender = createWebhookSender({ allowPrivate: true })

  it('posts the body and returns the status', async () => {
    expect(await sender.send(message())).toEqual({ status: 204 })
    expect(receiver.received).toMatchObject([
      { path: '/hooks', body: 'hello', headers: { 'content-type': 'text/plain', 'content-length': '5' } },
    ])
  })

  it('fails for a name that no name server knows', async () => {
    const strict = createWebhookSender({ allowPrivate: false, timeout: 5_000 })
    const { problem } = (await strict.send(message('https://no-such-name.invalid/'))) as { problem: string }
    expect([webhookMessages.nameUnknown, webhookMessages.noReply(5)]).toContain(problem)
  })

  it('looks the name up once, checks the address again, and connects to the checked one', async () => {
    const { port } = new URL(receiver.url)
    const names = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']]
    const looked: string[] = []
    const changing: Resolve = async (host) => {
      looked.push(host)
      return (names.shift() ?? []).map((address) => ({ address, family: 4 }))
    }
    const strict = createWebhookSender({ allowPrivate: false }, by(changing))
    expect(await strict.refusalOf('https://hooks.example/')).toBeNull()
    expect(await strict.send(message(`https://hooks.example:${port}/`))).toEqual({
      problem: webhookMessages.privateAddress,
    })
    expect(receiver.received).toEqual([])
    const open = createWebhookSender({ allowPrivate: true }, by(changing))
    expect(await open.send(message(`http://hooks.example:${port}/`))).toEqual({ status: 204 })
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${port}`)
    expect(looked).toEqual(['hooks.example', 'hooks.example', 'hooks.example'])
  })

  it('follows no redirect', async () => {
    receiver.respond = (response) => response.writeHead(307, { location: '/elsewhere' }).end()
    expect(await sender.send(message())).toEqual({ status: 307 })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks'])
  })

  it('ends when there is no response in time', async () => {
    receiver.respond = () => {}
    const hasty = createWebhookSender({ allowPrivate: true, timeout: 200 })
    expect(await hasty.send(message())).toEqual({ problem: webhookMessages.noReply(0.2) })
  })

  it('ends when the name service does not reply in time', async () => {
    const silent: Resolve = () => new Promise(() => {})
    const hasty = createWebhookSender({ allowPrivate: true, timeout: 200 }, by(silent))
    const sending = hasty.send(message('http://hooks.example/'))
    expect(await sending).toEqual({ problem: webhookMessages.noReply(0.2) })
  })

  it('does not read an endless response', async () => {
    receiver.respond = (response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', pour)
      pour()
    }
    expect(await sender.send(message())).toEqual({ status: 200 })
  })

  it.for([100, 103])('ends when the receiver sends %i without end', async (status) => {
    receiver.respond = ({ socket }) => {
      const pour = () => {
        while (socket?.writable && socket.write(`HTTP/1.1 ${status} Wait\r\n\r\n`.repeat(1_000)));
      }
      socket?.on('drain', pour).on('error', () => {})
      pour()
    }
    expect(await sender.send(message())).toEqual({ problem: webhookMessages.failed(TOO_MANY_INTERIM) })
  })

  it('waits for the response after interim ones', async () => {
    receiver.respond = (response) => {
      response.writeContinue()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(204).end()
    }
    expect(await sender.send(message())).toEqual({ status: 204 })
  })

  it('ends when the receiver offers another protocol', async () => {
    receiver.respond = ({ socket }) =>
      socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    expect(await sender.send(message())).toEqual({ problem: webhookMessages.failed('it was closed') })
  })

  it('says why there was no connection', async () => {
    const closed = await startWebhookReceiver()
    await closed.close()
    expect(await sender.send(message(closed.url))).toEqual({ problem: webhookMessages.noConnection })
  })
})
