import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '#log.ts'
import { warnOfFullQuotas } from '#operations/warn-of-full-quotas.ts'
import { buildCompany, buildSubmission } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const MIB = 1024 * 1024
let portal: TestApp
beforeAll(async () => void (portal = await createTestApp()))
afterAll(() => portal.close())

/** The lines of the log of a start with this quota. */
async function linesWith(companyQuotaMegabytes: number): Promise<Record<string, unknown>[]> {
  const lines: string[] = []
  const log = createLog('info', { destination: { write: (line) => void lines.push(line) } })
  await warnOfFullQuotas({ ...portal.deps, log, env: { ...portal.deps.env, companyQuotaMegabytes } })
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('A start logs exactly the companies whose sources take more than the quota', async () => {
  const { db } = portal.deps
  const [above, below] = [await buildCompany(db), await buildCompany(db)]
  const status = SubmissionStatus.ValidationFailed
  for (const bytes of [MIB, MIB + 1]) await buildSubmission(db, { companyId: above.id, bytes, status })
  await buildSubmission(db, { companyId: below.id, bytes: 2 * MIB, status })
  await buildSubmission(db, { companyId: below.id, bytes: MIB, status, sourceDeletedAt: new Date() })
  expect(await linesWith(2)).toMatchObject([{ companyId: above.id, keptMegabytes: 3, quotaMegabytes: 2 }])
  expect(await linesWith(3)).toEqual([])
  expect(await linesWith(0)).toEqual([])
})
