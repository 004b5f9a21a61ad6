import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#deps.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { createValidatorPool, type ValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { changeCompany, lockCompany } from '#companies/companies.ts'
import { renewLease } from '#submissions/submission-leases.ts'
import { findValidatedAt } from '#submissions/submission-moves.ts'
import { countWaiting, releaseDeadLeases } from '#submissions/submission-claims.ts'
import { settleValidation } from '#submissions/settle-validation.ts'
import { buildCompany, buildUser } from '#test/factories.ts'
import {
  buildStoredSubmission,
  buildSubmissionOfClerk,
  csvOfTwoRows,
  findRow,
} from '#test/submission-fixture.ts'
import { ingestSubmission, validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/**
 * A validator that passes, crashes or hangs by the file's name. `submission-journey.test.ts` tests the
 * engine.
 */
const program = fileURLToPath(new URL('../test/misbehave.ts', import.meta.url))
const { Uploaded, InProcess, ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed } =
  SubmissionStatus
const running = new AbortController().signal

const storedPath = (path: string) => join(portal.deps.env.storageUrl, path)
let portal: TestApp
let validator: ValidatorPool

beforeAll(async () => {
  portal = await createTestApp()
  validator = createValidatorPool({ processes: 2, program, maxMilliseconds: 5_000 })
  portal.deps.validator = validator
})
afterAll(async () => {
  validator.close()
  await portal.close()
})
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, row_reports, mails cascade`.execute(portal.owner)
  portal.wakened.length = 0
  portal.events.length = 0
})

const submit = (given: Parameters<typeof buildStoredSubmission>[1] = {}) =>
  buildSubmissionOfClerk(portal, { fileName: 'good.csv', ...given })
const read = (id: number) => findRow(portal.deps.db, id)
const reports = () => portal.deps.db.selectFrom('rowReports').selectAll().orderBy('rowNumber').execute()
const mails = () => portal.deps.db.selectFrom('mails').selectAll().execute()
const moves = async (id: number) => {
  const rows = await portal.deps.db
    .selectFrom('submissionMoves')
    .selectAll()
    .where('submissionId', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ fromStatus, toStatus }) => `${fromStatus} > ${toStatus}`)
}
const validate = (id: number, signal = running) => validateSubmission(id, portal.deps, signal)
const ingest = (id: number) => ingestSubmission(id, portal.deps, running)
const companyFolder = async () => {
  const { storageFolder } = await portal.deps.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', portal.clerk.companyId)
    .executeTakeFirstOrThrow()
  return join(portal.deps.env.storageUrl, storageFolder)
}
const filesOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('A file that passes', () => {
  it('is copied to the new folder of its company when the folder changes at the same moment', async () => {
    const company = await buildCompany(portal.deps.db)
    const clerk = await buildUser(portal.deps.db, { companyId: company.id })
    const { id } = await submit({
      userId: clerk.id,
      companyId: company.id,
      status: ValidationPassed,
      recordsCount: 2,
    })
    let saving: Promise<void> | undefined
    await portal.deps.db.transaction().execute(async (trx) => {
      await lockCompany(trx, company.id)
      await changeCompany(trx, company.id, {
        name: company.name,
        containerName: `moved-${company.id}`,
        address: '',
      })
      saving = ingest(id)
      await Promise.race([saving, sleep(200)])
    })
    await saving
    expect(await read(id)).toMatchObject({
      status: IngestionSuccess,
      targetPath: expect.stringMatching(`^moved-${company.id}/`),
    })
  })

  it('is ingested by the same run if it is small', async () => {
    const { id, bytes } = await submit()
    await validateSubmission(id, portal.deps, running, { maxIngestedBytes: bytes })
    expect(portal.wakened).toEqual(['sendMails'])
    expect(await moves(id)).toEqual(['0 > 1', '1 > 3', '3 > 4'])
    // A validation that takes some time is announced, too.
    expect(
      portal.events.filter((event) => !('FilesStatus' in event) || event.FilesStatus !== InProcess),
    ).toMatchObject([ValidationPassed, IngestionSuccess].map((FilesStatus) => ({ FileId: id, FilesStatus })))
    const row = await read(id)
    expect(row).toMatchObject({ status: IngestionSuccess, leaseId: null, sourceDeletedAt: expect.any(Date) })
    const sideFile = JSON.parse(
      await readFile(join(portal.deps.env.storageUrl, `${row?.targetPath}.json`), 'utf8'),
    ) as object
    const validated = await findValidatedAt(portal.deps.db, id)
    expect(sideFile).toMatchObject({ submissionId: id, validatedAt: validated?.toISOString() })
  })

  it('waits to be ingested by another run if it is larger', async () => {
    const { id, bytes } = await submit()
    await validateSubmission(id, portal.deps, running, { maxIngestedBytes: bytes - 1 })
    expect(await read(id)).toMatchObject({ status: ValidationPassed, leaseId: null, leaseUntil: null })
  })

  it('waits again, for some seconds, if the run fails between the verdict and storing', async () => {
    const { id, bytes } = await submit()
    const { storage } = portal.deps
    const away = { ...storage, put: () => Promise.reject(new StorageUnavailableError('away')) }
    const interrupted = { ...portal.deps, storage: away }
    await expect(validateSubmission(id, interrupted, running, { maxIngestedBytes: bytes })).rejects.toThrow(
      'away',
    )
    const { status, leaseId, leaseUntil } = await read(id)
    expect([status, leaseId]).toEqual([ValidationPassed, null])
    expect(leaseUntil?.getTime()).toBeGreaterThan(Date.now())
    await ingest(id)
    expect(await moves(id)).toEqual(['0 > 1', '1 > 3', '3 > 4'])
  })

  it('is announced as in process while its validation goes on', async () => {
    const { id } = await submit()
    const { validator } = portal.deps
    const validateLater: typeof validator.validate = async (...given) => {
      while (portal.events.length === 0) await sleep(10)
      return validator.validate(...given)
    }
    const slow = { ...portal.deps, validator: { ...validator, validate: validateLater } }
    await validateSubmission(id, slow, running)
    expect(portal.events).toMatchObject(
      [InProcess, ValidationPassed].map((FilesStatus) => ({ FileId: id, FilesStatus })),
    )
  })

  it('moves 0 > 1 > 3 > 4, each move recorded, and the verdict and the end published', async () => {
    const { id } = await submit()
    await validate(id)
    await ingest(id)
    expect(await moves(id)).toEqual(['0 > 1', '1 > 3', '3 > 4'])
    // A validation that takes some time is announced, too.
    expect(
      portal.events.filter((event) => !('FilesStatus' in event) || event.FilesStatus !== InProcess),
    ).toMatchObject([ValidationPassed, IngestionSuccess].map((FilesStatus) => ({ FileId: id, FilesStatus })))
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, leaseId: null, attempts: 0 })
  })

  it('is copied unchanged to the company folder, with a side file, and nowhere else', async () => {
    const { id, storageKey, sha256, createdAt } = await submit({ fileName: 'good.csv' })
    await validate(id)
    await ingest(id)
    const row = await read(id)
    const [year, month] = createdAt.toISOString().split('-')
    expect(row.targetPath).toMatch(new RegExp(`^[^/]+/${year}/${month}/${id}_good\\.csv$`))
    const target = storedPath(row.targetPath ?? '')
    expect(await readFile(target, 'utf8')).toBe(csvOfTwoRows)
    expect(JSON.parse(await readFile(`${target}.json`, 'utf8'))).toMatchObject({
      submissionId: id,
      sha256,
      rows: row.recordsCount,
      originalFileName: 'good.csv',
    })
    expect(await portal.deps.storage.exists(`.sources/${storageKey}`)).toBe(false)
    expect(row.sourceDeletedAt).not.toBeNull()
  })

  it('causes one e-mail', async () => {
    const { id } = await submit()
    await validate(id)
    await ingest(id)
    expect(await mails()).toMatchObject([
      { recipient: portal.clerk.email, subject: expect.stringMatching(/^Accepted: good\.csv/) },
    ])
  })
})

describe('Work that is delivered twice', () => {
  it('is done once when two workers get the same job at once', async () => {
    const { id } = await submit()
    await Promise.all(Array.from({ length: 4 }, () => validate(id)))
    await Promise.all(Array.from({ length: 4 }, () => ingest(id)))
    expect(await moves(id)).toEqual(['0 > 1', '1 > 3', '3 > 4'])
    expect(await mails()).toHaveLength(1)
    expect(await filesOf(await companyFolder())).toSatisfy(
      (files: string[]) => files.filter((file) => file.includes(`/${id}_`)).length === 2,
    )
  })

  it.for([ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed])(
    'does nothing when validation is over (%i)',
    async (status) => {
      const { id } = await submit({ status })
      await validate(id)
      expect(await read(id)).toMatchObject({ status })
    },
  )

  it('copies nothing twice when a run crashed after writing the file', async () => {
    const { id } = await submit({ status: ValidationPassed, recordsCount: 2 })
    await portal.deps.db
      .insertInto('submissionMoves')
      .values({ submissionId: id, fromStatus: 1, toStatus: 3 })
      .execute()
    await ingest(id)
    const { targetPath } = await read(id)
    const before = await filesOf(await companyFolder())
    const storageKey = await restoreSource(id)
    await portal.deps.db
      .updateTable('submissions')
      .set({ status: ValidationPassed, storageKey })
      .where('id', '=', id)
      .execute()
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath })
    expect(await filesOf(await companyFolder())).toEqual(before)
  })

  async function restoreSource(id: number): Promise<string> {
    const { storageKey } = await read(id)
    await writeFile(storedPath(`.sources/${storageKey}`), csvOfTwoRows)
    return storageKey
  }
})

describe('A file whose bytes were damaged in storage', () => {
  it('fails as not processed, without errors that the damage caused', async () => {
    const { id, storageKey } = await submit({ fileName: 'faulty.csv' })
    await writeFile(storedPath(`.sources/${storageKey}`), 'damaged')
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.ProcessingFailed })
  })

  it('is compared with the upload: an undamaged file keeps its own error', async () => {
    const { id } = await submit({ fileName: 'faulty.csv' })
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.NoRows })
  })
})

describe('A file that breaks the validator', () => {
  it('is given up after three attempts, with a reference and an e-mail', async () => {
    const { id } = await submit({ fileName: 'kill.csv' })
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.ProcessingFailed })
    expect((await read(id)).errorMessage).toMatch(new RegExp(`V${id}-[0-9a-f]{6}`))
    expect(await mails()).toMatchObject([{ subject: 'Action needed: kill.csv could not be processed' }])
  })

  it('shows no rows from before the crash', async () => {
    const { id } = await submit({ fileName: 'reports-then-kill.csv' })
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.ProcessingFailed })
    expect(await reports()).toEqual([])
  })

  it('counts attempts across restarts of the server', async () => {
    const { id } = await submit({ fileName: 'kill.csv', attempts: 3, status: InProcess })
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.ProcessingFailed })
  })

  it('is beyond a limit if it takes too long', async () => {
    const { id } = await submit({ fileName: 'hang.csv' })
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationFailed, errorType: ErrorType.BeyondLimit })
  })

  it('does not count while the storage is not available, and is validated later', async () => {
    const { id } = await submit({ fileName: 'throw.csv' })
    const { storageUrl } = portal.deps.env
    await rename(storageUrl, `${storageUrl}-away`)
    await portal.deps.storage.check().catch(() => {})
    await expect(validate(id)).rejects.toThrow(StorageUnavailableError)
    expect(await read(id)).toMatchObject({ status: Uploaded, leaseId: null, attempts: 0 })
    await rename(`${storageUrl}-away`, storageUrl)
    await portal.deps.db
      .updateTable('submissions')
      .set({ fileName: 'good.csv' })
      .where('id', '=', id)
      .execute()
    await validate(id)
    expect(await read(id)).toMatchObject({ status: ValidationPassed })
  })

  it('does not count if the storage goes away meanwhile', async () => {
    const { id } = await submit({ fileName: 'throw.csv' })
    const { storageUrl } = portal.deps.env
    await portal.deps.storage.check()
    // Was found a moment ago, and is not looked for again before the file is.
    await rename(storageUrl, `${storageUrl}-away`)
    await expect(validate(id)).rejects.toThrow(StorageUnavailableError)
    await rename(`${storageUrl}-away`, storageUrl)
    expect(await read(id)).toMatchObject({ status: InProcess, leaseId: null, attempts: 0 })
  })

  it('does not affect the next file', async () => {
    const [bad, good] = [await submit({ fileName: 'exit.csv' }), await submit()]
    await Promise.all([validate(bad.id), validate(good.id)])
    expect(await read(good.id)).toMatchObject({ status: ValidationPassed })
  })
})

describe('A lease', () => {
  const verdict = { kind: 'passed', recordsCount: 2 } as const

  it('that was lost discards the late verdict of its run', async () => {
    const submission = await submit({
      status: InProcess,
      leaseId: randomUUID(),
      leaseUntil: new Date(Date.now() + 60_000),
    })
    const lost = { submission, leaseId: randomUUID() }
    await settleValidation(lost, verdict, portal.deps)
    expect(await read(submission.id)).toMatchObject({ status: InProcess })
    expect(await renewLease(portal.deps.db, submission.id, lost.leaseId)).toBe(false)
  })

  it('that was lost protects the reports of the next run', async () => {
    const { id } = await submit({ fileName: 'reports.csv' })
    const { validator: engine } = portal.deps
    const losing: Deps['validator'] = {
      ...engine,
      validate: (file, keep, uploader, signal) =>
        engine.validate(
          file,
          async (part) => {
            await keep(part)
            if (part.isFirst)
              await portal.deps.db
                .updateTable('submissions')
                .set({ leaseId: randomUUID() })
                .where('id', '=', id)
                .execute()
          },
          uploader,
          signal,
        ),
    }
    await expect(validateSubmission(id, { ...portal.deps, validator: losing }, running)).rejects.toThrow(
      'the lease was lost',
    )
    expect(await reports()).toHaveLength(1)
    await portal.deps.db.updateTable('submissions').set({ leaseId: null }).where('id', '=', id).execute()
    await validate(id)
    expect(await reports()).toHaveLength(3)
    expect(await moves(id)).toEqual(['0 > 1', '1 > 1', '1 > 2'])
  })

  it('that was lost does not announce that its run began', async () => {
    const { id } = await submit({ fileName: 'late.csv' })
    const { validator: engine, db } = portal.deps
    const losing: Deps['validator'] = {
      ...engine,
      async validate(...call) {
        await db.updateTable('submissions').set({ leaseId: randomUUID() }).where('id', '=', id).execute()
        await sleep(400)
        return engine.validate(...call)
      },
    }
    await validateSubmission(id, { ...portal.deps, validator: losing }, running)
    expect(portal.events).toEqual([])
  })

  it('stops other runs while it lasts', async () => {
    const { id } = await submit({
      status: InProcess,
      leaseId: randomUUID(),
      leaseUntil: new Date(Date.now() + 60_000),
    })
    await releaseDeadLeases(portal.deps.db)
    await validate(id)
    expect(await moves(id)).toEqual([])
  })

  const tomorrow = new Date(Date.now() + 86_400_000)
  it.for([
    {
      why: 'expired',
      reason: 'its worker is frozen, or its machine is gone',
      leaseId: randomUUID(),
      leaseUntil: new Date(Date.now() - 1000),
    },
    {
      why: 'belongs to a dead process',
      reason: 'its worker ended',
      leaseId: randomUUID(),
      leaseHolder: 4711,
      leaseUntil: new Date(Date.now() + 60_000),
    },
    { why: 'was released', reason: null, leaseId: null, leaseUntil: null },
    {
      why: 'was set before a clock was set back',
      reason: 'a clock was set back',
      leaseId: randomUUID(),
      leaseUntil: tomorrow,
      updatedAt: tomorrow,
    },
  ])('that $why lets another run take over (1 > 1)', async ({ why: _why, reason, ...given }) => {
    const { id } = await submit({ status: InProcess, ...given })
    const released = await releaseDeadLeases(portal.deps.db)
    expect(released).toEqual(reason === null ? [] : [{ id, reason }])
    await validate(id)
    expect(await moves(id)).toEqual(['1 > 1', '1 > 3'])
  })

  it('that was set before a clock was set back is renewed by the move to status 3', async () => {
    const leaseId = randomUUID()
    const submission = await submit({ status: InProcess, leaseId, leaseUntil: tomorrow, updatedAt: tomorrow })
    const passed = { kind: 'passed', recordsCount: 2 } as const
    await settleValidation({ submission, leaseId }, passed, portal.deps, { isIngestedAtOnce: true })
    const { status, leaseUntil } = await read(submission.id)
    expect(status).toBe(ValidationPassed)
    expect(leaseUntil?.getTime()).toBeLessThan(Date.now() + 60_000)
  })

  it('is released at once when the server shuts down', async () => {
    const { id } = await submit({ fileName: 'hang.csv' })
    const shutdown = new AbortController()
    const run = validate(id, shutdown.signal)
    while ((await read(id)).status !== InProcess) await new Promise((resolve) => setTimeout(resolve, 20))
    shutdown.abort()
    await expect(run).rejects.toMatchObject({ reason: 'aborted' })
    expect(await read(id)).toMatchObject({ status: InProcess, leaseId: null, attempts: 0 })
  })
})

describe('A submission waits for a worker', () => {
  const leaseId = randomUUID()
  const inAMinute = new Date(Date.now() + 60_000)
  const aSecondAgo = new Date(Date.now() - 1_000)
  it.for([
    { status: Uploaded, waits: [1, 0], why: 'it is new' },
    { status: InProcess, waits: [1, 0], why: 'its run was interrupted' },
    { status: ValidationPassed, waits: [0, 1], why: 'it passed' },
    { status: InProcess, leaseId, leaseUntil: aSecondAgo, waits: [1, 0], why: 'its lease expired' },
    { status: ValidationPassed, leaseId, leaseUntil: aSecondAgo, waits: [0, 1], why: 'its lease expired' },
    {
      status: InProcess,
      leaseId,
      leaseHolder: 4711,
      leaseUntil: inAMinute,
      waits: [1, 0],
      why: 'its process is dead',
    },
    { status: InProcess, leaseId, leaseUntil: inAMinute, waits: [0, 0], why: 'never while one has it' },
    { status: ValidationFailed, waits: [0, 0], why: 'never when it is settled' },
    { status: IngestionSuccess, waits: [0, 0], why: 'never when it is settled' },
    { status: IngestionFailed, waits: [0, 0], why: 'never until a clerk retries it' },
  ])('in status $status: $waits, because $why', async ({ waits, why: _why, ...given }) => {
    await submit(given)
    await releaseDeadLeases(portal.deps.db)
    expect([...(await countWaiting(portal.deps.db)).values()]).toEqual(waits)
  })
})

describe('A source that is missing, as after a restore of the database alone', () => {
  it.for([
    { status: Uploaded, ways: ['0 > 1', '1 > 3', '3 > 4'] },
    { status: ValidationPassed, ways: ['3 > 4'] },
    { status: IngestionFailed, ways: ['5 > 3', '3 > 4'] },
  ])('is taken from the file that was ingested: from status $status', async ({ status, ways }) => {
    const { id, storageKey, createdAt } = await submit({ status, recordsCount: 2 })
    const [year, month] = createdAt.toISOString().split('-')
    const folder = join(await companyFolder(), String(year), String(month))
    await mkdir(folder, { recursive: true })
    await rename(storedPath(`.sources/${storageKey}`), join(folder, `${id}_good.csv`))
    if (status === Uploaded) await validate(id)
    if (status === IngestionFailed) {
      const body = { FileId: id }
      const retry = await portal.call('POST', '/api/FileSubmission/retryingestionupload', {
        as: portal.clerk,
        body,
      })
      expect(retry.statusCode).toBe(200)
    }
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess })
    expect(await moves(id)).toEqual(ways)
    expect((await filesOf(folder)).filter((file) => file.includes(`/${id}_`))).toHaveLength(2)
  })
})

describe('A storage error', () => {
  it('leads to status 5 and an e-mail, and a retry leads to status 4 once the storage works', async () => {
    const { id, storageKey } = await submit({ status: ValidationPassed, recordsCount: 2 })
    const folder = await companyFolder()
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'a file where the folder should be')
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionFailed, targetPath: null, leaseId: null })
    expect(await mails()).toMatchObject([
      { subject: 'Storage error: good.csv is valid, but could not be saved' },
    ])
    expect(await portal.deps.storage.exists(`.sources/${storageKey}`)).toBe(true)

    await rm(folder)
    const retry = await portal.call('POST', '/api/FileSubmission/retryingestionupload', {
      as: portal.clerk,
      body: { FileId: id },
    })
    expect(retry.statusCode).toBe(200)
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess })
    expect(await moves(id)).toEqual(['3 > 5', '5 > 3', '3 > 4'])
    expect(await filesOf(folder)).toHaveLength(2)
  })

  it('leaves no file in the company folder if the side file cannot be written', async () => {
    const { id } = await submit({ status: ValidationPassed, recordsCount: 2 })
    const { createdAt } = await read(id)
    const [year, month] = createdAt.toISOString().split('-')
    const folder = join(await companyFolder(), String(year), String(month))
    const inTheWay = join(folder, `${id}_good.csv.json`)
    await mkdir(inTheWay, { recursive: true })
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionFailed, targetPath: null })
    expect((await filesOf(folder)).filter((file) => file.includes(`/${id}_`))).toEqual([])

    await rm(inTheWay, { recursive: true })
    await portal.call('POST', '/api/FileSubmission/retryingestionupload', {
      as: portal.clerk,
      body: { FileId: id },
    })
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess })
    expect((await filesOf(folder)).filter((file) => file.includes(`/${id}_`))).toHaveLength(2)
  })

  it('is none where another file has the name, as after a restore: the file gets another', async () => {
    const { id, storageKey, createdAt } = await submit({ status: ValidationPassed, recordsCount: 2 })
    const [year, month] = createdAt.toISOString().split('-')
    const folder = join(await companyFolder(), String(year), String(month))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${id}_good.csv`), 'another file')
    await ingest(id)
    const row = await read(id)
    expect(row.status).toBe(IngestionSuccess)
    expect(row.targetPath).toMatch(new RegExp(`/${id}_${storageKey.slice(0, 8)}_good\\.csv$`))
    expect(await readFile(storedPath(row.targetPath ?? ''), 'utf8')).toBe(csvOfTwoRows)
    expect(await readFile(join(folder, `${id}_good.csv`), 'utf8')).toBe('another file')
  })

  it('is none where the file is there already, validated at another time, as after a restore', async () => {
    const first = await submit({ status: ValidationPassed, recordsCount: 2 })
    await ingest(first.id)
    const { targetPath } = await read(first.id)
    await portal.deps.db
      .updateTable('submissions')
      .set({ status: ValidationPassed, targetPath: null })
      .where('id', '=', first.id)
      .execute()
    await portal.deps.db.deleteFrom('submissionMoves').where('submissionId', '=', first.id).execute()
    await writeFile(storedPath(`.sources/${first.storageKey}`), csvOfTwoRows)
    const sideFile = storedPath(`${targetPath}.json`)
    await writeFile(
      sideFile,
      (await readFile(sideFile, 'utf8')).replace(/"validatedAt": .*/, '"validatedAt": ""'),
    )
    await ingest(first.id)
    expect(await read(first.id)).toMatchObject({ status: IngestionSuccess, targetPath })
  })

  it('is none while the storage is not available: the file waits', async () => {
    const { id } = await submit({ status: ValidationPassed, recordsCount: 2 })
    const { storageUrl } = portal.deps.env
    await portal.deps.storage.check()
    await rename(storageUrl, `${storageUrl}-away`)
    await expect(ingest(id)).rejects.toThrow(StorageUnavailableError)
    expect(await readdir(dirname(storageUrl))).not.toContain(basename(storageUrl))
    await rename(`${storageUrl}-away`, storageUrl)
    expect(await read(id)).toMatchObject({ status: ValidationPassed, leaseId: null })
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess })
  })

  it('is the result of damaged bytes, which never reach the company', async () => {
    const { id, storageKey } = await submit({ status: ValidationPassed })
    await writeFile(storedPath(`.sources/${storageKey}`), 'damaged')
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionFailed })
    expect((await filesOf(await companyFolder())).filter((file) => file.includes(`/${id}_`))).toEqual([])
  })
})
