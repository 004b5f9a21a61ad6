import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { endpoints } from '@veridict/contract/api/endpoints'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { fileGuards, uploadLimits } from '@veridict/contract/limits'
import { sessionMessages } from '@veridict/contract/messages/session'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { Field } from '@veridict/contract/model/field'
import { Role } from '@veridict/contract/model/role'
import { strFromU8, strToU8, unzipSync, Zip, ZipPassThrough, zipSync, type Zippable } from 'fflate'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import type { UserRow } from '#db/tables.ts'
import { createMetrics } from '#drivers/metrics.ts'
import { createTokens } from '#drivers/tokens.ts'
import { createLog } from '#log.ts'
import { buildAdministrator, buildDictionary, buildUser, testPassword } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { type FormPart, uploadForm } from '#test/upload-form.ts'

/**
 * Attacks on one server, numbered as in docs/PROBES.md, which also names the tests elsewhere that show the
 * others.
 */
let portal: TestApp
let folder: string
let dictionaryId: number
beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000 })
  folder = await mkdtemp(join(tmpdir(), 'veridict-probes-'))
  dictionaryId = (await buildDictionary(portal.deps.db, { companyId: portal.clerk.companyId ?? 0 })).id
})
afterAll(async () => {
  await portal.close()
  await rm(folder, { recursive: true, force: true })
})

const MIB = 1024 * 1024
const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  portal.call(method, url, { as: portal.administrator, body })
const unique = () => crypto.randomUUID()
/** A refusal has a sentence or messages by field, and nothing of the inside. */
function expectRefusal(reply: LightMyRequestResponse, statuses: readonly number[], what: string) {
  expect(statuses, `${what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`).toContain(reply.statusCode)
  expect(reply.body, what).not.toMatch(
    /\bat .+:\d+:\d+|node_modules|\bselect \S+ from|insert into|apps\/server/i,
  )
}

