import { pipeline, Readable } from 'node:stream'
import { createDeflateRaw, createInflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib'

const KIB = 1024
const MIB = 1024 * KIB
/** Of compressed bytes. Streams took a small workbook of several parts a fifth of its time. */
const SMALL = 64 * KIB

/** After each, this thread starts zlib's next chunk: with pieces of a chunk, a workbook took 4 % longer. */
const PIECE = 256 * KIB

/** Of compressed bytes, 512 KiB each: many parts are only begun. */
const CHUNKS_AHEAD = 4

type StreamOptions = ZlibOptions & { readableHighWaterMark: number }
/** Large steps and read-ahead: the default 16 KiB makes inflating and scanning take turns. */
const inflateOptions: StreamOptions = { chunkSize: 512 * KIB, readableHighWaterMark: 4 * MIB }
/** Level 1: half the time of level 6 for a tenth more bytes, in files that are downloaded once. */
const deflateOptions: StreamOptions = { level: 1, chunkSize: 256 * KIB, readableHighWaterMark: 1 * MIB }

/**
 * Raw deflate (RFC 1951) → bytes. Throws on damaged data. A chunk is freed when the next one is asked for:
 * the garbage collector would let 40 MB wait, and each new one took the time of inflating a fifth of it.
 */
export async function* inflate(packed: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const input = size > SMALL ? packed : await Array.fromAsync(packed)
  try {
    const maxOutputLength = inflateOptions.chunkSize
    if (Array.isArray(input)) return yield inflateRawSync(Buffer.concat(input), { maxOutputLength })
  } catch {
    // It is large, or damaged: a stream returns what precedes the damage.
  }
  for await (const chunk of piped(input, createInflateRaw(inflateOptions), CHUNKS_AHEAD)) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      yield chunk.subarray(at, at + PIECE)
      await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    // Into a buffer that is not full, zlib writes on.
    if (chunk.byteOffset + chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0)
  }
}

/** Bytes → raw deflate. */
export const deflate = (plain: AsyncIterable<Uint8Array>) => piped(plain, createDeflateRaw(deflateOptions))

/** A failure of either side ends both and is thrown to the reader. */
function piped(
  from: AsyncIterable<Uint8Array> | Uint8Array[],
  through: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>,
  highWaterMark?: number,
): AsyncIterable<Uint8Array> {
  return pipeline(
    Readable.from(from, { objectMode: true, highWaterMark }),
    through,
    () => {},
  ) as unknown as AsyncIterable<Uint8Array>
}
