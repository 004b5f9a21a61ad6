import type { Endpoint } from '@veridict/contract/api/endpoint'
import { endpoints } from '@veridict/contract/api/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiDocsPage } from '#platform/http/api-docs-page.ts'
import { openApiDocument } from '#platform/http/openapi-document.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const document = openApiDocument('https://portal.example.test')
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000 })
})
afterAll(() => portal.close())

describe('The OpenAPI document', () => {
  it('has every endpoint of the contract once', () => {
    expect(operations.map((operation) => operation.operationId).toSorted()).toEqual(
      Object.keys(endpoints).toSorted(),
    )
  })

  it('names every parameter of every path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        expect(
          parameters.filter((parameter) => parameter['in'] === 'path').map((parameter) => parameter['name']),
        ).toEqual(named)
      }
    }
  })

  it('describes every body and every payload', () => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const operation = operations.find(({ operationId }) => operationId === name)
      expect(operation?.requestBody !== undefined).toBe(
        endpoint.body !== undefined || endpoint.multipart !== undefined,
      )
      expect(operation?.responses[endpoint.status ?? 200]).toBeDefined()
    }
  })

  it.for(['saveRuleBook', 'createDictionary', 'tryRow', 'tryImpact'])(
    'says in %s where the parts of a rule book are described',
    (name) => {
      const { requestBody } = operations.find(({ operationId }) => operationId === name)!
      const described = { description: 'As in the reply of GET /api/DataDictionary/{id}/Rules' }
      const properties = { rules: described, exempt: described, blankTexts: described, lists: described }
      expect(requestBody).toMatchObject({ content: { 'application/json': { schema: { properties } } } })
    },
  )

  it('has 507 for uploads and 429 for downloads', () => {
    const withStatus = (status: string) =>
      operations.filter(({ responses }) => status in responses).map(({ operationId }) => operationId)
    const names = (isMeant: (endpoint: Endpoint) => boolean) =>
      Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) => (isMeant(endpoint) ? [name] : []))
    expect(withStatus('507')).toEqual(names(({ multipart }) => multipart !== undefined))
    expect(withStatus('429')).toEqual(expect.arrayContaining(names(({ download }) => download === true)))
  })

  it.for(Object.entries(endpoints).filter(([, { body, multipart }]) => body ?? multipart))(
    'has 413 and 415 for %s, as the server does',
    async ([name, { method, path, access }]) => {
      const { responses } = operations.find(({ operationId }) => operationId === name) ?? {}
      expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['413', '415']))
      const as =
        access === 'companyUser' || access === 'uploader'
          ? portal.clerk
          : access === 'public'
            ? undefined
            : portal.administrator
      const headers = { 'content-type': 'text/plain' }
      const reply = await portal.call(method, path.replaceAll(/:\w+/g, '1'), {
        ...(as && { as }),
        headers,
        body: 'x',
      })
      expect(reply.statusCode).toBe(415)
    },
  )

  it('gives the types of what is sent, also where text becomes a number', () => {
    const paging = document.paths['/api/User']?.['get']?.parameters
    expect(paging?.find((parameter) => parameter['name'] === 'PageSize')?.['schema']).toMatchObject({
      type: 'integer',
      default: 10,
    })
  })

  it('describes what is sent to a webhook', () => {
    expect(document.webhooks['submission.final']).toMatchObject({
      post: {
        requestBody: {
          content: { 'application/json': { schema: { required: ['type', 'timestamp', 'data'] } } },
        },
      },
    })
  })

  it('has a page that loads nothing else', () => {
    const page = apiDocsPage(document)
    expect(page).not.toMatch(/<script|https?:\/\/(?!portal\.example\.test)|<link|<img/)
    for (const { path } of Object.values(endpoints))
      expect(page).toContain(path.replaceAll(/:(\w+)/g, '{$1}'))
  })
})
