import { unzipSync } from 'fflate'
import { readFileSync } from 'node:fs'

/** Reads a part of a ZIP archive by name; null where the archive has none. */
export function unzip(path: string): (name: string) => Buffer | null {
  const file = readFileSync(path)
  return (name) => {
    const part = unzipSync(file, { filter: (entry) => entry.name === name })[name]
    return part === undefined ? null : Buffer.from(part.buffer, part.byteOffset, part.length)
  }
}
