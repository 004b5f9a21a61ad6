import { writeFile } from 'node:fs/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepGeneratedErrorFiles } from '#submissions/generated-error-files.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp({ retentionDays: 30 })
})
afterAll(() => portal.close())

const DAY = 24 * 60 * 60 * 1000

/** A submission that failed `daysAgo`, with both error files and a corrected copy generated. */
async function failed(daysAgo: number) {
  const { id: userId, companyId } = portal.clerk
  const settledAt = new Date(Date.now() - daysAgo * DAY)
  const given = {
    userId,
    companyId: companyId ?? 0,
    status: SubmissionStatus.ValidationFailed,
    errorType: 0 as const,
    settledAt,
  }
  const submission = await buildStoredSubmission(portal.deps, given, 'Name,Amount\nAda,x\n')
  for (const kind of ['Simple', 'Highlighted', 'Corrected']) {
    expect(
      (await portal.call('GET', `/api/ErrorFile/${submission.id}/${kind}`, { as: portal.clerk })).statusCode,
    ).toBe(200)
  }
  return submission.storageKey
}

it('Generated error files are deleted with their source; other files stay', async () => {
  const [old, young] = [await failed(31), await failed(29)]
  const { generatedFiles } = portal.deps
  const template = await generatedFiles.open('template-1-2.xlsx', (path) => writeFile(path, ''))
  await template.close()
  expect(await generatedFiles.names()).toHaveLength(7)
  await sweepStorage(portal.deps)
  expect(await sweepGeneratedErrorFiles(portal.deps)).toBe(3)
  const names = await generatedFiles.names()
  expect(names.filter((name) => name.startsWith(old))).toEqual([])
  expect(names.toSorted()).toEqual([
    expect.stringMatching(`^${young}-corrected-[0-9a-f]{32}\\.csv$`),
    `${young}-errors.xlsx`,
    `${young}-highlighted.xlsx`,
    'template-1-2.xlsx',
  ])
  expect(await sweepGeneratedErrorFiles(portal.deps)).toBe(0)
})
