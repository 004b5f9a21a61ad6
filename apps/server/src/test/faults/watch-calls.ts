import { readlinkSync } from 'node:fs'
import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const byPath = ['open', 'rename', 'link', 'rm', 'unlink', 'mkdir', 'stat', 'readdir'] as const
const byHandle = ['write', 'sync'] as const
export type FileCall = (typeof byPath)[number] | (typeof byHandle)[number]

/**
 * Runs before each call of the file system, which waits for it. If it throws, the call fails with its error.
 */
export type Watcher = (call: FileCall, path: string) => void | Promise<void>

let watcher: Watcher | null = null
let isInstalled = false

/**
 * Runs `watch` before every call that this process makes through node:fs/promises. There is one watcher at a
 * time. Returns a function that removes it.
 */
export function watchCalls(watch: Watcher): () => void {
  if (!isInstalled) install()
  isInstalled = true
  watcher = watch
  return () => (watcher = null)
}

type AnyCall = (...given: unknown[]) => Promise<unknown>

function install(): void {
  const all = files as unknown as Record<string, AnyCall>
  for (const name of byPath) {
    const original = all[name]!
    all[name] = async (...given) => {
      // A rename and a link count by their new name.
      const path = named(String(name === 'rename' || name === 'link' ? given[1] : given[0]))
      await watcher?.(name, path)
      const result = await original(...given)
      if (name === 'open') watchHandle(result as FileHandle, path)
      return result
    }
  }
  syncBuiltinESMExports()
}

/** A path through an open folder by the name of that folder. */
const named = (path: string): string => path.replace(/^\/proc\/self\/fd\/\d+/, (open) => readlinkSync(open))

function watchHandle(handle: FileHandle, path: string): void {
  const all = handle as unknown as Record<string, AnyCall>
  for (const name of byHandle) {
    const original = all[name]!.bind(handle)
    all[name] = async (...given) => {
      await watcher?.(name, path)
      return original(...given)
    }
  }
}

/** An error as the file system throws it. */
export const fileError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: injected, '${path}'`), { code, syscall: 'injected' })
