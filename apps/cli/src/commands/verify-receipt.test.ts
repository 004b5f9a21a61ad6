import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCommands } from '#test/command-process.ts'

const content = 'Id\n1\n'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first' }
const other = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'second' }

/** The members are in alphabetical order, so that JSON.stringify writes the canonical form. */
const signed = {
  fileName: 'a.csv',
  keyId: 'first',
  portal: 'http://127.0.0.1:1',
  sha256: createHash('sha256').update(content).digest('hex'),
  size: 5,
}
const signature = sign(null, Buffer.from(JSON.stringify(signed)), privateKey).toString('base64url')
const receipt = { ...signed, signature }

let folder: string
let commands: ReturnType<typeof startCommands>
let server: Server
let portal: string
/** The portal's reply to a request for its keys. */
let reply: { status: number; headers?: Record<string, string>; body: string }
const asked: (string | undefined)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridict-receipt-'))
  writeFileSync(join(folder, 'a.csv'), content)
  commands = startCommands()
  server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  portal = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  commands.stop()
  server.close()
  rmSync(folder, { recursive: true })
})

const file = (name: string, value: unknown) => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return join(folder, name)
}

async function verify(given: unknown, ...keys: string[]) {
  const args = ['receipt', 'verify', join(folder, 'a.csv'), file('receipt.json', given), ...keys]
  return commands.run(args)
}
const keysFile = (...keys: unknown[]) => ['--keys', file('keys.json', { keys })]

it('exits with 0 and prints the facts, also for the whole response of the call', async () => {
  for (const given of [receipt, { value: receipt }]) {
    const { status, stdout } = await verify(given, ...keysFile(jwk))
    expect(status).toBe(0)
    expect(stdout).toContain('This is the file of the receipt')
    expect(stdout).toContain('fileName  a.csv')
  }
})

it('asks the given portal for its keys, and never the address in the receipt', async () => {
  reply = { status: 200, body: JSON.stringify({ keys: [jwk] }) }
  asked.length = 0
  expect((await verify({ ...receipt, portal: `${portal}/receipt` }, ...keysFile(jwk))).status).toBe(1)
  expect(asked).toEqual([])
  expect((await verify(receipt, '--url', `${portal}/`)).status).toBe(0)
  expect(asked).toEqual(['/.well-known/veridict-receipts'])
})

it.for([
  { why: 'a key of somebody else under the same id', key: { ...other, kid: 'first' }, code: 1 },
  { why: 'a key that a file of keys lacks', key: other, code: 2 },
  { why: 'a file without keys of receipts', key: { kty: 'RSA', kid: 'first' }, code: 2 },
  { why: 'a key that is none', key: { ...jwk, x: 'short' }, code: 2 },
])('exits with $code for $why', async ({ key, code }) => {
  expect((await verify(receipt, ...keysFile(key))).status).toBe(code)
})

it('exits with 1 for a key that the portal never had', async () => {
  reply = { status: 200, body: JSON.stringify({ keys: [other] }) }
  const { status, stderr } = await verify(receipt, '--url', portal)
  expect(status).toBe(1)
  expect(stderr).toContain('never had the key')
})

it('accepts no other spelling of a signature', async () => {
  const last = signature.at(-1) as string
  const next = String.fromCharCode(last.charCodeAt(0) + 1)
  for (const changed of [`${signature}=`, `${signature}A`, ` ${signature}`, signature.slice(0, -1) + next])
    expect((await verify({ ...receipt, signature: changed }, ...keysFile(jwk))).status).toBe(1)
})

it.for([
  { why: 'a redirect', status: 302, headers: { location: 'https://example.test/keys' }, body: '' },
  { why: 'an error', status: 500, body: '' },
  { why: 'something else than JSON', status: 200, body: '<html>' },
])('exits with 2 when the portal replies with $why', async ({ status, headers, body }) => {
  reply = { status, ...(headers && { headers }), body }
  const verdict = await verify(receipt, '--url', portal)
  expect(verdict.status).toBe(2)
  expect(verdict.stderr).toContain('The keys cannot be read from')
})

it.for([
  { why: 'no receipt', given: { fileName: 'a.csv' } },
  { why: 'no object', given: null },
  { why: 'a text that is not JSON', given: '{' },
])('exits with 2 for $why', async ({ given }) => {
  expect((await verify(given ?? 'null', ...keysFile(jwk))).status).toBe(2)
})

it('exits with 2 without keys, with keys from two places, and for a portal that is not there', async () => {
  expect((await verify(receipt)).status).toBe(2)
  expect((await verify(receipt, '--url', portal, ...keysFile(jwk))).status).toBe(2)
  expect((await verify(receipt, '--url', 'http://127.0.0.1:9')).status).toBe(2)
  expect((await verify(receipt, '--url', 'file:///etc/passwd')).status).toBe(2)
})

it('warns of an address that is not encrypted, without another exit code', async () => {
  reply = { status: 200, body: JSON.stringify({ keys: [jwk] }) }
  const warning = expect.stringContaining(`Warning: ${portal} is not encrypted`)
  expect(await verify(receipt, '--url', portal)).toMatchObject({ status: 0, stderr: warning })
  const changed = { ...receipt, size: 6 }
  expect(await verify(changed, '--url', portal)).toMatchObject({ status: 1, stderr: warning })
  const { stderr } = await verify(receipt, ...keysFile(jwk))
  expect(stderr).toBe('')
})
