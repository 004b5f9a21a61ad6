import { finished } from 'node:stream/promises'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { contentDisposition, csvDownload, sendDownload, type Download } from '#platform/http/download.ts'

describe('The name of a download', () => {
  it.for([
    ['a.xlsx', `attachment; filename="a.xlsx"; filename*=UTF-8''a.xlsx`],
    ['ü€漢.csv', `attachment; filename="___.csv"; filename*=UTF-8''%C3%BC%E2%82%AC%E6%BC%A2.csv`],
    [
      'a";filename="x.html',
      `attachment; filename="a_;filename=_x.html"; filename*=UTF-8''a%22%3Bfilename%3D%22x.html`,
    ],
    ["it's (1).csv", `attachment; filename="it's (1).csv"; filename*=UTF-8''it%27s%20%281%29.csv`],
    ['a\r\nX: y.csv', `attachment; filename="a  X: y.csv"; filename*=UTF-8''a%20%20X%3A%20y.csv`],
    ['half \ud800 pair', `attachment; filename="half _ pair"; filename*=UTF-8''half%20%EF%BF%BD%20pair`],
  ] as const)('%j makes one valid header', ([name, header]) => {
    expect(contentDisposition(name)).toBe(header)
  })
})

it('A download is neither read nor made for a HEAD, which has its headers', async () => {
  let rows = 0
  async function* content() {
    for (; rows < 1000; rows++) yield 'a row\n'
  }
  const download: Download = { ...csvDownload('a.csv', content()), bytes: 6000 }
  const app = Fastify()
  app.get('/', (_, reply) => sendDownload(reply, download))
  const { headers, statusCode, body } = await app.inject({ method: 'HEAD', url: '/' })
  expect({ statusCode, body, length: headers['content-length'] }).toEqual({
    statusCode: 200,
    body: '',
    length: '6000',
  })
  await finished(download.content as NodeJS.ReadableStream).catch(() => {})
  expect(rows).toBe(0)
})
