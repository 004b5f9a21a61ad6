import type { ByteSource } from '@veridict/engine'

// Not imported: an import evaluates all exports of node:fs, streams included, and adds 2 ms to every start.
const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule('node:fs')

/**
 * The file is closed after `use`. Reads are synchronous: the engine has nothing else to do, and a promise
 * costs more than a read from the page cache. Throws what `node:fs` throws.
 */
export async function withFile<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    return await use({ size, read: (into, position) => readFully(descriptor, into, position) })
  } finally {
    closeSync(descriptor)
  }
}

/** One read may return fewer bytes than asked for; 0 only at the end. */
function readFully(descriptor: number, into: Uint8Array, position: number): number {
  let filled = 0
  while (filled < into.length) {
    const count = readSync(descriptor, into, filled, into.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}
