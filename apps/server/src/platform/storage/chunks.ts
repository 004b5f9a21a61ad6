import { createHash, type Hash } from 'node:crypto'

export async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

export const newHash = (): Hash => createHash('sha256')

/** SHA-256 of all bytes, as hexadecimal digits. */
export async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = newHash()
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}
