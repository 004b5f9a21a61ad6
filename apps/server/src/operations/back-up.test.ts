import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { backUp } from '#operations/back-up.ts'
import { checkFiles } from '#operations/check-files.ts'
import { restore } from '#operations/restore.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp } from '#test/test-app.ts'
import { createEmptyDatabase } from '#test/test-database.ts'

it('A backup names the submissions whose file is missing, and is restored without it', async () => {
  const portal = await createTestApp()
  const { db, storage, env } = portal.deps
  const submissions = []
  for (let count = 0; count < 3; count++)
    submissions.push(await buildStoredSubmission(portal.deps, { status: SubmissionStatus.IngestionFailed }))
  const [lost] = submissions
  await storage.delete(`.sources/${lost?.storageKey}`)
  const folder = await mkdtemp(join(tmpdir(), 'veridict-back-up-'))
  const targetPath = 'northwind/claims.csv'
  const accepted = await buildStoredSubmission(portal.deps, {
    status: SubmissionStatus.IngestionSuccess,
    targetPath,
  })
  const description = Buffer.from('{}')
  await storage.put([
    { path: targetPath, source: storage.read(`.sources/${accepted.storageKey}`), sha256: accepted.sha256! },
    {
      path: `${targetPath}.json`,
      source: Readable.from([description]),
      sha256: createHash('sha256').update(description).digest('hex'),
    },
  ])
  const { databaseUrl } = env
  const backup = await backUp(join(folder, 'backup'), { db, storage, databaseUrl })
  expect(backup).toMatchObject({ submissions: 4, files: 4 })
  expect(backup.problems).toEqual([`submission ${lost?.id}: .sources/${lost?.storageKey} is missing`])
  // What a check counts is what should be there.
  expect((await checkFiles(portal.deps, { repair: false })).files).toBe(5)

  const target = await createEmptyDatabase()
  const restored = await restore(join(folder, 'backup'), {
    storage: openLocalDisk(join(folder, 'storage')),
    databaseUrl: target.url,
    newId: portal.deps.ids.uuid,
  })
  expect(restored).toEqual({ submissions: 4, files: 4, problems: [] })
  const found = openDatabase(target.url)
  const rows = (from: typeof db) => from.selectFrom('submissions').selectAll().orderBy('id').execute()
  expect(await rows(found)).toEqual(await rows(db))
  await found.destroy()
  await target.drop()
  await portal.close()
  await rm(folder, { recursive: true })
})
