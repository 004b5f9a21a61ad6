import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { deleteTemporaryFiles } from '#platform/storage/durable-file.ts'
import { StorageConflictError, StorageCorruptError, type Storage } from '#platform/storage/storage.ts'
import { fileError, watchCalls } from '#test/faults/watch-calls.ts'

let root: string
let storage: Storage

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'veridict-storage-'))
  storage = openLocalDisk(root)
  await storage.setId('an id')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
async function* broken() {
  yield Buffer.from('half')
  throw new Error('connection lost')
}
const everyFile = async () =>
  (await readdir(root, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== '.name',
  )
const contentOf = (path: string) => readFile(join(root, path), 'utf8')

describe('Staging', () => {
  it('counts and hashes the bytes and moves them to the given path', async () => {
    const staged = await storage.stage(chunks('a,b\n', '1,2\n'))
    expect(staged).toMatchObject({ bytes: 8, sha256: hashOf('a,b\n1,2\n') })
    expect(Buffer.from(staged.head).toString()).toBe('a,b\n1,2\n')
    await staged.keep('.sources/one')
    await staged.discard()
    expect(await contentOf('.sources/one')).toBe('a,b\n1,2\n')
    expect(await everyFile()).toHaveLength(1)
  })

  it('accepts exactly the limit', async () => {
    expect((await storage.stage(chunks('12345', '67890'))).bytes).toBe(10)
  })

  it('leaves nothing of a source that breaks off', async () => {
    await expect(storage.stage(broken())).rejects.toThrow()
    expect(await everyFile()).toEqual([])
  })
})

describe('Putting a file', () => {
  const path = 'northwind/2026/11/7_claims.csv'

  it('writes the whole file and nothing beside it', async () => {
    await storage.put([{ path, source: chunks('a,b\n', '1,2\n'), sha256: hashOf('a,b\n1,2\n') }])
    expect(await contentOf(path)).toBe('a,b\n1,2\n')
    expect(await everyFile()).toHaveLength(1)
  })

  it('counts a file of the same bytes as written, so that a run can be repeated', async () => {
    await storage.put([{ path, source: chunks('same'), sha256: hashOf('same') }])
    await storage.put([{ path, source: chunks('same'), sha256: hashOf('same') }])
    expect(await everyFile()).toHaveLength(1)
  })

  it('never writes over another file', async () => {
    await storage.put([{ path, source: chunks('theirs'), sha256: hashOf('theirs') }])
    await expect(storage.put([{ path, source: chunks('ours'), sha256: hashOf('ours') }])).rejects.toThrow(
      StorageConflictError,
    )
    expect(await contentOf(path)).toBe('theirs')
  })

  it('refuses bytes with another hash', async () => {
    await expect(storage.put([{ path, source: chunks('rotten'), sha256: hashOf('fresh') }])).rejects.toThrow(
      StorageCorruptError,
    )
    expect(await everyFile()).toEqual([])
  })

  it('leaves nothing if its source breaks off or is missing', async () => {
    await expect(storage.put([{ path, source: broken(), sha256: hashOf('half') }])).rejects.toThrow(
      'connection lost',
    )
    await expect(
      storage.put([{ path, source: storage.read('.sources/none'), sha256: hashOf('') }]),
    ).rejects.toThrow('ENOENT')
    expect(await everyFile()).toEqual([])
  })

  it('deletes the temporary files of a crashed run', async () => {
    await mkdir(join(root, 'northwind/2026/11'), { recursive: true })
    await writeFile(join(root, 'northwind/2026/11/.7_claims.csv.123.part'), 'half')
    await writeFile(join(root, 'northwind/2026/11/.8_claims.csv.123.part'), 'of another file')
    await storage.put([{ path, source: chunks('whole'), sha256: hashOf('whole') }])
    expect((await everyFile()).map(({ name }) => name).toSorted()).toEqual([
      '.8_claims.csv.123.part',
      '7_claims.csv',
    ])
  })

  it('lets one of two writers win, and both succeed with equal bytes', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        storage.put([{ path, source: chunks('equal'), sha256: hashOf('equal') }]),
      ),
    )
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await contentOf(path)).toBe('equal')
    expect(await everyFile()).toHaveLength(1)
  })

  const fileOf = (path: string, text: string) => ({ path, source: chunks(text), sha256: hashOf(text) })

  it('writes none of several files if one cannot be written', async () => {
    await expect(
      storage.put([fileOf(path, 'data'), { path: `${path}.json`, source: broken(), sha256: '' }]),
    ).rejects.toThrow()
    expect(await everyFile()).toEqual([])
  })

  it.for([
    { fails: 'the name of the second file', call: 'link', at: `${path}.json`, left: ['7_claims.csv'] },
    {
      fails: 'the folder after both names',
      call: 'sync',
      at: path.slice(0, path.lastIndexOf('/')),
      left: ['7_claims.csv', '7_claims.csv.json'],
    },
  ] as const)(
    'deletes what it named after a failure of $fails, unless another run may have it',
    async ({ call, at, left }) => {
      await mkdir(join(root, 'northwind/2026/11'), { recursive: true })
      for (const mayUndo of [true, false]) {
        const stop = watchCalls((called, where) => {
          if (called === call && where === join(root, at)) throw fileError('EIO', where)
        })
        const files = [fileOf(path, 'data'), fileOf(`${path}.json`, '{}')]
        await expect(storage.put(files, { mayUndo: async () => mayUndo })).rejects.toThrow('EIO')
        stop()
        expect((await everyFile()).map(({ name }) => name).toSorted()).toEqual(mayUndo ? [] : left)
      }
    },
  )

  it('writes none of several files if another file has the path of one', async () => {
    await storage.put([fileOf(`${path}.json`, 'theirs')])
    await expect(storage.put([fileOf(path, 'data'), fileOf(`${path}.json`, 'ours')])).rejects.toThrow(
      StorageConflictError,
    )
    expect((await everyFile()).map(({ name }) => name)).toEqual(['7_claims.csv.json'])
  })

  it('deletes a named file again if another of the files cannot get its name', async () => {
    async function* late() {
      await writeFile(join(root, `${path}.json`), 'theirs')
      yield* chunks('last')
    }
    const files = [
      fileOf(path, 'data'),
      fileOf(`${path}.json`, 'ours'),
      { path: 'northwind/last', source: late(), sha256: hashOf('last') },
    ]
    await expect(storage.put(files)).rejects.toThrow(StorageConflictError)
    expect((await everyFile()).map(({ name }) => name)).toEqual(['7_claims.csv.json'])
    expect(await contentOf(`${path}.json`)).toBe('theirs')
  })

  it('deletes no named file after another run has taken over', async () => {
    async function* takenOver() {
      await deleteTemporaryFiles(join(root, `${path}.json`))
      yield* chunks('last')
    }
    const last = { path: 'northwind/last', source: takenOver(), sha256: hashOf('last') }
    const files = [fileOf(path, 'data'), fileOf(`${path}.json`, 'side'), last]
    const mayUndo = async () => false
    await expect(storage.put(files, { mayUndo })).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await everyFile()).map(({ name }) => name)).toEqual(['7_claims.csv'])
  })

  it('completes what a crashed run began', async () => {
    await storage.put([fileOf(path, 'data')])
    await storage.put([fileOf(path, 'data'), fileOf(`${path}.json`, 'side')])
    expect(await everyFile()).toHaveLength(2)
  })

  it('fails if a file has the path of the folder', async () => {
    await writeFile(join(root, 'northwind'), '')
    await expect(storage.put([{ path, source: chunks('a'), sha256: hashOf('a') }])).rejects.toThrow(
      /EEXIST|ENOTDIR/,
    )
    expect(await storage.exists(path)).toBe(false)
  })
})

