import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openS3 } from '#platform/storage/s3-store.ts'

it('An S3 store lists the objects of all pages, of which each names the next', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  const pages = 3
  const server = createServer(({ url = '' }, response) => {
    const page = Number(new URL(url, 'http://store').searchParams.get('continuation-token') ?? 1)
    const next = page < pages ? `<NextContinuationToken>${page + 1}</NextContinuationToken>` : ''
    response.setHeader('content-type', 'application/xml')
    response.end(`<ListBucketResult><IsTruncated>${page < pages}</IsTruncated>${next}<Contents>
      <Key>${page}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = openS3({ kind: 's3', bucket: 'b', prefix: '', endpoint, region: null, pathStyle: true })
  const listed = await Array.fromAsync(store.list(''))
  expect(listed.map(({ key }) => key)).toEqual(['1', '2', '3'])
})
