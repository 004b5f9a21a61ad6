import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Kysely } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/database.ts'
import type { Database, UserRow } from '#db/tables.ts'
import { systemClock } from '#drivers/clock.ts'
import { createTokens } from '#drivers/tokens.ts'
import { buildAccessToken, buildAdministrator, buildDictionary, buildUser } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { uploadForm } from '#test/upload-form.ts'

const settings = { API_KEY: 'fair-test-key', TOKEN_SECRET: 's'.repeat(32), VALIDATOR_PROCESSES: '1' }

type Clerk = { user: UserRow; token: string; dictionaryId: number }
let db: Kysely<Database>
let portal: PortalProcess
let busy: Clerk
let other: Clerk

beforeAll(async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'veridict-fair-'))
  db = openDatabase(database.url)
  await buildAdministrator(db)
  ;[busy, other] = [await buildClerk(), await buildClerk()]
  portal = await startPortalProcess({ ...settings, DATABASE_URL: database.url, DATA_DIR: dataDir })
  return async () => {
    await portal.end('SIGKILL')
    await db.destroy()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function buildClerk(): Promise<Clerk> {
  const user = await buildUser(db)
  const fields = [{ itemName: 'Amount', ruleType: ruleNumbers.number }]
  const { id } = await buildDictionary(db, { companyId: user.companyId ?? 0, fields })
  const tokens = createTokens({ secret: settings.TOKEN_SECRET, accessTokenMinutes: 60 }, systemClock)
  return { user, token: await buildAccessToken({ db, tokens }, user), dictionaryId: id }
}

const headersOf = ({ token }: Clerk) => ({ ApiKey: settings.API_KEY, authorization: `Bearer ${token}` })

async function upload(clerk: Clerk, content: string): Promise<number> {
  const form = await uploadForm(
    ['dataDictionaryId', String(clerk.dictionaryId)],
    ['file', content, 'claims.csv'],
  )
  const response = await fetch(`${portal.address}/api/FileSubmission`, {
    method: 'POST',
    headers: { ...headersOf(clerk), ...form.headers },
    body: new Uint8Array(form.body),
  })
  return ((await response.json()) as { value: { id: number } }).value.id
}

const { Uploaded, InProcess, ValidationFailed, IngestionSuccess } = SubmissionStatus
const statusOf = async (id: number) =>
  (await db.selectFrom('submissions').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status

async function finalStatusOf(id: number): Promise<SubmissionStatus> {
  for (;;) {
    const status = await statusOf(id)
    if (status === ValidationFailed || status === IngestionSuccess) return status
    await sleep(20)
  }
}

const download = (clerk: Clerk, id: number, kind: string) =>
  fetch(`${portal.address}/api/ErrorFile/${id}/${kind}`, { headers: headersOf(clerk) })

/** A file of wrong numbers that takes a while to read, and longer to make error files of. */
const largeFile = `Amount\n${'none\n'.repeat(300_000)}`

describe('While one company has more work than the portal can do', () => {
  it("another company's file is validated before the first one's", async () => {
    const large = [
      await upload(busy, largeFile),
      await upload(busy, largeFile),
      await upload(busy, largeFile),
    ]
    const small = await upload(other, 'Amount\n1\n')
    expect(await finalStatusOf(small)).toBe(IngestionSuccess)
    expect([Uploaded, InProcess]).toContain(await statusOf(large.at(-1) ?? 0))
    for (const id of large) expect(await finalStatusOf(id)).toBe(ValidationFailed)

    const bad = await upload(other, 'Amount\nnone\n')
    let made = 0
    const downloads = large.map(async (id) => {
      const { status } = await download(busy, id, 'Simple')
      made++
      return status
    })
    expect(await finalStatusOf(bad)).toBe(ValidationFailed)
    expect((await download(other, bad, 'Highlighted')).status).toBe(200)
    expect(made).toBeLessThan(downloads.length)
    expect(await Promise.all(downloads)).toEqual([200, 200, 200])
  })
})
