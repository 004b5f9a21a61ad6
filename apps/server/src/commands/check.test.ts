import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Finding } from '#operations/check-files.ts'
import { bundledPrograms } from '#test/bundled-programs.ts'
import { programEnv } from '#test/portal-process.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { Uploaded, ValidationFailed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } =
  SubmissionStatus
let portal: TestApp

beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves cascade`.execute(portal.owner)
  for (const folder of ['.sources', 'acme']) {
    await rm(stored(folder), { recursive: true, force: true })
    await mkdir(stored(folder))
  }
})

const stored = (path: string) => join(portal.deps.env.storageUrl, path)
const sourceOf = ({ storageKey }: SubmissionRow) => stored(`.sources/${storageKey}`)
const submit = (status: SubmissionStatus) => buildStoredSubmission(portal.deps, { status })

type Output = { code: number; stderr: string; findings: Finding[]; submissionIds: number[] }
async function check(...args: string[]): Promise<Output> {
  const { databaseUrl, storageUrl, dataDir } = portal.deps.env
  const env = { ...programEnv(), DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl, DATA_DIR: dataDir }
  const command = [join(await bundledPrograms(), 'check.js'), '--json', ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      const printed = stdout === '' ? { findings: [], submissionIds: [] } : (JSON.parse(stdout) as Output)
      resolve({ ...printed, code: Number(error?.code ?? 0), stderr })
    })
  })
}
const kindsOf = ({ findings }: Output) =>
  findings.map(({ kind, submissionId, path }) => [kind, submissionId, path?.split('/')[0] ?? null])

/** A submission whose file is in its company's folder. */
async function ingested(): Promise<SubmissionRow> {
  const submission = await submit(IngestionSuccess)
  const targetPath = `acme/2026/11/${submission.id}_claims.csv`
  await mkdir(dirname(stored(targetPath)), { recursive: true })
  await rename(sourceOf(submission), stored(targetPath))
  await writeFile(`${stored(targetPath)}.json`, '{}')
  const update = portal.deps.db.updateTable('submissions').set({ targetPath, sourceDeletedAt: new Date() })
  return update.where('id', '=', submission.id).returningAll().executeTakeFirstOrThrow()
}
async function age(path: string) {
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(path, hoursAgo, hoursAgo)
}

describe('veridict check', () => {
  it('finds nothing where every submission has its file (0)', async () => {
    await submit(Uploaded)
    await submit(ValidationFailed)
    await ingested()
    const purged = await submit(IngestionFileNotFound)
    await rm(sourceOf(purged))
    expect(await check()).toMatchObject({ code: 0, findings: [], submissions: 4, files: 4 })
  })

  it('names submissions whose file is missing or damaged (1)', async () => {
    const [lost, damaged, taken, bare] = [
      await submit(IngestionFailed),
      await submit(Uploaded),
      await ingested(),
      await ingested(),
    ]
    await rm(sourceOf(lost))
    await writeFile(sourceOf(damaged), 'damaged')
    await rm(stored(taken.targetPath ?? ''))
    await rm(`${stored(bare.targetPath ?? '')}.json`)
    const output = await check('--repair')
    expect(output).toMatchObject({ code: 1, submissionIds: [lost.id, damaged.id, taken.id, bare.id] })
    expect(kindsOf(output)).toEqual([
      ['missing', lost.id, '.sources'],
      ['damaged', damaged.id, '.sources'],
      ['missing', taken.id, 'acme'],
      ['missing', bare.id, 'acme'],
    ])
  })

  it('warns of orphaned files (0), and --repair deletes old sources only', async () => {
    const [known, orphan, fresh] = [await submit(Uploaded), await submit(Uploaded), await submit(Uploaded)]
    await portal.deps.db.deleteFrom('submissions').where('id', 'in', [orphan.id, fresh.id]).execute()
    const target = stored('acme/orphan.csv')
    await writeFile(target, 'a')
    for (const path of [sourceOf(known), sourceOf(orphan), target]) await age(path)
    const warned = [
      ['orphan', null, '.sources'],
      ['orphan', null, 'acme'],
    ]
    expect(kindsOf(await check())).toEqual(warned)
    const output = await check('--repair')
    expect(output).toMatchObject({ code: 0, findings: [{ isRepaired: true }, { isRepaired: false }] })
    expect(kindsOf(await check())).toEqual(warned.slice(1))
    for (const path of [sourceOf(known), sourceOf(fresh), target]) await readFile(path)
  })

  it('releases leases that ended, with --repair', async () => {
    const { id } = await submit(Uploaded)
    await sql`
      update submissions set lease_id = gen_random_uuid(), lease_until = now() - interval '1 hour'
    `.execute(portal.deps.db)
    expect(await check()).toMatchObject({ code: 0, findings: [{ kind: 'endedLease', submissionId: id }] })
    await check('--repair')
    expect((await check()).findings).toEqual([])
  })

  it('checks nothing while the storage is unavailable (2), and creates none', async () => {
    await submit(Uploaded)
    await rename(portal.deps.env.storageUrl, `${portal.deps.env.storageUrl}-away`)
    const output = await check('--repair')
    await rename(`${portal.deps.env.storageUrl}-away`, portal.deps.env.storageUrl)
    expect(output).toMatchObject({ code: 2, stderr: expect.stringContaining('It has no id') })
  })
})
