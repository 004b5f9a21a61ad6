import type { Endpoint } from '@veridict/contract/api/endpoint'
import { endpoints } from '@veridict/contract/api/endpoints'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { Role } from '@veridict/contract/model/role'
import { type TokenScope, tokenScopes } from '@veridict/contract/model/token-scope'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayCall } from '#platform/access/viewer.ts'
import { buildCompanyToken } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
const tokens = {} as Record<TokenScope, string>
beforeAll(async () => {
  portal = await createTestApp()
  for (const scope of tokenScopes)
    tokens[scope] = (await buildCompanyToken(portal.deps, portal.clerk.companyId ?? 0, { scope })).token
})
afterAll(() => portal.close())

const urlOf = (endpoint: Endpoint) => endpoint.path.replaceAll(/:\w+/g, '2000000000')
const all = Object.entries(endpoints)
const closed = all.filter(([, endpoint]) => endpoint.access !== 'public')

/** The body is malformed on purpose: the role is checked before the body is read. */
const broken = { body: '{', headers: { 'content-type': 'application/json' } }
const send = (endpoint: Endpoint, as?: TestApp['clerk'] | string) => {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  return portal.call(endpoint.method, urlOf(endpoint), { as, ...(hasBody ? broken : {}) })
}

/** By scope, the calls that a token reaches, and nothing else. */
const uploads = ['POST /api/FileSubmission', 'POST /api/FileSubmission/retryingestionupload']
const ofBoth = [
  'GET /api/DataDictionary/GetListForSelection',
  'GET /api/FileSubmission',
  'GET /api/FileSubmission/:id',
  'GET /api/FileSubmission/:id/Receipt',
]
const reads = [
  'GET /api/FileSubmission/Export',
  'GET /api/FileSubmission/Earlier',
  'GET /api/FileSubmission/:id/Errors',
  'GET /api/ValidationError/:id/ValidationErrorItems',
  'GET /api/ErrorFile/:id/Simple',
  'GET /api/ErrorFile/:id/Highlighted',
  'GET /api/ErrorFile/:id/Corrected',
  'GET /api/ErrorFile/:id/Source',
]
const openTo: Record<TokenScope, string[]> = {
  upload: [...uploads, ...ofBoth],
  read: [...reads, ...ofBoth],
  both: [...uploads, ...reads, ...ofBoth],
}

describe('Every call of the contract', () => {
  it.for(all)('%s exists and needs the API key', async ([, endpoint]) => {
    const reply = await portal.call(endpoint.method, urlOf(endpoint), { apiKey: null })
    expect(reply.statusCode).toBe(401)
    expect(Object.keys(reply.json())).toEqual(['message'])
  })

  it.for(closed)('%s returns 401 without a token', async ([, endpoint]) => {
    expect((await send(endpoint)).statusCode).toBe(401)
  })

  it.for(closed)('%s accepts the roles of its access and returns 403 for the other', async ([, endpoint]) => {
    for (const [role, user] of [
      [Role.CompanyUser, portal.clerk],
      [Role.SuperAdmin, portal.administrator],
    ] as const) {
      const reply = await send(endpoint, user)
      if (mayCall(endpoint.access, { role })) expect([200, 400, 404, 415]).toContain(reply.statusCode)
      else expect(reply.statusCode).toBe(403)
    }
  })

  it.for(closed)('%s is open to a token of a company by its scope, or 403', async ([, endpoint]) => {
    for (const scope of tokenScopes) {
      const reply = await send(endpoint, tokens[scope])
      if (openTo[scope].includes(`${endpoint.method} ${endpoint.path}`))
        expect([200, 400, 404, 415]).toContain(reply.statusCode)
      else
        expect([reply.statusCode, reply.json()]).toEqual([
          403,
          { message: companyTokenMessages.notInScope[scope] },
        ])
    }
  })

  it('that a token reaches by a scope exists', () => {
    const calls = all.map(([, { method, path }]) => `${method} ${path}`)
    for (const scope of tokenScopes) expect(calls).toEqual(expect.arrayContaining(openTo[scope]))
  })
})
