import type { Endpoint } from '@veridict/contract/api/endpoint'
import { endpoints } from '@veridict/contract/api/endpoints'
import { Role } from '@veridict/contract/model/role'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayCall } from '#policies/may.ts'
import { buildCompanyToken } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let token: string
beforeAll(async () => {
  portal = await createTestApp()
  token = (await buildCompanyToken(portal.deps, portal.clerk.companyId ?? 0)).token
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

/** Upload, status, errors and downloads of a company, and nothing else. */
const openToTokens =
  /^\/api\/(?:(?:FileSubmission|ValidationError|ErrorFile)(?:\/|$)|DataDictionary\/GetListForSelection$)/

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

  it.for(closed)('%s is open to a token of a company, or 403, by its address', async ([, endpoint]) => {
    const { statusCode } = await send(endpoint, token)
    if (openToTokens.test(endpoint.path)) expect([200, 400, 404, 415]).toContain(statusCode)
    else expect(statusCode).toBe(403)
  })
})
