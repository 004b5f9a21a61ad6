import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Gate } from '#platform/admission/gate.ts'
import { buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

describe('A mounted endpoint', () => {
  it('returns 401 without the API key, even with a valid token', async () => {
    const reply = await portal.call('GET', '/api/Admin/counts', { as: portal.administrator, apiKey: null })
    expect(reply.statusCode).toBe(401)
    expect(Object.keys(reply.json())).toEqual(['message'])
  })

  it('refuses a wrong role before it reads the body', async () => {
    const reply = await portal.call('POST', '/api/User', {
      as: portal.clerk,
      body: 'broken',
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.statusCode).toBe(403)
  })

  it('ignores the case of names in the query', async () => {
    const reply = await portal.call('GET', '/api/User?pagesize=1&SEARCHTEXT=nobody', {
      as: portal.administrator,
    })
    expect(reply.json()).toEqual({ value: { data: [], totalPages: 0, totalCount: 0 } })
  })

  it.for(['PageSize=0', 'PageSize=abc', 'PageSize=1e308', 'PageNumber=-1', 'PageSize=1&PageSize=2'])(
    'returns 400 for %s',
    async (query) => {
      const reply = await portal.call('GET', `/api/User?${query}`, { as: portal.administrator })
      expect(reply.statusCode).toBe(400)
      expect(Object.keys(reply.json().errors)).toHaveLength(1)
    },
  )

  it.for(['0', '-1', '99999999999999999999', 'NaN', "1'--", '%00', '1.5'])(
    'returns 400 or 404 for the id %s',
    async (id) => {
      const reply = await portal.call('GET', `/api/User/${id}`, { as: portal.administrator })
      expect([400, 404]).toContain(reply.statusCode)
    },
  )

  it('works on some calls of a person at a time; others wait, or are refused', async () => {
    const { clerk, deps } = portal
    const { calls } = deps.limits
    deps.limits.calls = new Gate({
      perKey: 1,
      maxWaitingOfKey: 1,
      maxWaitingBytesOfKey: 1000,
      retrySeconds: 1,
    })
    const endFirst = await deps.limits.calls.enter(String(clerk.id))
    const more = [1, 2].map(() => portal.call('GET', '/api/FileSubmission', { as: clerk }))
    const refused = await Promise.race(more)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    const colleague = await buildUser(deps.db, { companyId: clerk.companyId })
    expect((await portal.call('GET', '/api/FileSubmission', { as: colleague })).statusCode).toBe(200)
    endFirst()
    const statuses = (await Promise.all(more)).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 429])
    deps.limits.calls = calls
  })

  it('returns a success under value, with its sentence', async () => {
    const body = {
      name: 'Ada',
      email: 'ada@example.test',
      phone: '',
      companyId: portal.clerk.companyId,
      isSuperAdmin: false,
    }
    const reply = await portal.call('POST', '/api/User', { as: portal.administrator, body })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toEqual({ value: { id: expect.any(Number) }, successMessage: expect.any(String) })
  })
})
