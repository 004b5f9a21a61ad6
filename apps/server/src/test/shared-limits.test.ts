import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** Two servers of one database. */
let servers: [TestApp, TestApp]
beforeAll(async () => {
  const first = await createTestApp({ uploadsPerMinute: 2 })
  const { databaseUrl, storageUrl } = first.deps.env
  servers = [first, await createTestApp({ uploadsPerMinute: 2, databaseUrl, storageUrl })]
  return async () => {
    await servers[1].close()
    await servers[0].close()
  }
})

const statusesOf = async (calls: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(calls)).map(({ statusCode }) => statusCode).toSorted()

describe('Two servers', () => {
  it('count the uploads of a person together', async () => {
    const token = await servers[0].tokenOf(servers[0].clerk)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const upload = (server: TestApp) =>
      server.call('POST', '/api/FileSubmission', { as: token, headers, body: '--x--' })
    const statuses = await statusesOf([...servers, ...servers, ...servers].map(upload))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    const refused = await upload(servers[1])
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('count wrong passwords of an address together', async () => {
    const { email } = servers[0].clerk
    const logIn = (server: TestApp) =>
      server.call('POST', '/api/Login', { body: { email, password: 'Wrong-1234' } })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await logIn(servers[attempt % 2]!)).statusCode)
    expect(statuses).toEqual([...Array(9).fill(401), 429, 429, 429])
  })
})
