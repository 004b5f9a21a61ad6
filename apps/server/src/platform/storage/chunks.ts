import { createHash } from 'node:crypto'
import { HEAD_BYTES, type StagedFile } from '#platform/storage/storage.ts'

export async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** The bytes of `source`, counted and hashed while they are read. `result`: of those that were read. */
export function measured(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  const head: number[] = []
  let bytes = 0
  async function* chunks(): AsyncIterable<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (head.length < HEAD_BYTES) head.push(...chunk.subarray(0, HEAD_BYTES - head.length))
      hash.update(chunk)
      yield chunk
    }
  }
  const result = (): Pick<StagedFile, 'bytes' | 'sha256' | 'head'> => ({
    bytes,
    sha256: hash.digest('hex'),
    head: Uint8Array.from(head),
  })
  return { chunks: chunks(), result }
}

/** SHA-256 of all bytes, as hexadecimal digits. */
export async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}
