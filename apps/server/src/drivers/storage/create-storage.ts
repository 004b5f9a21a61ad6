import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLocalDisk } from '#drivers/storage/local-disk.ts'
import type { Storage } from '#drivers/storage/storage.ts'

/** The storage at `url`, a folder or a file:// address. Throws for other schemes. */
export function createStorage(url: string): Storage {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return openLocalDisk(resolve(url))
  if (scheme === 'file') return openLocalDisk(fileURLToPath(url))
  throw new Error(`STORAGE_URL: the scheme "${scheme}" is not supported; set a folder or a file:// address.`)
}
