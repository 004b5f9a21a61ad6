import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_CACHED_FILES, openFileCache } from '#platform/storage/file-cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridict-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const writing = (text: string) => (path: string) => writeFile(path, text)
const never = () => Promise.reject(new Error('made again'))

async function read(
  cache: Awaited<ReturnType<typeof openFileCache>>,
  name: string,
  make: (path: string) => Promise<void>,
) {
  const file = await cache.open(name, make)
  try {
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

describe('The file cache', () => {
  it('generates a file once', async () => {
    const cache = await openFileCache(folder, 100)
    expect(await read(cache, 'a', writing('one'))).toBe('one')
    expect(await read(cache, 'a', never)).toBe('one')
  })

  it('generates it once for many requests at the same time', async () => {
    const cache = await openFileCache(folder, 100)
    let made = 0
    const make = async (path: string) => {
      made++
      await writeFile(path, 'one')
    }
    await Promise.all(Array.from({ length: 20 }, () => read(cache, 'a', make)))
    expect(made).toBe(1)
  })

  it('keeps so many files at most, however small they are', async () => {
    for (let number = 0; number <= MAX_CACHED_FILES; number++) await writeFile(join(folder, `${number}`), '')
    const cache = await openFileCache(folder, 100)
    expect(await read(cache, 'new', writing('one'))).toBe('one')
    const names = await cache.names()
    expect(names).toHaveLength(MAX_CACHED_FILES)
    expect(names).toContain('new')
  })

  it('stores nothing of a file that could not be generated', async () => {
    const cache = await openFileCache(folder, 100)
    const failing = async (path: string) => {
      await writeFile(path, 'half')
      throw new Error('no room')
    }
    await expect(cache.open('a', failing)).rejects.toThrow('no room')
    expect(await readdir(folder)).toEqual([])
    expect(await read(cache, 'a', writing('whole'))).toBe('whole')
  })

  it('deletes the least recently opened files and stays within its limit', async () => {
    const cache = await openFileCache(folder, 10)
    for (const name of ['a', 'b', 'c', 'd']) {
      await read(cache, name, writing('1234'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect((await readdir(folder)).toSorted()).toEqual(['c', 'd'])
  })

  it('lists its files, and a deleted file stays readable for its readers', async () => {
    const cache = await openFileCache(folder, 100)
    await writeFile(join(folder, 'c.part'), 'half')
    for (const name of ['a', 'b']) await read(cache, name, writing(name))
    const held = await cache.open('a', never)
    await cache.delete('a')
    await cache.delete('never made')
    expect(await cache.names()).toEqual(['b'])
    expect(await held.readFile('utf8')).toBe('a')
    await held.close()
  })

  it('opens a file larger than the whole cache', async () => {
    const cache = await openFileCache(folder, 2)
    expect(await read(cache, 'a', writing('12345'))).toBe('12345')
  })
})
