import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#platform/database/tables.ts'
import { findVersionFields } from '#dictionaries/dictionaries.ts'
import { buildDictionary, findPresentVersionId } from '#test/factories.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let db: Db
beforeAll(async () => {
  portal = await createTestApp()
  db = portal.deps.db
})
afterAll(() => portal.close())

async function change(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
  const reply = await portal.call(method, `/api/DataDictionary/${path}`, { as: portal.administrator, body })
  expect(reply.statusCode).toBe(200)
}

const textField = (itemName: string, ruleConfig = '{}') => ({
  itemName,
  description: '',
  category: '',
  ruleType: 0 as const,
  isRequired: true,
  ruleConfig,
})

describe('A version in the database', () => {
  it('cannot be changed or deleted, and neither can its fields', async () => {
    const { id } = await buildDictionary(db)
    const frozenIds = sql`select frozen_id from fields where dictionary_id = ${id}`
    for (const statement of [
      sql`update dictionary_versions set name = 'x' where dictionary_id = ${id}`,
      sql`delete from dictionary_versions where dictionary_id = ${id}`,
      sql`update frozen_fields set content = '{}' where id in (${frozenIds})`,
      sql`delete from frozen_fields where id in (${frozenIds})`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow(/never change/)
    }
  })

  it('must be written with every revision', async () => {
    const { id } = await buildDictionary(db)
    const raise = db.updateTable('dictionaries').set({ revision: 2 }).where('id', '=', id).execute()
    await expect(raise).rejects.toThrow(/dictionaries_version_fkey/)
  })

  it('shares the fields that did not change with the one before', async () => {
    const { id, fieldIds } = await buildDictionary(db)
    await change('PUT', `Item/${fieldIds[0]}`, textField('Surname'))
    const versions = db
      .selectFrom('dictionaryVersions')
      .where('dictionaryId', '=', id)
      .select('fieldIds')
      .orderBy('revision')
    const [first, second] = await versions.execute()
    expect(second?.fieldIds[1]).toBe(first?.fieldIds[1])
    expect(second?.fieldIds[0]).not.toBe(first?.fieldIds[0])
  })
})

describe('A submission', () => {
  it('is checked against the version of its upload, whatever happens to the dictionary', async () => {
    const { id, fieldIds } = await buildDictionary(db)
    const dictionaryVersionId = await findPresentVersionId(db, { id })
    const { id: submissionId } = await buildStoredSubmission(portal.deps, { dictionaryVersionId })
    const before = await findVersionFields(db, dictionaryVersionId)

    await change('PUT', `Item/${fieldIds[0]}`, textField('Other', '{"maxLength":1}'))
    await change('DELETE', `${id}/Item/${fieldIds[1]}`)
    await change('DELETE', `${id}`)

    expect(await findVersionFields(db, dictionaryVersionId)).toEqual(before)
    expect(before.map(({ name }) => name)).toEqual(['Name', 'Amount'])
    await validateSubmission(submissionId, portal.deps, new AbortController().signal)
    const { status } = await db
      .selectFrom('submissions')
      .select('status')
      .where('id', '=', submissionId)
      .executeTakeFirstOrThrow()
    expect(status).toBe(SubmissionStatus.ValidationPassed)
  })
})
