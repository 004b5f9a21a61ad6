import { throughStream } from './through-stream.ts'

/** Bytes → raw deflate (RFC 1951), by the browser itself, at its own level: about that of zlib's default. */
export const deflateRaw = (plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  throughStream(plain, new CompressionStream('deflate-raw'))
