import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identifiableOf } from '#platform/storage/known-storage.ts'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { identifyStorage } from '#platform/storage/identify-storage.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let root: string

beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'veridict-identify-'))
  // As a new database.
  await portal.deps.db.deleteFrom('storageIdentity').execute()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const identify = (folder = root) => identifyStorage(identifiableOf(openLocalDisk(folder)), portal.deps)
const mark = () => readFile(join(root, '.name'), 'utf8').catch(() => null)

async function existingStorage(name: string | null, source: string | null) {
  for (const folder of ['.incoming', '.sources']) await mkdir(join(root, folder))
  if (name !== null) await writeFile(join(root, '.name'), name)
  if (source !== null) await writeFile(join(root, '.sources', source), 'a')
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
    const ids = await Promise.all([identify(), identify(other)])
    expect(ids[0]).toBe(ids[1])
    const marks = [await mark(), await openLocalDisk(other).id()]
    expect(marks.toSorted()).toEqual([ids[0], null].toSorted())
    await rm(other, { recursive: true })
  })

  it.for([
    { why: 'it has the id of another database', name: 'another', source: null },
    { why: 'it has files that the new database does not know', name: null, source: 'unknown' },
  ])('with the id $name is refused and not marked: $why', async ({ name, source }) => {
    await existingStorage(name, source)
    await expect(identify()).rejects.toThrow(StorageUnavailableError)
    expect(await mark()).toBe(name)
  })

  it('is taken once an operator gave it the id that the message names', async () => {
    await existingStorage(null, 'unknown')
    const refusal: Error = await identify().then(
      () => expect.unreachable(),
      (error: Error) => error,
    )
    const id = /set its id to (\S+)$/.exec(refusal.message)?.[1] ?? ''
    await writeFile(join(root, '.name'), `${id}\n`)
    expect(await identify()).toBe(id)
  })
})