describe('Probe of a session', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sign = (content: string, key: string | Buffer) =>
    `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  const statusWith = async (token: string) =>
    (await portal.call('GET', '/api/DataDictionary/GetListForSelection', { as: token })).statusCode
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

  it.for(['/api/FileSubmission', '/api/User', '/api/Session', '/api/DataDictionary/GetListForSelection'])(
    '1: a wrong API key opens nothing, even with a session: %s',
    async (url) => {
      const reply = await portal.call('GET', url, { as: portal.administrator, apiKey: 'wrong' })
      expect([reply.statusCode, reply.json()]).toEqual([401, { message: sessionMessages.wrongApiKey }])
    },
  )

  it('3 to 6: only an unchanged, unexpired token of this portal is accepted', async () => {
    const token = await portal.tokenOf(portal.clerk)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = claimsOf(token)
    const administrator = encode({ ...claims, IsSuperAdmin: 'True' })
    const { tokenSecret, accessTokenMinutes, apiKey } = portal.deps.env
    const rightKey = createHmac('sha256', tokenSecret).update('access').digest()
    const past = { now: () => new Date(Date.now() - (accessTokenMinutes + 1) * 60_000) }
    const expired = createTokens({ secret: tokenSecret, accessTokenMinutes }, past).issueAccess({
      userId: portal.clerk.id,
      role: Role.CompanyUser,
      email: portal.clerk.email,
      sessionId: String(claims['sid']),
    })
    const headers = [
      { alg: 'none' },
      { alg: 'HS512', typ: 'at+jwt' },
      { alg: 'HS256', typ: 'JWT' },
      { alg: 'HS256', typ: 'at+jwt', kid: '../../x' },
      { alg: 'HS256', typ: 'at+jwt', jku: 'https://evil.test/keys' },
    ]
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      ...headers.map((forgedHeader) => sign(`${encode(forgedHeader)}.${payload}`, rightKey)),
      ...['', 'secret', apiKey, tokenSecret].map((key) => sign(`${header}.${administrator}`, key)),
      `${header}.${administrator}.${signature}`,
      expired,
    ]
    expect(await Promise.all(forged.map(statusWith))).toEqual(forged.map(() => 401))
    expect(await statusWith(token)).toBe(200)
  })

  it('10: a forgotten password of a deleted user gets the same reply, and no e-mail', async () => {
    const user = await buildUser(portal.deps.db, { deletedAt: new Date() })
    const replyFor = (email: string) => portal.call('POST', '/api/Login/forgotpassword', { body: { email } })
    const [deleted, unknown] = [await replyFor(user.email), await replyFor('nobody@example.test')]
    expect([deleted.statusCode, deleted.body]).toEqual([200, unknown.body])
    const mails = portal.deps.db.selectFrom('mails').select('id').where('recipient', '=', user.email)
    expect(await mails.execute()).toEqual([])
  })

  it('14: every link that is not valid gets the same message', async () => {
    const links = new Map<string, string>()
    const linkOf = async (user: UserRow) => {
      await portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } })
      const mail = await portal.deps.db
        .selectFrom('mails')
        .select('textBody')
        .where('recipient', '=', user.email)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const url = new URL(/http\S+\/set-password\S+/.exec(mail.textBody)?.[0] ?? '')
      return url.searchParams.get('token') ?? ''
    }
    const user = await buildUser(portal.deps.db)
    const other = await buildUser(portal.deps.db)
    const late = await buildUser(portal.deps.db)
    links.set('older', await linkOf(user))
    links.set('newest', await linkOf(user))
    links.set('of another person', await linkOf(other))
    links.set('late', await linkOf(late))
    await portal.deps.db
      .updateTable('passwordLinks')
      .set({ expiresAt: sql`expires_at - interval '61 minutes'` })
      .where('userId', '=', late.id)
      .execute()
    const newest = links.get('newest') ?? ''
    const flipped = `${newest.slice(0, -2)}${newest.at(-2) === 'A' ? 'B' : 'A'}${newest.slice(-1)}`
    const set = async (email: string, token = '') => {
      const body = { email, token, newPassword: 'Wombats-dig-Burrows-7' }
      const reply = await portal.call('POST', '/api/User/setpassword', { body })
      return [reply.statusCode, reply.json().message]
    }
    const refused = [400, sessionMessages.spentResetLink]
    expect(await set(user.email, links.get('older'))).toEqual(refused)
    expect(await set(user.email, links.get('of another person'))).toEqual(refused)
    expect(await set(user.email, flipped)).toEqual(refused)
    expect(await set(late.email, links.get('late'))).toEqual(refused)
    expect((await set(user.email, newest))[0]).toBe(200)
    expect(await set(user.email, newest)).toEqual(refused)
  })

  it('21: an administrator who becomes a clerk loses the rights at once', async () => {
    const administrator = await buildAdministrator(portal.deps.db)
    const token = await portal.tokenOf(administrator)
    expect((await portal.call('GET', '/api/Company', { as: token })).statusCode).toBe(200)
    await portal.deps.db
      .updateTable('users')
      .set({ role: Role.CompanyUser, companyId: portal.clerk.companyId })
      .where('id', '=', administrator.id)
      .execute()
    // The token still says IsSuperAdmin: rights come from the database.
    expect((await portal.call('GET', '/api/Company', { as: token })).statusCode).toBe(403)
  })
})

describe('Probe of what a call accepts', () => {
  it('30: values that no form has are ignored: companies, fields, prototypes', async () => {
    const name = unique()
    const extra = {
      id: 1,
      status: 4,
      isSuperAdmin: true,
      companyId: 1,
      createdAt: '2000-01-01',
      deletedAt: null,
    }
    const company = await asAdmin('POST', '/api/Company', {
      ...extra,
      name,
      containerName: name,
      address: '',
    })
    const { id } = company.json().value
    expect([company.statusCode, id === 1]).toEqual([201, false])
    const change = { ...extra, name: `${name}-2`, containerName: name, address: '' }
    expect((await asAdmin('PUT', `/api/Company/${id}`, change)).json().value).toEqual({ id })
    const row = await portal.deps.db
      .selectFrom('companies')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([row.name, row.deletedAt, row.createdAt.getFullYear() > 2000]).toEqual([`${name}-2`, null, true])

    const [mine, other] = [await buildDictionary(portal.deps.db), await buildDictionary(portal.deps.db)]
    const field = { itemName: 'Renamed', description: '', category: '', ruleType: 0, isRequired: true }
    const body = {
      ...field,
      ruleConfig: '{}',
      dataDictionaryId: mine.id,
      id: other.fieldIds[0],
      position: 99,
    }
    await asAdmin('PUT', `/api/DataDictionary/Item/${mine.fieldIds[0]}`, body)
    const names = async (dictionary: number) =>
      (await asAdmin('GET', `/api/DataDictionary/${dictionary}/Item`))
        .json()
        .value.data.map((item: { columnName: string; position: number }) => [item.columnName, item.position])
    expect(await names(mine.id)).toEqual([
      ['Renamed', 1],
      ['Amount', 2],
    ])
    expect(await names(other.id)).toEqual([
      ['Name', 1],
      ['Amount', 2],
    ])
    const headers = { 'content-type': 'application/json' }
    const polluting = '{"name":"x","containerName":"x","constructor":{"prototype":{"polluted":true}}}'
    await portal.call('POST', '/api/Company', { as: portal.administrator, body: polluting, headers })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('32: an invalid id gets 400 or 404 in every call, never a 5xx', async () => {
    const ids = [
      '0',
      '-1',
      '1e9',
      '2147483648',
      '99999999999999999999',
      'NaN',
      "1'--",
      '%00',
      '..%2f1',
      '1%20OR%201=1',
    ]
    const tokens = {
      administrator: await portal.tokenOf(portal.administrator),
      clerk: await portal.tokenOf(portal.clerk),
    }
    const withIds = Object.values(endpoints).filter(
      ({ path, access }) => path.includes(':') && access !== 'public',
    )
    expect(withIds.length).toBeGreaterThan(20)
    for (const { method, path, access } of withIds)
      for (const id of ids) {
        const as = access === 'superAdmin' ? tokens.administrator : tokens.clerk
        const body = method === 'POST' || method === 'PUT' ? {} : undefined
        const url = path.replaceAll(/:\w+/g, id)
        expectRefusal(await portal.call(method, url, { as, body }), [400, 404], `${method} ${url}`)
      }
  })

  it('58: hostile and unusual texts come back as they were, or are refused', async () => {
    const texts = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' OR 1=1 --",
      '${7*7}{{7*7}}<%= 7 %>',
      "=cmd|' /C calc'!A0",
      '../../../etc/passwd',
      '%s%n%x',
      '\\',
      '%00',
      '田中さんにあげて下さい',
      '和製漢語',
      'Ω≈ç√∫˜µ',
      '👩‍👩‍👧‍👦 🏳️‍🌈',
      'ﷺ',
      '\u202Etest\u202C',
      'Z̮̞̠͙͔ͅḀ̗̞͈̻̗',
      'null',
      'undefined',
      'true',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      '1e1000',
      '-0',
      'ı İ ß ﬁ',
      '\u200b\u200d',
      '$(touch /tmp/x)',
      '`id`',
      '{"a":1}',
      '\t',
      'a\0b',
      '\ud800',
    ]
    for (const text of texts) {
      const tag = unique()
      const name = `${text} ${tag}`
      const company = await asAdmin('POST', '/api/Company', { name, containerName: tag, address: text })
      const dictionary = await asAdmin('POST', '/api/DataDictionary', { name })
      for (const reply of [company, dictionary]) expectRefusal(reply, [201, 400], JSON.stringify(text))
      if (company.statusCode === 201) {
        const { value } = (await asAdmin('GET', `/api/Company/${company.json().value.id}`)).json()
        expect([value.companyName, value.address]).toEqual([name.trim(), text.trim()])
        const found = await asAdmin('GET', `/api/Company?${new URLSearchParams({ SearchText: name.trim() })}`)
        expect(found.json().value.totalCount, JSON.stringify(text)).toBe(1)
      }
      if (dictionary.statusCode === 201) {
        const item = { dataDictionaryId: dictionary.json().value.id, itemName: name, description: text }
        const field = { ...item, category: text, ruleType: 0, isRequired: false, ruleConfig: '{}' }
        expectRefusal(
          await asAdmin('POST', '/api/DataDictionary/Item', field),
          [201, 400],
          JSON.stringify(text),
        )
        const { value } = (await asAdmin('GET', `/api/DataDictionary/${dictionary.json().value.id}`)).json()
        expect(value.name).toBe(name.trim())
      }
    }
  })

  it('59: a search of 10 kB is a 200 or 400', async () => {
    const reply = await asAdmin('GET', `/api/Company?SearchText=${'%25_'.repeat(2500)}`)
    expectRefusal(reply, [200, 400], 'a long search')
  })

  it('60: a page number or size beyond the limits gets 200 or 400', async () => {
    const statusOf = async (query: string) => (await asAdmin('GET', `/api/Company?${query}`)).statusCode
    expect(await statusOf('PageSize=100000')).toBe(200)
    expect(await statusOf('PageSize=100001')).toBe(400)
    expect([200, 400]).toContain(await statusOf('PageNumber=1000000000'))
    expect([200, 400]).toContain(await statusOf('PageNumber=2147483647&PageSize=100000'))
    expect(await statusOf('SearchText=a&SearchText=b')).toBe(400)
  })

  it.for([
    ['TRACE', '/api/Company'],
    ['TRACE', '/'],
    ['PROPFIND', '/api/Company'],
    ['OPTIONS', '/api/Company'],
  ])('61: %s %s is no method here, and repeats nothing', async ([method, url]) => {
    const { port, close } = await listening()
    const reply = await rawRequest(port, { method, path: url, headers: { 'x-secret': 'mirror' } })
    await close()
    expect([404, 405]).toContain(reply.status)
    expect(reply.body).not.toContain('mirror')
  })

  it('63: replies of the API may not be read, framed, sniffed or cached by others', async () => {
    const headers = { origin: 'https://evil.test' }
    for (const url of ['/api/health', '/api/Company', '/api/nothing', '/config.json']) {
      const reply = await portal.call('GET', url, { headers })
      expect(reply.headers['access-control-allow-origin'], url).toBeUndefined()
      expect(reply.headers['access-control-allow-credentials'], url).toBeUndefined()
      expect(reply.headers['set-cookie'], url).toBeUndefined()
      expect(reply.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': expect.stringMatching(
          /default-src 'self'.*object-src 'none'; base-uri 'none'.*frame-ancestors 'none'/,
        ),
      })
    }
  })
})

/** Listens on a port, so that tests can send requests that are not well formed. */
async function listening() {
  const app = await buildApp({ ...portal.deps, metrics: createMetrics() })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}

type Raw = {
  method: string
  path: string
  headers: Record<string, string>
  body?: (isReplied: () => boolean) => AsyncIterable<Buffer>
}

/** Sends a body in chunks until it ends or a reply comes. */
async function rawRequest(
  port: number,
  { method, path, headers, body }: Raw,
): Promise<{ status: number; body: string; sent: number }> {
  const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false })
  let isReplied = false
  const replied = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.once('response', (reply) => {
      isReplied = true
      text(reply).then((content) => resolve({ status: reply.statusCode ?? 0, body: content }), reject)
    })
    // The server closes a connection whose body it refused.
    request.on('error', (error) => isReplied || reject(error))
  })
  let sent = 0
  for await (const chunk of body?.(() => isReplied) ?? []) {
    sent += chunk.length
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), replied])
  }
  request.end()
  const reply = await replied
  request.destroy()
  return { ...reply, sent }
}

describe('Probe of an upload', () => {
  const csv = 'Name,Amount\nAda,1.50\n'
  const send = (body: Buffer, headers: Record<string, string>) =>
    portal.call('POST', '/api/FileSubmission', { as: portal.clerk, body, headers })
  const upload = async (...parts: FormPart[]) => {
    const { body, headers } = await uploadForm(['dataDictionaryId', String(dictionaryId)], ...parts)
    return send(body, headers)
  }

  it('39: a body without end and without a length is cut', async () => {
    const { port, close } = await listening()
    const head = ['--x', 'Content-Disposition: form-data; name="file"; filename="a.csv"', '', ''].join('\r\n')
    const chunk = Buffer.alloc(MIB, 'a')
    const reply = await rawRequest(port, {
      method: 'POST',
      path: '/api/FileSubmission',
      headers: {
        ApiKey: portal.deps.env.apiKey,
        authorization: `Bearer ${await portal.tokenOf(portal.clerk)}`,
        'content-type': 'multipart/form-data; boundary=x',
        'transfer-encoding': 'chunked',
      },
      async *body(isReplied) {
        yield Buffer.from(head)
        for (let sent = 0; sent < 500 && !isReplied(); sent++) yield chunk
      },
    })
    await close()
    expect([reply.status, JSON.parse(reply.body)]).toEqual([413, { message: uploadMessages.tooLarge }])
    // What the sockets hold comes on top.
    expect(reply.sent).toBeLessThan(uploadLimits.maxBytes + 32 * MIB)
  })

  it.for([
    { why: 'an ending in capitals', name: 'claims.CSV', content: csv, status: 202 },
    { why: 'another ending', name: 'claims.txt', content: csv, status: 415 },
    { why: 'two endings', name: 'claims.csv.exe', content: csv, status: 415 },
    { why: 'a program of Windows', name: 'claims.csv', content: 'MZ\x90\0\x03\0\0\0', status: 415 },
    { why: 'a program of Linux', name: 'claims.csv', content: '\x7fELF\x02\x01\x01\0', status: 415 },
  ])('40: $why ($status)', async ({ name, content, status }) => {
    expect((await upload(['file', Buffer.from(content, 'latin1'), name])).statusCode).toBe(status)
  })

  it.for([
    { why: 'an old workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], name: 'a.csv' },
    { why: 'a workbook named .csv', bytes: [...zip(workbookParts())], name: 'a.csv' },
    { why: 'a table named .xlsx', bytes: [...Buffer.from(csv)], name: 'a.xlsx' },
  ])('40: $why is stored, and gets a file problem', async ({ bytes, name }) => {
    expect(await verdictOf(Buffer.from(bytes), name)).toMatchObject(problem(ErrorType.Unreadable))
  })

  it.for([
    ['a%00.csv', 202],
    ['a%22; x=%22b.csv', 202],
    ['%0D%0AX: y.csv', 202],
    ['C:\\Windows\\a.csv', 202],
    ['.csv', 202],
    ['..', 400],
  ] as const)('41: the file name %s is a label or refused', async ([name, status]) => {
    const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${csv}\r\n`
    const field = `--x\r\nContent-Disposition: form-data; name="dataDictionaryId"\r\n\r\n${dictionaryId}\r\n`
    const reply = await send(Buffer.from(`${part}${field}--x--\r\n`), {
      'content-type': 'multipart/form-data; boundary=x',
    })
    expectRefusal(reply, [status], name)
    if (status === 202) expect(reply.json().value.fileName).not.toMatch(/[\p{Cc}/\\]/u)
  })

  it('44: a compressed body is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MIB, 'a'))
    const zipped = { 'content-encoding': 'gzip' }
    const json = { ...zipped, 'content-type': 'application/json' }
    const form = { ...zipped, 'content-type': 'multipart/form-data; boundary=x' }
    const login = await portal.call('POST', '/api/Login', { body: bomb, headers: json })
    expectRefusal(login, [400, 415], 'JSON')
    expectRefusal(await send(bomb, form), [400, 415], 'an upload')
  })

  it('65: one person’s uploads are limited, and other people go on', async () => {
    const few = await createTestApp({ uploadsPerMinute: 5 })
    try {
      const colleague = await buildUser(few.deps.db, { companyId: few.clerk.companyId })
      const { id } = await buildDictionary(few.deps.db, { companyId: few.clerk.companyId ?? 0 })
      const { body, headers } = await uploadForm(['dataDictionaryId', String(id)], ['file', csv, 'a.csv'])
      const statusAs = async (as: UserRow) =>
        (await few.call('POST', '/api/FileSubmission', { as, body, headers })).statusCode
      const statuses = []
      for (let number = 0; number < 12; number++) statuses.push(await statusAs(few.clerk))
      expect(statuses).toEqual([...Array(10).fill(202), 429, 429])
      expect(await statusAs(colleague)).toBe(202)
      // Others of the same person, which a slow client sends.
      const other = await buildUser(few.deps.db, { companyId: few.clerk.companyId })
      const { begin } = few.deps.limits.unfinishedUploads
      const ends = Array.from({ length: 10 }, () => begin(String(other.id)))
      expect(await statusAs(other)).toBe(429)
      ends[0]?.()
      expect(await statusAs(other)).toBe(202)
      expect(await statusAs(other)).toBe(202)
    } finally {
      await few.close()
    }
  })
})

