import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildAdministrator,
  buildCompany,
  buildCompanyToken,
  buildDictionary,
  buildSubmission,
  buildUser,
} from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

async function preview(url: string) {
  const reply = await test.call('GET', `${url}/deletion`, { as: test.administrator })
  return { status: reply.statusCode, value: reply.json().value }
}

const everyStatus = Object.values(SubmissionStatus)

describe('The preview of a deletion counts', () => {
  it('for a company: its users, its dictionaries, its tokens, and its files by status', async () => {
    const { db } = test.deps
    const company = await buildCompany(db, { storageFolder: 'counted-before' })
    const clerk = await buildUser(db, { companyId: company.id })
    await buildUser(db, { companyId: company.id, deletedAt: new Date() })
    await buildDictionary(db, { companyId: company.id })
    await buildCompanyToken(test.deps, company.id)
    await buildCompanyToken(test.deps, company.id, { revokedAt: new Date() })
    await buildCompanyToken(test.deps, company.id, { expiresAt: new Date() })
    for (const status of everyStatus)
      await buildSubmission(db, { companyId: company.id, userId: clerk.id, status })
    await buildSubmission(db, { status: SubmissionStatus.InProcess })
    expect(await preview(`/api/Company/${company.id}`)).toEqual({
      status: 200,
      value: {
        containerName: 'counted-before',
        userCount: 1,
        dataDictionaryCount: 1,
        tokenCount: 1,
        filesInProcess: 3,
        filesWithStorageError: 1,
        filesSaved: 1,
        filesUploaded: 7,
      },
    })
  })

  it('no more than 10,000 files', async () => {
    const { db } = test.deps
    const { companyId, userId } = await buildSubmission(db, { status: SubmissionStatus.IngestionSuccess })
    await sql`
      insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name,
        file_kind, bytes, sha256, storage_key, status)
      select company_id, user_id, dictionary_version_id, dictionary_name, '', file_kind, bytes, sha256,
        gen_random_uuid(), status
      from submissions, generate_series(1, 10000) where company_id = ${companyId}`.execute(test.owner)
    const files = { filesInProcess: 0, filesUploaded: 10_000 }
    expect(await preview(`/api/User/${userId}`)).toMatchObject({ value: files })
    const ofCompany = { ...files, filesWithStorageError: 0, filesSaved: 10_000 }
    expect(await preview(`/api/Company/${companyId}`)).toMatchObject({ value: ofCompany })
  })

  it('for a dictionary: its companies, and the files in process against any of its versions', async () => {
    const { db } = test.deps
    const dictionary = await buildDictionary(db)
    const dictionaryId = dictionary.id
    await test.call('PUT', `/api/DataDictionary?id=${dictionaryId}`, {
      as: test.administrator,
      body: { name: 'Renamed meanwhile' },
    })
    const versions = await db
      .selectFrom('dictionaryVersions')
      .select('id')
      .where('dictionaryId', '=', dictionaryId)
      .execute()
    const [first, second] = versions.map(({ id }) => id)
    for (const deletedAt of [null, null, new Date()]) {
      const company = await buildCompany(db, { deletedAt })
      await db.insertInto('companyDictionaries').values({ companyId: company.id, dictionaryId }).execute()
    }
    for (const status of everyStatus) await buildSubmission(db, { dictionaryVersionId: first, status })
    await buildSubmission(db, { dictionaryVersionId: second })
    await buildSubmission(db)
    expect(await preview(`/api/DataDictionary/${dictionaryId}`)).toEqual({
      status: 200,
      value: { companyCount: 2, filesInProcess: 4 },
    })
  })

  it('for a user: their own uploads', async () => {
    const { db } = test.deps
    const clerk = await buildUser(db)
    for (const status of everyStatus)
      await buildSubmission(db, { companyId: clerk.companyId!, userId: clerk.id, status })
    await buildSubmission(db, { companyId: clerk.companyId! })
    const value = { isSuperAdmin: false, filesInProcess: 3, filesUploaded: 7 }
    expect(await preview(`/api/User/${clerk.id}`)).toEqual({ status: 200, value })
  })

  it('for an administrator: no uploads', async () => {
    const { id } = await buildAdministrator(test.deps.db)
    const value = { isSuperAdmin: true, filesInProcess: 0, filesUploaded: 0 }
    expect(await preview(`/api/User/${id}`)).toEqual({ status: 200, value })
  })

  it.for(['/api/Company', '/api/DataDictionary', '/api/User'])(
    'and not for what %s does not have',
    async (url) => {
      expect((await preview(`${url}/2000000000`)).status).toBe(404)
    },
  )
})
