import { endpoints } from '@veridict/contract/api/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary } from '#test/factories.ts'
import { expectRefusal } from '#test/probes/expect-refusal.ts'
import { listen, rawRequest } from '#test/probes/raw-request.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** Attacks on what calls accept, numbered as in docs/PROBES.md. */
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  portal.call(method, url, { as: portal.administrator, body })
const unique = () => crypto.randomUUID()

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
    const { port, close } = await listen(portal)
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