const textField = (name: string): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  identifiesRow: false,
  rule: { type: 'text' },
})

/** What the validator says about a file. It must say something: a test that hangs or crashes it fails. */
async function verdictOf(bytes: Uint8Array, name: string, fields: readonly Field[] = [textField('a')]) {
  const path = join(folder, `${unique()}.file`)
  await writeFile(path, bytes)
  return portal.deps.validator.validate({ path, fileName: name, fields }, async () => {}, {
    party: 1,
    person: '1',
  })
}

const formats = 'http://schemas.openxmlformats.org'
const office = `${formats}/officeDocument/2006/relationships`
/** A part of relationships: type and target of each, and other attributes. */
const relations = (...all: [type: string, target: string, more?: string][]) =>
  `<Relationships xmlns="${formats}/package/2006/relationships">` +
  all
    .map(
      ([type, target, more = ''], at) =>
        `<Relationship Id="r${at + 1}" Type="${office}/${type}" Target="${target}"${more}/>`,
    )
    .join('') +
  '</Relationships>'
const sheetOf = (rows: string, before = '', after = '') =>
  `${before}<worksheet xmlns="${formats}/spreadsheetml/2006/main">` +
  `<sheetData>${rows}</sheetData>${after}</worksheet>`
const cell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
const twoRows = `<row r="1">${cell('A1', 'a')}</row><row r="2">${cell('A2', 'x')}</row>`

