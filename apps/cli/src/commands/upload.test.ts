import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startCommands } from '#test/command-process.ts'

/**
 * A server with the faults that a portal and the network can have. `upload-command.test.ts` of the server
 * uses a real portal.
 */
const content = 'Id\n1\n'
const accepted = { id: 7, fileName: 'a.csv', status: 0 }
const submission = {
  ...accepted,
  dataDictionaryName: 'Claims',
  recordsCount: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  errorRowCount: null,
  uploadedBy: 'Token',
}

let folder: string
let commands: ReturnType<typeof startCommands>
let server: Server
let portal: string
const at = (name: string) => join(folder, name)

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(status, headers).end(JSON.stringify(body)))
  }
/** The replies to uploads and to requests for the status, in order; the last one is repeated. */
let uploads: Handler[]
let statuses: Handler[]
let config: Handler
/** The requests, such as "POST /api/FileSubmission". */
const seen: string[] = []
const uploadCount = () => seen.filter((request) => request === 'POST /api/FileSubmission').length

const next = (handlers: Handler[]) => (handlers.length > 1 ? handlers.shift() : handlers[0]) as Handler
const route: Handler = (request, response) => {
  const { method = '', url = '' } = request
  seen.push(`${method} ${url}`)
  if (url === '/config.json') return config(request, response)
  if (request.headers['apikey'] !== 'key' || request.headers.authorization !== 'Bearer vdt_secret')
    return reply(401, { message: 'not with this key or token' })(request, response)
  if (url.endsWith('/GetListForSelection'))
    return reply(200, {
      value: [
        { id: 3, name: 'Claims' },
        { id: 4, name: 'Members' },
      ],
    })(request, response)
  return next(method === 'POST' ? uploads : statuses)(request, response)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridict-upload-'))
  writeFileSync(at('a.csv'), content)
  writeFileSync(at('a.txt'), content)
  mkdirSync(at('folder.csv'))
  server = createServer(route)
  // The commands of one process use connections again: none closes by itself meanwhile.
  server.keepAliveTimeout = 0
  commands = startCommands()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  portal = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  seen.length = 0
  config = reply(200, { apiKey: 'key' })
  uploads = [reply(202, { value: accepted })]
  statuses = [reply(200, { value: { ...submission, status: 4 } })]
})
afterAll(() => {
  commands.stop()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

type Given = {
  file?: string
  dictionary?: string
  url?: string
  token?: string
  more?: string[]
  env?: Record<string, string>
}
async function upload({
  file = at('a.csv'),
  dictionary = 'Claims',
  url = portal,
  token,
  more = [],
  env,
}: Given = {}) {
  const args = ['upload', file, '--dictionary', dictionary, '--url', url, ...more]
  // Node reads the settings of a proxy once for a process.
  const process = env === undefined ? commands : startCommands(env)
  const { status, stdout, stderr } = await process.run(args, { VERIDICT_TOKEN: token ?? 'vdt_secret' })
  if (process !== commands) process.stop()
  return { code: status, out: stdout, errors: stderr }
}

it('sends the file once, as a form with its name, its bytes and the dictionary', async () => {
  let body = ''
  uploads = [
    (request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      reply(202, { value: accepted })(request, response)
    },
  ]
  writeFileSync(at('ü "b".csv'), content)
  const { code, out } = await upload({ file: at('ü "b".csv'), dictionary: ' members ' })
  expect({ code, out }).toEqual({ code: 0, out: 'Uploaded: a.csv, file 7.\n' })
  expect(body).toContain('name="dataDictionaryId"\r\n\r\n4\r\n')
  expect(body).toContain(
    `filename="ü %22b%22.csv"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n--`,
  )
  expect(uploadCount()).toBe(1)
})

it('goes through the proxy of the environment', async () => {
  const proxied: string[] = []
  const proxy = createServer((request, response) => {
    const { pathname, host } = new URL(request.url ?? '')
    proxied.push(`${request.method} ${host}`)
    request.url = pathname
    route(request, response)
  })
  // Clients request a tunnel for https, and with some releases of Node also for http.
  proxy.on('connect', (request, client) => {
    proxied.push(`CONNECT ${request.url}`)
    const onward = connect(Number(new URL(portal).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(onward).pipe(client)
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY, http_proxy: HTTP_PROXY, NO_PROXY: '', no_proxy: '' }
  const { code } = await upload({ url: 'http://portal.invalid', env })
  proxy.closeAllConnections()
  proxy.close()
  expect({ code, uploads: uploadCount() }).toEqual({ code: 0, uploads: 1 })
  expect(proxied.length).toBeGreaterThan(0)
})

it('prints the accepted file as JSON', async () => {
  const { code, out } = await upload({ more: ['--json'] })
  expect({ code, accepted: JSON.parse(out) }).toEqual({ code: 0, accepted })
})

it.for([
  { status: 429, headers: { 'retry-after': '0' }, why: 'it has too many requests' },
  { status: 503, headers: { 'retry-after': '0' }, why: 'it is not available' },
])('sends the file again when the portal says that $why', async ({ status, headers }) => {
  uploads = [reply(status, { message: 'later' }, headers), reply(202, { value: accepted })]
  const { code, errors } = await upload()
  expect(code).toBe(0)
  expect(errors).toContain(`The portal is busy (${status})`)
  expect(uploadCount()).toBe(2)
})

it('gives up when the portal stays busy, or for too long', async () => {
  uploads = [reply(429, { message: 'Too many requests.' }, { 'retry-after': '0' })]
  expect(await upload()).toMatchObject({ code: 2, errors: expect.stringContaining('Too many requests.') })
  expect(uploadCount()).toBe(6)
  uploads = [reply(429, { message: 'Too many requests.' }, { 'retry-after': '3600' })]
  expect((await upload()).code).toBe(2)
  expect(uploadCount()).toBe(7)
})

it.for([
  { why: 'breaks after the file was sent', handle: cutAfterEnd() },
  { why: 'ends in a proxy that lost the portal', handle: reply(502, '<html>') },
  { why: 'has a reply without end', handle: endless(202) },
  { why: 'ends in an error', handle: reply(500, { message: 'An error.' }) },
  { why: 'ends without a time to send it again', handle: reply(503, { message: 'Look first.' }) },
])(
  'says that the outcome is unknown when the call $why, and never sends the file again',
  async ({ handle }) => {
    uploads = [handle]
    const { code, out, errors } = await upload()
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(errors).toMatch(/unknown whether .* took/)
    expect(uploadCount()).toBe(1)
  },
)

it('does not read a reply without end of a server that is no portal', async () => {
  config = endless(200)
  const { code, errors } = await upload()
  expect({ code, uploads: uploadCount() }).toEqual({ code: 2, uploads: 0 })
  expect(errors).toContain('its reply has more than 32 MB')
})

/** Sends until the client leaves. */
function endless(status: number): Handler {
  return (request, response) => {
    const part = Buffer.alloc(1024 * 1024)
    const send = (error?: Error | null) => void (error || response.write(part, send))
    request.resume()
    request.once('end', () => {
      response.writeHead(status)
      send()
    })
  }
}

function cutAfterEnd(): Handler {
  return (request) => {
    request.resume()
    request.once('end', () => request.socket.destroy())
  }
}

it('says that nothing was uploaded when the connection breaks before the file was sent', async () => {
  writeFileSync(at('large.csv'), Buffer.alloc(20_000_000, 'x'))
  uploads = [(request) => request.once('data', () => request.socket.destroy())]
  const { code, errors } = await upload({ file: at('large.csv') })
  expect(code).toBe(2)
  expect(errors).toContain('nothing was uploaded')
  expect(uploadCount()).toBe(1)
})

it('prints a refusal that comes before everything was sent', async () => {
  writeFileSync(at('large.csv'), Buffer.alloc(20_000_000, 'x'))
  uploads = [
    (request, response) => {
      request.once('data', () => response.writeHead(415).end(JSON.stringify({ message: 'Not such a file.' })))
      request.resume()
    },
  ]
  const { code, errors } = await upload({ file: at('large.csv') })
  expect({ code, errors }).toEqual({ code: 2, errors: 'The portal refused: Not such a file.\n' })
})

it.for([
  {
    given: { dictionary: 'Claim' },
    error: /no data dictionary "Claim".*There are:\n {2}Claims\n {2}Members\n/s,
  },
  { given: { token: 'vdt_other' }, error: /refused the token in VERIDICT_TOKEN: not with this key or token/ },
  { given: { token: '' }, error: /needs a token in the environment variable VERIDICT_TOKEN/ },
  { given: { token: 'eyJhbGciOi' }, error: /VERIDICT_TOKEN is not a token/ },
  { given: { file: 'a.txt' }, error: /Only \.xlsx and \.csv files are allowed/ },
  { given: { file: 'missing.csv' }, error: /missing\.csv cannot be opened: there is no such file/ },
  { given: { file: 'folder.csv' }, error: /folder\.csv (?:is not a file|cannot be opened: it is a folder)/ },
  { given: { url: 'http://127.0.0.1:9' }, error: /http:\/\/127\.0\.0\.1:9 cannot be reached/ },
  { given: { url: 'portal.example' }, error: /--url portal\.example is not the address of a portal/ },
] as { given: Given; error: RegExp }[])(
  'exits with 2 and a sentence for $given',
  async ({ given, error }) => {
    const file = given.file === undefined ? {} : { file: at(given.file) }
    const { code, out, errors } = await upload({ ...given, ...file })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(errors).toMatch(error)
    expect(uploadCount()).toBe(0)
  },
)

it.for([
  { why: 'no portal', handle: reply(200, '<html>'), error: /is not a portal/ },
  {
    why: 'another address',
    handle: reply(301, '', { location: 'https://portal.example/config.json' }),
    error: /leads to https:\/\/portal\.example\/config\.json: use that address/,
  },
])('sends no token to $why', async ({ handle, error }) => {
  config = handle
  const { code, errors } = await upload()
  expect(code).toBe(2)
  expect(errors).toMatch(error)
  expect(seen).toEqual(['GET /config.json'])
})

it('waits with --wait through states, a busy portal and a short outage', async () => {
  statuses = [
    reply(200, { value: { ...submission, status: 0 } }),
    reply(429, { message: 'later' }, { 'retry-after': '0' }),
    reply(502, '<html>'),
    (request) => request.socket.destroy(),
    reply(200, { value: { ...submission, status: 3 } }),
    reply(200, { value: { ...submission, status: 4 } }),
  ]
  const { code, out } = await upload({ more: ['--wait'] })
  expect({ code, out }).toEqual({ code: 0, out: 'Passed: a.csv, 1 record.\n' })
  expect(uploadCount()).toBe(1)
})

it.for([
  { status: 5, error: /File 7 is valid, but the portal could not save it/ },
  { status: 6, error: /File 7 is valid, but the portal lost it/ },
])('exits with 2 for a file that ends in status $status', async ({ status, error }) => {
  statuses = [reply(200, { value: { ...submission, status } })]
  const { code, errors } = await upload({ more: ['--wait'] })
  expect(code).toBe(2)
  expect(errors).toMatch(error)
})

it('names the file that was uploaded when its status cannot be read', async () => {
  statuses = [reply(401, { message: 'The token was revoked.' })]
  const { code, errors } = await upload({ more: ['--wait'] })
  expect(code).toBe(2)
  expect(errors).toMatch(/The upload is file 7\..*The token was revoked\./)
})
