import { randomUUID } from 'node:crypto'
import { downloadLimits } from '@veridict/contract/limits'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createDownloadSlots,
  deleteExpiredSlots,
  takeDownloadSlot,
} from '#platform/admission/download-slots.ts'
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

  it('count the downloads of a person together', async () => {
    const { perPerson } = downloadLimits
    const downloads = servers.map(({ deps }) => deps.limits.downloads)
    const takes = Array.from({ length: 3 * perPerson }, (_, index) => downloads[index % 2]!.take('anna'))
    const slots = (await Promise.allSettled(takes)).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    )
    expect(slots).toHaveLength(perPerson)
    await expect(downloads[0]!.take('anna')).rejects.toMatchObject({ status: 429 })
    ;(await downloads[1]!.take('bert'))()
    slots[0]!()
    await expect.poll(() => downloads[1]!.take('anna').then(Boolean, () => false)).toBe(true)
  })

  it.for([
    { why: 'of a statement that began later', ahead: '31 seconds', isFree: false },
    { why: 'of before a clock was set back', ahead: '1 hour', isFree: true },
  ])('know whether a download $why still runs', async ({ ahead, isFree }) => {
    const person = `fritz ${ahead}`
    const { db } = servers[0].deps
    const take = () => takeDownloadSlot(db, { id: randomUUID(), person }, { perPerson: 1, seconds: 30 })
    expect(await take()).toBe(true)
    await sql`
      update download_slots set expires_at = now() + ${ahead}::interval where person = ${person}
    `.execute(servers[0].owner)
    expect(await take()).toBe(isFree)
  })

  it('give the place of a finished download to the next one at once', async () => {
    const downloads = servers[0].deps.limits.downloads
    const { perPerson } = downloadLimits
    const slots = await Promise.all(Array.from({ length: perPerson }, () => downloads.take('eva')))
    for (let turn = 0; turn < 20; turn++) {
      slots.shift()!()
      slots.push(await downloads.take('eva'))
    }
    for (const giveBack of slots) giveBack()
  })

  it('free the downloads of one that was killed', async () => {
    /** Download slots that end after two seconds, because nothing renews them. */
    const shortSlots = ({ deps }: TestApp) =>
      createDownloadSlots({ perPerson: 1, stalledMilliseconds: 60_000, slotSeconds: 2 }, deps.db)
    const [killed, other] = servers.map(shortSlots)
    await killed!.take('carl')
    await expect(other!.take('carl')).rejects.toMatchObject({ status: 429 })
    await expect.poll(() => other!.take('carl').then(Boolean, () => false), { timeout: 20_000 }).toBe(true)
  })
})

it('Slots of killed servers are deleted', async () => {
  const [{ deps }] = servers
  const seconds = 0.001
  await takeDownloadSlot(deps.db, { id: deps.ids.uuid(), person: 'dora' }, { perPerson: 1, seconds })
  const rows = () => deps.db.selectFrom('downloadSlots').where('person', '=', 'dora').select('id').execute()
  await expect
    .poll(async () => {
      await deleteExpiredSlots(deps.db, 30)
      return rows()
    })
    .toEqual([])
})
