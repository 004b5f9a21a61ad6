import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Deps } from '#deps.ts'
import { buildDictionary, buildUser, findPresentVersionId } from '#test/factories.ts'
import { buildStoredSubmission, csvOfTwoRows } from '#test/submission-fixture.ts'
import { ingestSubmission, validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** What administrators change and delete while a file is validated. */
const running = new AbortController().signal
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const admin = async (method: 'PUT' | 'POST' | 'DELETE', url: string, body?: object) => {
  const { statusCode } = await portal.call(method, url, { as: portal.administrator, body })
  expect(statusCode).toBe(200)
}

/** A file of a new clerk; `change` happens after its validation has begun. */
async function validateDuring(
  content: string,
  change: (of: {
    dictionaryId: number
    fieldIds: number[]
    companyId: number
    userId: number
  }) => Promise<unknown>,
) {
  const { db } = portal.deps
  const clerk = await buildUser(db)
  const companyId = clerk.companyId ?? 0
  const colleague = await buildUser(db, { companyId })
  const dictionary = await buildDictionary(db, { companyId })
  const { id: dictionaryId, fieldIds } = dictionary
  const dictionaryVersionId = await findPresentVersionId(db, dictionary)
  const given = { userId: clerk.id, companyId, dictionaryVersionId }
  const { id } = await buildStoredSubmission(portal.deps, given, content)
  const { validator } = portal.deps
  const disturbed: Deps['validator'] = {
    ...validator,
    async validate(...call) {
      await change({ dictionaryId, fieldIds, companyId, userId: clerk.id })
      return validator.validate(...call)
    },
  }
  await validateSubmission(id, { ...portal.deps, validator: disturbed }, running)
  await ingestSubmission(id, portal.deps, running)
  const row = db.selectFrom('submissions').selectAll().where('id', '=', id)
  return { row: await row.executeTakeFirstOrThrow(), colleague }
}

const changes = {
  'its fields are changed, moved and deleted': async ({ dictionaryId, fieldIds }) => {
    const [name = 0, amount = 0] = fieldIds
    const field = {
      dictionaryId,
      description: '',
      category: '',
      ruleType: 1,
      isRequired: true,
      ruleConfig: '{}',
    }
    await admin('PUT', `/api/DataDictionary/Item/${name}`, { ...field, itemName: 'Renamed' })
    const itemPositionList = [amount, name].map((itemId, index) => ({ itemId, position: index + 1 }))
    await admin('PUT', `/api/DataDictionary/${dictionaryId}/Item/change-order`, { itemPositionList })
    await admin('DELETE', `/api/DataDictionary/${dictionaryId}/Item/${amount}`)
  },
  'its dictionary is deleted': ({ dictionaryId }) => admin('DELETE', `/api/DataDictionary/${dictionaryId}`),
  'its uploader is deleted': ({ userId }) => admin('DELETE', `/api/User/${userId}`),
  'its company is deleted': ({ companyId }) => admin('DELETE', `/api/Company/${companyId}`),
} satisfies Record<string, Parameters<typeof validateDuring>[1]>

describe('A file that is being validated', () => {
  it.for(Object.keys(changes) as (keyof typeof changes)[])(
    'F30: is accepted by the version of its upload while %s',
    async (what) => {
      const { row } = await validateDuring(csvOfTwoRows, changes[what])
      expect(row).toMatchObject({ status: SubmissionStatus.IngestionSuccess, recordsCount: 2 })
    },
  )

  it.for(Object.keys(changes) as (keyof typeof changes)[])(
    'F30: has readable errors by the version of its upload while %s',
    async (what) => {
      const { row, colleague } = await validateDuring('Name,Amount\n,one\n', changes[what])
      expect(row).toMatchObject({
        status: SubmissionStatus.ValidationFailed,
        errorType: ErrorType.RowErrors,
        cellErrorCount: 2,
      })
      const report = await portal.call('GET', `/api/FileSubmission/${row.id}/Errors`, { as: colleague })
      const isGone = what === 'its company is deleted'
      expect(report.statusCode).toBe(isGone ? 401 : 200)
      if (!isGone) expect(JSON.stringify(report.json())).toContain('"Amount"')
    },
  )
})
