import { rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNewlyRestored } from '#platform/database/marks.ts'
import { afterRestore, settleIfBehind } from '#operations/after-restore.ts'
import { buildSubmissionOfClerk } from '#test/submission-fixture.ts'
import { ingestSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { ValidationPassed, ValidationFailed } = SubmissionStatus
let portal: TestApp
beforeEach(async () => {
  portal = await createTestApp()
})
afterEach(() => portal.close())

const stored = async () => {
  const { id } = await buildSubmissionOfClerk(portal, { status: ValidationPassed, recordsCount: 2 })
  await ingestSubmission(id, portal.deps, new AbortController().signal)
  return id
}
const newId = async () => (await buildSubmissionOfClerk(portal)).id
const settle = () => settleIfBehind(portal.deps.env.databaseUrl, portal.deps)
/** What a restore to that moment leaves: no later rows, and the sequence as it was. */
async function setBack(id: number) {
  await sql`delete from submission_moves where submission_id > ${id}`.execute(portal.owner)
  await sql`delete from submissions where id > ${id}`.execute(portal.owner)
  await sql`select setval('submissions_id_seq', ${id}::bigint)`.execute(portal.owner)
}

describe('A database that other tools have set back', () => {
  it('F37: gives new ids, ends sessions and sweeps nothing when the portal starts', async () => {
    const first = await stored()
    const last = (await stored(), await stored())
    await setBack(first)
    const token = await portal.tokenOf(portal.clerk)
    await settle()
    expect(await newId()).toBe(last + 1)
    expect((await portal.call('GET', '/api/FileSubmission', { as: token })).statusCode).toBe(401)
    expect(await isNewlyRestored(portal.deps.db)).toBe(true)
  })

  it('F37: gives ids above those of files that were not accepted yet', async () => {
    const first = await stored()
    const waiting = await buildSubmissionOfClerk(portal, { status: ValidationPassed, recordsCount: 2 })
    await setBack(first)
    await afterRestore(portal.deps.env.databaseUrl, { ...portal.deps, db: portal.owner })
    expect(await newId()).toBeGreaterThan(waiting.id)
  })

  it('F37: is settled by the command, which lists what only one side has', async () => {
    const first = await stored()
    const { storageKey } = await buildSubmissionOfClerk(portal, { status: ValidationFailed })
    const last = await stored()
    await setBack(first)
    const lost = await buildSubmissionOfClerk(portal, { status: ValidationFailed })
    await portal.deps.storage.delete(`.sources/${lost.storageKey}`)
    await portal.tokenOf(portal.clerk)
    const settled = await afterRestore(portal.deps.env.databaseUrl, { ...portal.deps, db: portal.owner })
    expect(settled).toMatchObject({
      sequences: { submissions_id_seq: last + 1 },
      onlyInDatabase: [`.sources/${lost.storageKey}`],
      endedSessions: 1,
    })
    const names = settled.onlyInStorage.map((path) => path.split('/').at(-1) ?? '')
    expect(names.filter((name) => !name.startsWith(`${last}_`))).toEqual([storageKey])
    expect(names).toHaveLength(3)
    expect(await newId()).toBe(last + 2)
  })

  it('is left alone where it knows all files of its storage', async () => {
    const id = await stored()
    const token = await portal.tokenOf(portal.clerk)
    await settle()
    expect(await newId()).toBe(id + 1)
    expect((await portal.call('GET', '/api/FileSubmission', { as: token })).statusCode).toBe(200)
    expect(await isNewlyRestored(portal.deps.db)).toBe(false)
  })

  const expectLeftAlone = async (token: string) => {
    expect((await portal.call('GET', '/api/FileSubmission', { as: token })).statusCode).toBe(200)
    expect(await isNewlyRestored(portal.deps.db)).toBe(false)
  }
  const folderOf = async (id: number) => {
    const submissions = portal.owner.selectFrom('submissions').where('id', '=', id)
    const { targetPath } = await submissions.select('targetPath').executeTakeFirstOrThrow()
    return join(portal.deps.env.storageUrl, dirname(targetPath ?? ''))
  }

  it('is left alone where another server accepts files while its storage is read', async () => {
    await stored()
    const token = await portal.tokenOf(portal.clerk)
    const { storage } = portal.deps
    const list: typeof storage.list = async function* (of, before) {
      await stored()
      yield* storage.list(of, before)
    }
    await settleIfBehind(portal.deps.env.databaseUrl, { ...portal.deps, storage: { ...storage, list } })
    await expectLeftAlone(token)
  })

  it('is left alone where a company has files with names like those of side files', async () => {
    const id = await stored()
    const token = await portal.tokenOf(portal.clerk)
    const folder = await folderOf(id)
    await writeFile(join(folder, '20261126_sales.csv.json'), '{ "submissionId": 7 }')
    await writeFile(join(folder, '20261127_sales.csv.json'), 'null'.padEnd(100_000))
    await settle()
    expect(await newId()).toBe(id + 1)
    await expectLeftAlone(token)
  })

  it('is left alone, and the portal starts, where the folder of a company cannot be read', async () => {
    const folder = await folderOf(await stored())
    const token = await portal.tokenOf(portal.clerk)
    await rm(folder, { recursive: true })
    await symlink(basename(folder), folder)
    await settle()
    await expectLeftAlone(token)
  })
})
