import { pipeline, Readable } from 'node:stream'
import { createDeflateRaw, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib'

const KIB = 1024
const MIB = 1024 * KIB
/** Of compressed bytes. Streams took a small workbook of several parts a fifth of its time. */
const SMALL = 64 * KIB
/** Of compressed bytes. Below, larger chunks would cost a workbook 4 %; above, they save 2 to 4 %. */
const LARGE = 2 * MIB

/** After each, this thread starts zlib's next chunk: with pieces of a chunk, a workbook took 4 % longer. */
const PIECE = 256 * KIB

/** Twice as many are more than the read-ahead. */
const FREED_BYTES = 4 * MIB

/** Level 1: half the time of level 6 for a tenth more bytes, in files that are downloaded once. */
const deflateOptions = { level: 1, chunkSize: 256 * KIB, readableHighWaterMark: 1 * MIB }

/**
 * Raw deflate (RFC 1951) → bytes. Throws on damaged data. A chunk is freed when the next one is asked for:
 * the garbage collector would let 40 MB wait, and each new one took the time of inflating a fifth of it.
 */
export async function* inflate(packed: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const input = size > SMALL ? packed : await Array.fromAsync(packed, (chunk) => Uint8Array.from(chunk))
  const maxOutputLength = size > LARGE ? MIB : 512 * KIB
  try {
    if (Array.isArray(input)) return yield inflateRawSync(Buffer.concat(input), { maxOutputLength })
  } catch {
    // It is large, or damaged: a stream returns what precedes the damage.
  }
  // Once a block of so many bytes was freed, glibc keeps up to twice as many free bytes of the process for
  // further blocks (`M_MMAP_THRESHOLD` in mallopt(3)). Else it returned chunks that had waited to be read,
  // and the next ones took new pages.
  Buffer.allocUnsafeSlow(FREED_BYTES).buffer.transfer(0)
  // Large steps and read-ahead: the default 16 KiB makes inflating and scanning take turns.
  const options = { chunkSize: maxOutputLength, readableHighWaterMark: 4 * MIB }
  const inflater = createInflateRaw(options)
  feed(inflater, input).catch((error: Error) => inflater.destroy(error))
  for await (const chunk of inflater as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      yield chunk.subarray(at, at + PIECE)
      await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    // Into a buffer that is not full, zlib writes on.
    if (chunk.byteOffset + chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0)
  }
}

/** Asks for a chunk when zlib has read the one before, and for no more when nobody reads the result. */
async function feed(inflater: InflateRaw, packed: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> {
  for await (const chunk of packed) {
    await new Promise((resolve) => void inflater.write(chunk, resolve))
    if (inflater.destroyed) return
  }
  inflater.end()
}

/** Bytes → raw deflate. A failure of either side ends both and is thrown to the reader. */
export const deflate = (plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(plain, { highWaterMark: 16 }), createDeflateRaw(deflateOptions), () => {})
