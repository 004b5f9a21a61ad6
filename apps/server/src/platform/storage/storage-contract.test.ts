import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStorage } from '#platform/storage/create-storage.ts'
import { type Storage, StorageConflictError, StorageCorruptError } from '#platform/storage/storage.ts'
import { createFaultProxy, type FaultProxy } from '#test/fault-proxy.ts'
import { objectStores, type TestStore } from '#test/object-stores.ts'

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
async function* chunks(...parts: (string | Uint8Array)[]) {
  for (const part of parts) yield Buffer.from(part as string)
}
async function* broken() {
  yield Buffer.from('half')
  throw new Error('connection lost')
}
const fileOf = (path: string, content: string | Uint8Array) => ({
  path,
  source: chunks(content),
  sha256: hashOf(content),
})
const soon = () => new Date(Date.now() + 60_000)

/** In place of a test of what this kind of storage does not have. */
const ignored = () => {}

const local = { name: 'a folder', hasConditions: true, start: async (): Promise<TestStore | null> => null }

describe.each([local, ...objectStores()])('Storage in $name', ({ hasConditions, start }) => {
  let folder: string
  let store: TestStore | null
  let proxy: FaultProxy | null = null
  let storage: Storage
  let other: Storage
  /** A company folder of its own for each test. */
  let company: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veridict-contract-'))
    store = await start()
    proxy = store && (await createFaultProxy(store.address))
    const open = (dataDir: string) =>
      createStorage({
        dataDir: join(folder, dataDir),
        storageUrl: join(folder, 'storage'),
        azureConnectionString: null,
        ...store?.settings(proxy?.address ?? ''),
      })
    storage = await open('one')
    other = await open('two')
    await storage.setId('an id')
  })
  beforeEach(() => {
    company = `company-${randomBytes(4).toString('hex')}`
  })
  afterAll(async () => {
    await proxy?.close()
    await store?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const textOf = async (path: string) =>
    Buffer.concat(await Array.fromAsync(storage.read(path))).toString('utf8')
  const key = () => `.sources/${randomBytes(16).toString('hex')}`
  const keep = async (path: string, ...parts: (string | Uint8Array)[]) =>
    (await storage.stage(chunks(...parts))).keep(path)

  it('has one id, which another process sees and none replaces', async () => {
    expect(await other.id()).toBe('an id')
    await expect(other.setId('another')).rejects.toThrow(StorageConflictError)
    expect(await storage.id()).toBe('an id')
  })

  it('counts and hashes what it receives, and shows it to all at its path only', async () => {
    const path = key()
    const staged = await storage.stage(chunks('a,b\n', '1,2\n'))
    expect(staged).toMatchObject({ bytes: 8, sha256: hashOf('a,b\n1,2\n') })
    expect(Buffer.from(staged.head).toString()).toBe('a,b\n1,2\n')
    expect(await other.exists(path)).toBe(false)
    await staged.keep(path)
    await staged.discard()
    expect(await other.exists(path)).toBe(true)
    expect(await textOf(path)).toBe('a,b\n1,2\n')
  })

  it('leaves nothing of a source that breaks off', async () => {
    await expect(storage.stage(broken())).rejects.toThrow()
    expect(await storage.sweepStaged(soon())).toBe(0)
  })

  it('keeps large files byte by byte, and reads them by parts', async () => {
    const bytes = randomBytes(7_000_001)
    const path = key()
    await keep(path, bytes)
    const read = await Array.fromAsync(storage.read(path))
    expect(hashOf(Buffer.concat(read))).toBe(hashOf(bytes))
    await storage.useFile(path, async (local) => expect(hashOf(await readFile(local))).toBe(hashOf(bytes)))
    await storage.streamFile(path, async (file) => {
      if ('path' in file) return expect(hashOf(await readFile(file.path))).toBe(hashOf(bytes))
      expect(file.size).toBe(bytes.length)
      for (const [position, length] of [
        [0, 100],
        [100, 1_000_000],
        [6_999_999, 100],
        [0, 3],
        [bytes.length, 1],
      ] as const)
        expect(Buffer.from(await file.read(position, length))).toEqual(
          bytes.subarray(position, position + length),
        )
    })
  })

  it('throws ENOENT for a missing file, and deletes it without an error', async () => {
    expect(await storage.exists(key())).toBe(false)
    await storage.delete(key())
    await expect(textOf(key())).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(storage.useFile(key(), (path) => readFile(path))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('never leaves its root', () => {
    expect(() => storage.read('.sources/../../outside')).toThrow('leaves its root')
  })

  describe('putting files', () => {
    const [data, side] = ['2026/11/7_claims.csv', '2026/11/7_claims.csv.json']

    it('writes them, and counts equal ones as written, so that a run can be repeated', async () => {
      for (let run = 0; run < 2; run++)
        await storage.put([fileOf(`${company}/${data}`, 'a,b'), fileOf(`${company}/${side}`, '{}')])
      expect(await textOf(`${company}/${data}`)).toBe('a,b')
      expect(await textOf(`${company}/${side}`)).toBe('{}')
    })

    it('makes the folder, also one of the portal itself', async () => {
      await storage.put([fileOf('.of-its-own/a.json', '{}')])
      expect(await textOf('.of-its-own/a.json')).toBe('{}')
    })

    it('never writes over another file, and then writes none of them', async () => {
      await storage.put([fileOf(`${company}/${side}`, 'theirs')])
      await expect(
        storage.put([fileOf(`${company}/${data}`, 'ours'), fileOf(`${company}/${side}`, 'ours')]),
      ).rejects.toThrow(StorageConflictError)
      expect(await textOf(`${company}/${side}`)).toBe('theirs')
      expect(await storage.exists(`${company}/${data}`)).toBe(false)
    })

    it('lets at most one of many writers win, where the store has conditions', async () => {
      const path = `${company}/${data}`
      const results = await Promise.allSettled(
        Array.from({ length: 6 }, (_, writer) =>
          (writer % 2 === 0 ? storage : other).put([fileOf(path, `of writer ${writer}`)]),
        ),
      )
      const winners = results.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []))
      if (hasConditions) expect(winners.length).toBeLessThan(2)
      if (winners.length === 1) expect(await textOf(path)).toBe(`of writer ${winners[0]}`)
    })

    it('lets writers of equal bytes succeed', async () => {
      const path = `${company}/${data}`
      const results = await Promise.allSettled([
        storage.put([fileOf(path, 'equal')]),
        other.put([fileOf(path, 'equal')]),
      ])
      expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
      expect(await textOf(path)).toBe('equal')
    })

    it.for([
      {
        why: 'the bytes have another hash',
        file: () => ({ ...fileOf(`${company}/${data}`, 'rotten'), sha256: hashOf('fresh') }),
        error: StorageCorruptError,
      },
      {
        why: 'the source breaks off',
        file: () => ({ ...fileOf(`${company}/${data}`, ''), source: broken() }),
        error: Error,
      },
      {
        why: 'the source is missing',
        file: () => ({ ...fileOf(`${company}/${data}`, ''), source: storage.read(key()) }),
        error: Error,
      },
    ])('writes nothing if $why', async ({ file, error }) => {
      await expect(storage.put([file(), fileOf(`${company}/${side}`, '{}')])).rejects.toThrow(error)
      expect(await storage.exists(`${company}/${data}`)).toBe(false)
      expect(await storage.exists(`${company}/${side}`)).toBe(false)
    })
  })

  it('lists files by age: those of companies apart from sources', async () => {
    const path = key()
    await keep(path, 'a')
    await storage.put([fileOf(`${company}/2026/x`, 'a')])
    const listed = (of: 'sources' | 'companies', before: Date) => Array.fromAsync(storage.list(of, before))
    expect(await listed('sources', soon())).toContain(path)
    expect(await listed('companies', soon())).toContain(`${company}/2026/x`)
    expect((await listed('sources', soon())).every((found) => found.startsWith('.sources/'))).toBe(true)
    expect((await listed('companies', soon())).some((found) => found.startsWith('.'))).toBe(false)
    for (const kind of ['sources', 'companies'] as const)
      expect(await listed(kind, new Date(Date.now() - 3_600_000))).toEqual([])
  })

  it('sweeps what was staged and never kept, and nothing else', async () => {
    const path = key()
    await keep(path, 'kept')
    await storage.stage(chunks('abandoned'))
    expect(await storage.sweepStaged(new Date(Date.now() - 3_600_000))).toBe(0)
    expect(await storage.sweepStaged(soon())).toBe(1)
    expect(await textOf(path)).toBe('kept')
  })

  it('checks that it is writable, and leaves nothing of it', async () => {
    await storage.check()
    expect(await storage.sweepStaged(soon())).toBe(0)
  })

  const withConnection = start === local.start ? ignored : describe
  withConnection('with a broken connection', () => {
    const failing = () => proxy as FaultProxy

    it.for(['cut', 'lost', 'error', 'slow'] as const)('writes once and whole after: %s', async (fault) => {
      const path = `${company}/claims.csv`
      failing().fail(fault, 2, 'PUT', 'claims.csv')
      await storage.put([fileOf(path, 'a,b\n'.repeat(50_000)), fileOf(`${path}.json`, '{}')])
      expect(failing().left()).toBe(0)
      expect(hashOf(await textOf(path))).toBe(hashOf('a,b\n'.repeat(50_000)))
    })

    it.for(['cut', 'lost', 'error', 'slow'] as const)('reads every byte once after: %s', async (fault) => {
      const bytes = randomBytes(500_000)
      const path = key()
      await keep(path, bytes)
      failing().fail(fault, fault === 'slow' ? 1 : 2, 'GET', path)
      expect(hashOf(Buffer.concat(await Array.fromAsync(storage.read(path))))).toBe(hashOf(bytes))
      expect(failing().left()).toBe(0)
    })

    it('fails without access, writes nothing, and works when access is back', async () => {
      const path = `${company}/claims.csv`
      failing().fail('denied', 1, 'PUT', 'claims.csv')
      await expect(storage.put([fileOf(path, 'a')])).rejects.toMatchObject({ code: 'EACCES' })
      failing().fail('denied', 1, 'GET', '.name')
      await expect(storage.id()).rejects.toMatchObject({ code: 'EACCES' })
      expect(await storage.exists(path)).toBe(false)
      await storage.put([fileOf(path, 'a')])
      expect(await textOf(path)).toBe('a')
    })

    it.for([true, false])(
      'a failed confirmation deletes a file that no other run may use: %s',
      async (mayUndo) => {
        const path = `${company}/claims.csv`
        // The first request asks whether another file is there, the second one confirms.
        failing().fail('slow', 1, 'HEAD', 'claims.csv')
        failing().fail('denied', 1, 'HEAD', 'claims.csv')
        const put = storage.put([fileOf(path, 'a')], { mayUndo: async () => mayUndo })
        await expect(put).rejects.toMatchObject({ code: 'EACCES' })
        expect(failing().left()).toBe(0)
        expect(await storage.exists(path)).toBe(!mayUndo)
      },
    )

    it('gives up after three tries, with nothing left', async () => {
      const path = key()
      const staged = await storage.stage(chunks('a'))
      failing().fail('error', 3, 'PUT', path)
      await expect(staged.keep(path)).rejects.toMatchObject({ code: 'EIO' })
      await staged.discard()
      expect(await storage.exists(path)).toBe(false)
      expect(await readdir(join(folder, 'one', 'objects'))).toEqual([])
    })

    it('never shows credentials in an error', async () => {
      failing().fail('denied', 1, 'GET', '.name')
      const error: Error = await storage.id().then(
        () => expect.unreachable(),
        (reason: Error) => reason,
      )
      const all = JSON.stringify([error.message, error.stack, Object.entries(error), error.cause])
      expect(all).not.toMatch(/S3RVER|Eby8vdM02|Authorization|Signature=/)
    })
  })
})
