import { endpoints } from '@veridict/contract/api/endpoints'
import { describe, expect, it } from 'vitest'
import { apiDocsPage } from '#http/api-docs-page.ts'
import { openApiDocument } from '#http/openapi-document.ts'

const document = openApiDocument('https://portal.example.test')
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('The OpenAPI document', () => {
  it('has every endpoint of the contract, each once', () => {
    expect(operations.map((operation) => operation.operationId).toSorted()).toEqual(Object.keys(endpoints).toSorted())
  })

  it('names every parameter of every path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((parameter) => parameter['in'] === 'path').map((parameter) => parameter['name'])).toEqual(named)
      }
    }
  })

  it('describes a body wherever one is sent, and a payload wherever one comes back', () => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const operation = operations.find(({ operationId }) => operationId === name)
      expect(operation?.requestBody !== undefined).toBe(endpoint.body !== undefined || endpoint.multipart !== undefined)
      expect(operation?.responses[endpoint.status ?? 200]).toBeDefined()
    }
  })

  it('gives types of what is sent, also where text is turned into numbers', () => {
    const paging = document.paths['/api/User']?.['get']?.parameters
    expect(paging?.find((parameter) => parameter['name'] === 'PageSize')?.['schema']).toMatchObject({ type: 'integer', default: 10 })
  })

  it('can be read as a page that loads nothing', () => {
    const page = apiDocsPage(document)
    expect(page).not.toMatch(/<script|https?:\/\/(?!portal\.example\.test)|<link|<img/)
    for (const { path } of Object.values(endpoints)) expect(page).toContain(path.replaceAll(/:(\w+)/g, '{$1}'))
  })
})