/** The parts of a small workbook. */
const workbookParts = (changes: Record<string, string> = {}): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${formats}/package/2006/content-types">` +
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml':
    `<workbook xmlns="${formats}/spreadsheetml/2006/main" xmlns:r="${office}">` +
    '<sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
  'xl/worksheets/sheet1.xml': sheetOf(twoRows),
  ...changes,
})
const zip = (parts: Record<string, string>, more: Zippable = {}) =>
  zipSync({
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
    ...more,
  })
const workbookVerdict = (changes: Record<string, string>) => verdictOf(zip(workbookParts(changes)), 'a.xlsx')
const problem = (errorType: number) => ({ kind: 'fileProblem', problem: { errorType } })

/** A server that nobody should call; `close` returns how many did. */
async function listenForCallers() {
  let hits = 0
  const server = createServer((_, reply) => {
    hits++
    reply.end('canary')
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    return hits
  }
  return { address: `http://127.0.0.1:${port}/x`, close }
}

/** A part whose compressed bytes are pushed: fflate takes seconds for hundreds of megabytes. */
class LargePart extends ZipPassThrough {
  readonly #bytes: Uint8Array
  constructor(name: string, bytes: Uint8Array) {
    super(name)
    this.compression = 8
    this.#bytes = bytes
  }
  protected override process(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    this.size = this.#bytes.length
    this.crc = crc32(this.#bytes)
    super.process(chunk, final)
  }
}

describe('Probe of a workbook', () => {
  it('45: a part that unpacks to more than 300 MB is beyond a limit', async () => {
    const sheet = Buffer.alloc(fileGuards.maxUnpackedBytes + MIB, ' ')
    sheet.write(sheetOf(twoRows).replace(/<\/sheetData>.*/, ''))
    sheet.write('</sheetData></worksheet>', sheet.length - 24)
    const chunks: Uint8Array[] = []
    const archive = new Zip((error, chunk) => void (error ?? chunks.push(chunk)))
    const { 'xl/worksheets/sheet1.xml': _, ...small } = workbookParts()
    for (const [name, text] of Object.entries(small)) {
      const part = new ZipPassThrough(name)
      archive.add(part)
      part.push(strToU8(text), true)
    }
    const part = new LargePart('xl/worksheets/sheet1.xml', sheet)
    archive.add(part)
    part.push(deflateRawSync(sheet, { level: 1 }), true)
    archive.end()
    const bomb = Buffer.concat(chunks)
    expect(bomb.length).toBeLessThan(4 * MIB)
    expect(await verdictOf(bomb, 'bomb.xlsx')).toMatchObject(problem(ErrorType.BeyondLimit))
  })

  it('45: more than a thousand parts are beyond a limit', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: 1001 }, (_, number) => [`xl/x${number}.xml`, '<x/>']),
    )
    expect(await workbookVerdict(parts)).toMatchObject(problem(ErrorType.BeyondLimit))
  })

  it.for([
    {
      why: 'a cell at the last place',
      sheet: sheetOf(`${twoRows}<row r="1048576">${cell('XFD1048576', 'x')}</row>`),
    },
    {
      why: 'a dimension that is not so',
      sheet: sheetOf(twoRows).replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>'),
    },
    { why: 'a million empty rows', sheet: sheetOf(`${twoRows}${'<row/>'.repeat(1_000_000)}`) },
    {
      why: 'ten thousand merged areas',
      sheet: sheetOf(
        twoRows,
        '',
        `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(10_000)}</mergeCells>`,
      ),
    },
  ])('46: $why is read within the limits', async ({ sheet }) => {
    const verdict = await workbookVerdict({ 'xl/worksheets/sheet1.xml': sheet })
    expect(['passed', 'rowErrors', 'fileProblem']).toContain(verdict.kind)
  })

  /** Every kind of part that the reader opens. */
  const allParts = workbookParts({
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/sharedStrings.xml': '<sst/>',
    'xl/styles.xml': '<styleSheet/>',
  })
  it.for([...Object.keys(allParts), 'docProps/core.xml'])(
    '47 and 48: entities in %s are never read',
    async (part) => {
      const canary = await listenForCallers()
      const laughs = Array.from(
        { length: 20 },
        (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
      ).join('')
      const documentTypes = [
        `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>`,
        '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        `<!DOCTYPE x [<!ENTITY % x SYSTEM "${canary.address}"> %x;]>`,
        `<!DOCTYPE x SYSTEM "${canary.address}">`,
      ]
      for (const documentType of documentTypes) {
        const verdict = await workbookVerdict({
          ...allParts,
          [part]: `${documentType}${allParts[part] ?? '<x/>'}`,
        })
        expect(verdict, documentType).toMatchObject(problem(ErrorType.Unreadable))
        expect(JSON.stringify(verdict)).not.toMatch(/root:|canary/)
      }
      expect(canary.close()).toBe(0)
    },
  )

  it('48: a link to another workbook or a web page is never followed', async () => {
    const canary = await listenForCallers()
    const { address } = canary
    const link = (type: string) => relations([type, address, ' TargetMode="External"'])
    const formula = `<row r="2"><c r="A2" t="str"><f>WEBSERVICE("${address}")</f><v>x</v></c></row>`
    const verdict = await workbookVerdict({
      'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${formats}/spreadsheetml/2006/main"/>`,
      'xl/externalLinks/_rels/externalLink1.xml.rels': link('externalLinkPath'),
      'xl/worksheets/_rels/sheet1.xml.rels': link('hyperlink'),
      'xl/worksheets/sheet1.xml': sheetOf(`<row r="1">${cell('A1', 'a')}</row>${formula}`),
    })
    expect([verdict, canary.close()]).toEqual([{ kind: 'passed', recordsCount: 1 }, 0])
  })

  it.for(['../../probe-49.xml', '/tmp/probe-49.xml', 'xl\\..\\..\\probe-49.xml', 'XL/WORKBOOK.XML'])(
    '49: a part named %s is written nowhere',
    async (name) => {
      expect((await workbookVerdict({ [name]: '<x/>' })).kind).toMatch(/passed|fileProblem/)
      await expect(access('/tmp/probe-49.xml')).rejects.toThrow()
    },
  )

  it('49: bytes in front of a workbook do no harm', async () => {
    const bytes = Buffer.concat([Buffer.alloc(1024, 'x'), zip(workbookParts())])
    expect((await verdictOf(bytes, 'a.xlsx')).kind).toMatch(/passed|fileProblem/)
  })

  it('51: columns named like members of Object.prototype are ordinary columns', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const fields = names.map(textField)
    const row = (number: number, texts: string[]) =>
      `<row r="${number}">${texts.map((text, at) => cell(`${'ABCD'[at]}${number}`, text)).join('')}</row>`
    const passed = { kind: 'passed', recordsCount: 1 }
    const sheet = sheetOf(row(1, names) + row(2, names))
    const workbook = zip(workbookParts({ 'xl/worksheets/sheet1.xml': sheet }))
    expect(await verdictOf(workbook, 'a.xlsx', fields)).toEqual(passed)
    expect(await verdictOf(Buffer.from(`${names.join(',')}\n${names.join(',')}\n`), 'a.csv', fields)).toEqual(
      passed,
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('Probe of a CSV file', () => {
  const large = 24 * MIB
  it.for([
    {
      why: 'one quote that is never closed',
      text: () => `a\n"${'x'.repeat(large)}`,
      type: ErrorType.Unreadable,
    },
    { why: 'one endless line', text: () => `a\n${'x'.repeat(large)}`, type: ErrorType.BeyondLimit },
    { why: 'a million columns', text: () => `${'a,'.repeat(1_000_000)}a\n`, type: ErrorType.BeyondLimit },
    {
      why: 'thirteen million empty lines',
      text: () => `a${'\n'.repeat(13_000_000)}`,
      type: ErrorType.NoRows,
    },
    { why: 'NULs', text: () => `a\n${'\0'.repeat(MIB)}`, type: ErrorType.Unreadable },
    { why: 'carriage returns alone', text: () => `a\r${'x\r'.repeat(1000)}`, type: undefined },
  ])('52: $why', async ({ text, type }) => {
    const verdict = await verdictOf(Buffer.from(text()), 'a.csv')
    expect(verdict).toMatchObject(type === undefined ? { kind: 'passed', recordsCount: 1000 } : problem(type))
  })

  it('52: characters cut at the edge of any chunk are read whole', async () => {
    const text = `a\n${'ü€👍\n'.repeat(40_000)}`
    expect(await verdictOf(Buffer.from(text), 'a.csv')).toEqual({ kind: 'passed', recordsCount: 40_000 })
  })

  /** Patterns and values that keep a backtracking engine busy for years. */
  const slow: [pattern: string, value: string][] = [
    ['^(a+)+$', 'a'],
    ['^([a-zA-Z0-9])+\\s+$', 'a'],
    ['^(a|aa)+$', 'a'],
    ['(a*)*b', 'a'],
    ['(.*a){20}', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(x+x+)+y', 'x'],
    ['^(\\w+\\s?)*$', 'a '],
    ['(\\d+)*[^\\d]x', '1'],
    ['^((ab)*)+$', 'ab'],
    ['(?:a?){30}a{30}', 'a'],
    ['^(?:.*?,){11}P', '1,'],
    ['(a|b|ab)*c', 'ab'],
    ['^[\\w.-]+(?:[\\w.-]+)*@x$', 'a'],
    ['\\s*#?\\s*$', ' '],
    ['(?:(?:(?:a+)+)+)+b', 'a'],
    ['(.+)+(.+)+=', '='],
    ['^(\\p{L}+)+$', 'é'],
    ['(?i)(k+)+K', 'K'],
  ]
  it('53: nineteen patterns that stop other engines are refused or run, on a thousand rows', async () => {
    const { id } = await buildDictionary(portal.deps.db, { fields: [] })
    const fields: Field[] = []
    for (const [number, [regularExpression]] of slow.entries()) {
      const reply = await asAdmin('POST', '/api/DataDictionary/Item', {
        dataDictionaryId: id,
        itemName: `f${number}`,
        description: '',
        category: '',
        ruleType: ruleNumbers.pattern,
        isRequired: false,
        ruleConfig: JSON.stringify({ regularExpression }),
      })
      expectRefusal(reply, [201, 400], regularExpression)
      if (reply.statusCode === 201)
        fields.push({ ...textField(`f${number}`), rule: { type: 'pattern', pattern: regularExpression } })
    }
    expect(fields.length).toBeGreaterThan(0)
    const values = fields.map(({ name }) => `${(slow[Number(name.slice(1))]?.[1] ?? '').repeat(60)}!`)
    const row = values.map((value) => `"${value}"`).join(',')
    const text = `${fields.map(({ name }) => name).join(',')}\n${`${row}\n`.repeat(1000)}`
    const verdict = await verdictOf(Buffer.from(text), 'a.csv', fields)
    expect(verdict).toMatchObject({ recordsCount: 1000 })
  })
})

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
    await portal.deps.validator.writeErrorFile(
      kind,
      { path, fileName: 'a.csv', fields: [short, bad] },
      output,
      { party: 1, person: '1' },
    )
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
