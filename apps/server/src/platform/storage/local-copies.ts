import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '#platform/database/embedded/processes.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'

type Copy = { path: string; bytes: number; users: number; ready: Promise<void> }

/**
 * Copies of files from a store that other processes cannot read: of about `maxBytes`, in a folder of this
 * process below `folder`; those of processes that died are deleted. The least recently used go first, but
 * none that is in use.
 */
export async function openLocalCopies(folder: string, maxBytes: number) {
  makePrivateFolder(folder)
  for (const name of await readdir(folder)) {
    const pid = Number(name.split('-')[0])
    // In a container every start may have the same process id.
    if (pid === process.pid || !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true })
  }
  const own = await mkdtemp(join(folder, `${process.pid}-`))
  /** The most recently used last. */
  const copies = new Map<string, Copy>()
  let made = 0

  const make = (name: string, source: AsyncIterable<Uint8Array>): Copy => {
    const path = join(own, String(++made))
    const copy: Copy = { path, bytes: 0, users: 0, ready: Promise.resolve() }
    copy.ready = writeFile(path, source, { mode: 0o600 })
      .then(async () => void (copy.bytes = (await stat(path)).size))
      .catch(async (error: unknown) => {
        if (copies.get(name) === copy) copies.delete(name)
        await rm(path, { force: true })
        throw error
      })
    return copy
  }
  const evict = async () => {
    let bytes = copies.values().reduce((sum, copy) => sum + copy.bytes, 0)
    for (const [name, copy] of copies) {
      if (bytes <= maxBytes) return
      if (copy.users > 0) continue
      copies.delete(name)
      bytes -= copy.bytes
      await rm(copy.path, { force: true })
    }
  }

  return {
    /** Calls `work` with the path of a copy, made from `source` unless there is one. */
    async use<T>(
      name: string,
      source: AsyncIterable<Uint8Array>,
      work: (path: string) => Promise<T>,
    ): Promise<T> {
      const copy = copies.get(name) ?? make(name, source)
      copies.delete(name)
      copies.set(name, copy)
      copy.users++
      try {
        await copy.ready
        return await work(copy.path)
      } finally {
        copy.users--
        await evict()
      }
    },
  }
}
export type LocalCopies = Awaited<ReturnType<typeof openLocalCopies>>
