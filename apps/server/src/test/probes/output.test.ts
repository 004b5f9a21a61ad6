import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Field } from '@veridict/contract/model/field'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { createLog } from '#log.ts'
import { buildDictionary, buildUser, testPassword } from '#test/factories.ts'
import { textField } from '#test/probes/verdict-of.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { uploadForm } from '#test/upload-form.ts'

/** Attacks on what the portal sends out and stores, numbered as in docs/PROBES.md. */
let portal: TestApp
let folder: string
beforeAll(async () => {
  portal = await createTestApp()
  // Validator processes read and write here.
  folder = join(portal.deps.env.dataDir, 'generated-files')
})
afterAll(async () => {
  await portal.close()
})

const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  portal.call(method, url, { as: portal.administrator, body })
const unique = () => crypto.randomUUID()

describe('Probe of what is sent out', () => {
  const payloads = [
    '=1+1',
    "+1+cmd|' /C calc'!A0",
    '-2+3+cmd|x',
    '@SUM(1)',
    '\t=1+1',
    '=HYPERLINK("http://evil.test";"x")',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    ';=1+1',
    '=WEBSERVICE("http://evil.test")',
    '=DDE("cmd";"x")',
    '-5.00',
    '+4912345',
  ]
  it.for(['errors', 'highlighted'] as const)('56: %s holds texts, no formulas and no links', async (kind) => {
    const path = join(folder, `${unique()}.csv`)
    const output = join(folder, `${unique()}.xlsx`)
    const rows = payloads.map((payload) => `"${payload.replaceAll('"', '""')}",x`)
    await writeFile(path, `a,b\n${rows.join('\n')}\n`)
    const bad: Field = { ...textField('b'), rule: { type: 'number' } }
    const short: Field = { ...textField('a'), rule: { type: 'text', maxLength: 1 } }
    await portal.deps.validator.run('writeErrorFile', {
      kind,
      file: { path, fileName: 'a.csv', fields: [short, bad] },
      outputPath: output,
    })
    const parts = Object.entries(unzipSync(await readFile(output)))
    for (const [name, bytes] of parts) {
      expect(name).not.toMatch(/externalLink|vbaProject|connections|activeX|embeddings/)
      const text = strFromU8(bytes)
      expect(text, name).not.toMatch(/<(?:\w+:)?f[\s>]|TargetMode="External"|<(?:\w+:)?hyperlink/)
    }
    const all = parts.map(([, bytes]) => strFromU8(bytes)).join('')
    expect(all).toContain('HYPERLINK')
  })

  it('57: a download is an attachment that is neither shown, sniffed nor kept', async () => {
    const name = `a";filename="x.html ü€漢 ${unique()}`
    const { id } = await buildDictionary(portal.deps.db, { name })
    const reply = await asAdmin('GET', `/api/DataDictionary/${id}/Export`)
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[^"]*"; filename\*=UTF-8''[\w%.~!-]+$/,
      ),
    })
  })
})

it('66: neither the log nor the database holds a password, a token or a link', async () => {
  let log = ''
  const stream = new Writable({ write: (chunk: Buffer, _, done) => ((log += chunk.toString()), done()) })
  const app = await buildApp({
    ...portal.deps,
    metrics: createMetrics(),
    log: createLog('trace', { destination: stream }),
  })
  const user = await buildUser(portal.deps.db)
  const call = (method: 'GET' | 'POST', url: string, payload?: object | string, token?: string) =>
    app.inject({
      method,
      url,
      payload,
      headers: {
        ApiKey: portal.deps.env.apiKey,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    })
  const secrets = [testPassword, 'Wr0ng-Secret-Guess', 'Wombats-dig-Burrows-7']
  await call('POST', '/api/Login', { email: user.email, password: secrets[1] })
  const login = await call('POST', '/api/Login', { email: user.email, password: testPassword })
  const { accessToken, refreshToken } = login.json().value.userTokens
  secrets.push(accessToken, refreshToken)
  await call('GET', '/api/FileSubmission?SearchText=x', undefined, accessToken)
  await call('GET', '/api/Company', undefined, accessToken)
  const form = await uploadForm(['dataDictionaryId', '1'], ['file', 'a,b\n', 'a.csv'])
  const headers = { ...form.headers, ApiKey: portal.deps.env.apiKey, authorization: `Bearer ${accessToken}` }
  await app.inject({ method: 'POST', url: '/api/FileSubmission', payload: form.body, headers })
  await call('POST', '/api/Login', `{"email":"${user.email}","password":"${testPassword}"`)
  await call('POST', '/api/Login/refresh', { refreshToken })
  await call('POST', '/api/Login/forgotpassword', { email: user.email })
  const mail = await portal.deps.db
    .selectFrom('mails')
    .select('textBody')
    .where('recipient', '=', user.email)
    .executeTakeFirstOrThrow()
  const token =
    new URL(/http\S+\/set-password\S+/.exec(mail.textBody)?.[0] ?? '').searchParams.get('token') ?? ''
  secrets.push(token)
  await call('POST', '/api/User/setpassword', { email: user.email, token, newPassword: secrets[2] })
  await app.close()
  const entries = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(entries.length).toBeGreaterThan(5)
  const { passwordHash } = await portal.deps.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  // The e-mail that waits in the outbox holds its link, and is deleted once it was sent.
  const tables = ['users', 'sessions', 'passwordLinks', 'wrongPasswords', 'marks'] as const
  const rows = await Promise.all(
    tables.map((table) => portal.deps.db.selectFrom(table).selectAll().execute()),
  )
  const database = JSON.stringify(rows)
  for (const secret of secrets)
    expect([log.includes(secret), database.includes(secret)]).toEqual([false, false])
})
