import { isUtf8 } from 'node:buffer'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ByteSource } from '#byte-source.ts'
import type { Platform } from '#platform.ts'

/** A platform for tests: unpacks whole parts and returns them in chunks of `chunkSize`. */
export function testPlatform(chunkSize = 64 * 1024): Platform {
  return {
    async *inflateRaw(compressed) {
      yield* chunksOf(inflateRawSync(await joined(compressed)), chunkSize)
    },
    async *deflateRaw(plain) {
      yield new Uint8Array(deflateRawSync(await joined(plain), { level: 1 }))
    },
    decodeUtf8: (bytes, start, end) =>
      Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'),
    encodeUtf8: (text) => new Uint8Array(Buffer.from(text)),
    isUtf8: (bytes) => isUtf8(bytes),
    crc32,
    currentYear: 2026,
  }
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
  }
}

export async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return new Uint8Array(Buffer.concat(parts))
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size))
}
