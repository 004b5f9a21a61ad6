import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { setMarkOnce } from '#platform/database/marks.ts'
import { identifyStorage } from '#platform/storage/identify-storage.ts'
import { buildSubmission } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { IngestionSuccess, Uploaded, ValidationFailed } = SubmissionStatus
let portal: TestApp
let root: string

beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'veridict-identify-'))
  // As a database of an earlier version.
  await portal.deps.db.deleteFrom('storageIdentity').execute()
  await portal.deps.db.deleteFrom('submissions').execute()
  await portal.deps.db.deleteFrom('marks').execute()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const identify = () => identifyStorage(openLocalDisk(root), portal.deps)
const mark = () => readFile(join(root, '.name'), 'utf8').catch(() => null)

/** The folders of earlier versions, with a mark or without. */
async function storageBefore(name: string | null) {
  for (const folder of ['.incoming', '.sources']) await mkdir(join(root, folder))
  if (name !== null) await writeFile(join(root, '.name'), name)
}
async function submitted(count: number, isStored: boolean, status: SubmissionStatus = ValidationFailed) {
  for (let number = 0; number < count; number++) {
    const storageKey = portal.deps.ids.uuid()
    await buildSubmission(portal.deps.db, { status, storageKey })
    if (isStored) await writeFile(join(root, '.sources', storageKey), 'a')
  }
}
async function ingested(isStored: boolean) {
  const targetPath = `${portal.deps.ids.uuid()}.csv`
  await buildSubmission(portal.deps.db, { status: IngestionSuccess, targetPath, sourceDeletedAt: new Date() })
  if (isStored) await writeFile(join(root, targetPath), 'a')
}

describe('The first storage of a database', () => {
  it('is new like the database, and gets its id', async () => {
    const id = await identify()
    expect(await mark()).toBe(id)
    expect(await identify()).toBe(id)
  })

  it('gets the same id after a crash between database and storage', async () => {
    const id = await identify()
    await rm(join(root, '.name'))
    await portal.deps.db.updateTable('storageIdentity').set({ isConfirmed: false }).execute()
    expect(await identify()).toBe(id)
    expect(await mark()).toBe(id)
  })

  it('is never a second folder, when two servers start at once', async () => {
    const other = await mkdtemp(join(tmpdir(), 'veridict-identify-'))
    const ids = await Promise.all([identify(), identifyStorage(openLocalDisk(other), portal.deps)])
    expect(ids[0]).toBe(ids[1])
    const marks = [await mark(), await openLocalDisk(other).id()]
    expect(marks.toSorted()).toEqual([ids[0], null].toSorted())
    await rm(other, { recursive: true })
  })

  it.for<{ why: string; given: () => Promise<void>; name: string | null }>([
    {
      why: 'its files are there',
      name: null,
      given: () => submitted(3, true),
    },
    {
      why: 'more than half of its files are there',
      name: null,
      given: async () => {
        await submitted(2, false)
        await submitted(3, true, Uploaded)
      },
    },
    {
      why: 'its files are there, whatever the id',
      name: 'from another time',
      given: () => submitted(1, true),
    },
    {
      why: 'the database knows the id, and companies took their files away',
      name: 'known',
      given: async () => {
        await setMarkOnce(portal.deps.db, 'storage:known')
        await ingested(false)
      },
    },
    {
      why: 'one of the accepted files is there',
      name: null,
      given: async () => {
        await ingested(true)
        await ingested(false)
      },
    },
  ])('of an earlier version is taken with the id $name: $why', async ({ given, name }) => {
    await storageBefore(name)
    await given()
    const id = await identify()
    expect(await mark()).toBe(id)
    if (name !== null) expect(id).toBe(name)
  })

  it.for<{ why: string; given: () => Promise<void>; name: string | null }>([
    { why: 'half of its files are missing', name: null, given: () => halfStored() },
    { why: 'it has the id of another database', name: 'another', given: async () => {} },
    { why: 'none of the accepted files is there', name: null, given: () => ingested(false) },
    {
      why: 'it has files that the new database does not know',
      name: null,
      given: () => writeFile(join(root, '.sources', 'unknown'), 'a'),
    },
    {
      why: 'the database knows its id, and its files are elsewhere',
      name: 'known',
      given: async () => {
        await setMarkOnce(portal.deps.db, 'storage:known')
        await submitted(2, false)
      },
    },
  ])('with the id $name is refused and not marked: $why', async ({ given, name }) => {
    await storageBefore(name)
    await given()
    await expect(identify()).rejects.toThrow(StorageUnavailableError)
    expect(await mark()).toBe(name)
  })

  it('is refused while its folder is missing', async () => {
    await submitted(1, false)
    await rm(root, { recursive: true })
    await expect(identify()).rejects.toThrow('ENOENT')
  })

  it('is taken once an operator gave it the id that the message names', async () => {
    await storageBefore(null)
    await submitted(1, false)
    const refusal: Error = await identify().then(
      () => expect.unreachable(),
      (error: Error) => error,
    )
    const id = /set its id to (\S+)$/.exec(refusal.message)?.[1] ?? ''
    await writeFile(join(root, '.name'), `${id}\n`)
    expect(await identify()).toBe(id)
  })
})

async function halfStored() {
  await submitted(2, false)
  await submitted(2, true)
}