describe('Sweeping', () => {
  const old = new Date(Date.now() - 7_200_000)
  const anHourAgo = new Date(Date.now() - 3_600_000)

  it('deletes old staged files and leaves those that are being written', async () => {
    await storage.stage(chunks('old'))
    const [abandoned] = await readdir(join(root, '.incoming'))
    await utimes(join(root, '.incoming', abandoned ?? ''), old, old)
    const fresh = await storage.stage(chunks('fresh'))
    expect(await storage.sweepStaged(anHourAgo)).toBe(1)
    await fresh.keep('.sources/fresh')
    expect(await everyFile()).toHaveLength(1)
  })

  it('lists sources of that age only', async () => {
    for (const name of ['old', 'new']) await writeFile(join(root, '.sources', name), '')
    await utimes(join(root, '.sources/old'), old, old)
    expect(await Array.fromAsync(storage.list('sources', anHourAgo))).toEqual(['.sources/old'])
  })
})

describe('The storage', () => {
  it('creates nothing before it gets an id, and never gets another', async () => {
    const other = openLocalDisk(join(root, 'other'))
    expect(await other.id()).toBe(null)
    await expect(other.stage(chunks('a'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(root)).not.toContain('other')
    await other.setId('first')
    await expect(other.setId('second')).rejects.toThrow(StorageConflictError)
    expect(await other.id()).toBe('first')
  })

  it('notices that one of its folders is missing, and never creates it again', async () => {
    const staged = await storage.stage(chunks('kept'))
    await rename(join(root, '.sources'), join(root, 'away'))
    await expect(storage.id()).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(staged.keep('.sources/key')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await readdir(root)).not.toContain('.sources')
  })

  it.each(['.audit/1.json', 'northwind/2026/7_claims.csv'])(
    'is not created again by a file in %s that was begun before it went missing',
    async (path) => {
      const stop = watchCalls(async (called, where) => {
        if (called !== 'mkdir' || dirname(where) !== root) return
        stop()
        await rename(root, `${root}-away`)
      })
      const file = { path, source: chunks('kept'), sha256: hashOf('kept') }
      await storage.put([file]).then(
        // Through the open folder, on Linux.
        () => expect(path).not.toMatch(/^\./),
        (error: unknown) => expect(error).toMatchObject({ code: 'ENOENT' }),
      )
      stop()
      await expect(readdir(root)).rejects.toMatchObject({ code: 'ENOENT' })
      await rename(`${root}-away`, root)
    },
  )

  it('throws for every file while the storage itself is missing', async () => {
    const staged = await storage.stage(chunks('kept'))
    await staged.keep('.sources/key')
    await rename(root, `${root}-away`)
    await expect(storage.exists('.sources/key')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(storage.delete('.sources/key')).rejects.toMatchObject({ code: 'ENOENT' })
    await rename(`${root}-away`, root)
    expect(await storage.exists('.sources/key')).toBe(true)
  })

  it('says how much space its disk has', async () => {
    const space = await storage.space()
    expect(space?.free).toBeGreaterThan(0)
    expect(space?.total).toBeGreaterThan(space?.free ?? 0)
  })
})

describe('A link in a company’s folder', () => {
  const sha256 = hashOf('content')
  const file = (path: string) => ({ path, source: chunks('content'), sha256 })
  let outside: string
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'veridict-outside-'))
    await writeFile(join(outside, 'a.csv'), 'content')
  })
  afterEach(() => rm(outside, { recursive: true, force: true }))

  it.for(['acme', 'acme/2026', 'acme/2026/05'])('at %s is not followed', async (at) => {
    await mkdir(join(root, dirname(at)), { recursive: true })
    const folders = 'acme/2026/05'.slice(at.length)
    await mkdir(join(outside, 'to', folders), { recursive: true })
    await rename(join(outside, 'a.csv'), join(outside, 'to', folders, 'a.csv'))
    await symlink(join(outside, 'to'), join(root, at))
    const path = 'acme/2026/05/a.csv'
    const before = await readdir(outside, { recursive: true })
    await expect(storage.put([file('acme/2026/05/b.csv'), file('acme/2026/05/c.csv')])).rejects.toThrow()
    const link = { code: 'ELOOP' }
    await expect(storage.exists(path)).rejects.toMatchObject(link)
    await expect(Array.fromAsync(storage.read(path))).rejects.toMatchObject(link)
    await expect(storage.delete(path)).rejects.toMatchObject(link)
    expect(await readdir(outside, { recursive: true })).toEqual(before)
    const listed = await Array.fromAsync(storage.list('companies', new Date(Date.now() + 60_000)))
    expect(listed).not.toContain(path)
  })

  it('with the name of a file is another file, whatever it leads to', async () => {
    await mkdir(join(root, 'acme'))
    await symlink(join(outside, 'a.csv'), join(root, 'acme/a.csv'))
    await symlink(join(outside, 'none.csv'), join(root, 'acme/b.csv'))
    for (const path of ['acme/a.csv', 'acme/b.csv']) {
      await expect(storage.put([file(path)])).rejects.toThrow(StorageConflictError)
      await expect(Array.fromAsync(storage.read(path))).rejects.toMatchObject({ code: 'ELOOP' })
      await storage.delete(path)
    }
    expect(await readdir(outside)).toEqual(['a.csv'])
    expect(await readFile(join(outside, 'a.csv'), 'utf8')).toBe('content')
  })

  it.skipIf(process.platform === 'win32')('or a pipe with the name of a file lets nobody wait', async () => {
    await mkdir(join(root, 'acme'))
    execFileSync('mkfifo', [join(root, 'acme/a.csv')])
    await expect(storage.put([file('acme/a.csv')])).rejects.toThrow(StorageConflictError)
    expect(await Array.fromAsync(storage.read('acme/a.csv'))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('that comes while a file is written is not followed', async () => {
    const source = async function* () {
      yield Buffer.from('con')
      await rename(join(root, 'acme'), join(root, 'moved'))
      await symlink(outside, join(root, 'acme'))
      yield Buffer.from('tent')
    }
    await storage.put([{ path: 'acme/b.csv', source: source(), sha256 }])
    expect(await readdir(outside)).toEqual(['a.csv'])
    expect(await contentOf('moved/b.csv')).toBe('content')
  })

  it('is the storage itself, where an operator made it one', async () => {
    await symlink(root, join(outside, 'storage'))
    const linked = openLocalDisk(join(outside, 'storage'))
    await linked.put([file('acme/2026/a.csv')])
    expect(await contentOf('acme/2026/a.csv')).toBe('content')
    expect(await linked.exists('acme/2026/a.csv')).toBe(true)
  })
})
