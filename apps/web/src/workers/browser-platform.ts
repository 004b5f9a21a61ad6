import type { Platform } from '@veridict/engine/platform'

/** Up to so many bytes, JavaScript makes a string faster than the decoder: 0.1 µs against 0.5 µs. */
const SHORT_BYTES = 24

/** What the engine needs of a browser. `currentYear` is the server's. */
export const browserPlatform = (currentYear: number): Platform => ({
  inflateRaw,
  deflateRaw,
  decodeUtf8,
  encodeUtf8: (text) => encoder.encode(text),
  isUtf8,
  crc32,
  currentYear,
})

const encoder = new TextEncoder()
/** `ignoreBOM` keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT_BYTES) return decoder.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) {
    if (bytes[at] > 0x7f) return decoder.decode(bytes.subarray(start, end))
    text += String.fromCharCode(bytes[at])
  }
  return text
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** CRC-32 tables: entry `n` of table `t` is the checksum of the byte `n` followed by `t` zero bytes. */
const tables = makeTables()
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables

/**
 * CRC-32 as in ZIP (ISO 3309), continued from `seed`. Eight bytes a step: 900 MB/s, three times as fast as
 * byte by byte. The tables are signed: unsigned entries above 2^31 would be floating-point numbers.
 */
function crc32(bytes: Uint8Array, seed: number): number {
  let crc = ~seed
  let at = 0
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    crc =
      t7[crc & 255] ^
      t6[(crc >>> 8) & 255] ^
      t5[(crc >>> 16) & 255] ^
      t4[crc >>> 24] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]]
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]) & 255]
  return ~crc >>> 0
}

function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc
  })
  const all = [first]
  while (all.length < 8) all.push(all[all.length - 1].map((crc) => (crc >>> 8) ^ first[crc & 255]))
  return all
}

/** Bytes → raw deflate (RFC 1951), by the browser itself, at its own level: about that of zlib's default. */
const deflateRaw = (plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  throughStream(plain, new CompressionStream('deflate-raw'))

/**
 * Raw deflate (RFC 1951), three times as fast as in JavaScript; the content security policy allows no
 * WebAssembly. Throws on damaged data, on bytes after the end, and what `compressed` throws. zlib ignores
 * such bytes, but none of 1,118 parts of real workbooks has them, and this check does not stop the upload.
 */
const inflateRaw = (compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  throughStream(compressed, new DecompressionStream('deflate-raw'))

/** Bytes that are written at once; inflated, they are up to a thousand times as many. */
const STEP = 16 * 1024

/** Sends bytes through a stream of the browser. Throws what the stream throws, and what `chunks` throws. */
async function* throughStream(
  chunks: AsyncIterable<Uint8Array>,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
  const reader = readable.getReader()
  const written = writeAll(chunks, writable.getWriter())
  // Awaited below, or the reader throws the same error before.
  written.catch(() => {})
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    await written
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function writeAll(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<void> {
  try {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += STEP)
        // A copy: a stream may read it only after the next chunk was asked for, as Node's does.
        await writer.write(chunk.slice(at, at + STEP) as Uint8Array<ArrayBuffer>)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
}
