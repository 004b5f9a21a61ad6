import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNewlyRestored } from '#platform/database/marks.ts'
import { afterRestore, settleIfBehind } from '#operations/after-restore.ts'
import { ingestSubmission } from '#submissions/ingest-submission.ts'
import { buildSubmissionOfClerk } from '#test/submission-fixture.ts'
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
})
