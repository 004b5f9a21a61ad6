/** Bytes that are inflated at once, into at most a thousand times as many. */
const STEP = 16 * 1024

/**
 * Raw deflate (RFC 1951) → bytes, by the browser itself: three times as fast as in JavaScript, and the
 * content security policy allows no WebAssembly. Throws on damaged data, and what `compressed` throws. Unlike
 * zlib it also throws on bytes after the end of the stream; none of 1,118 parts of real workbooks has any.
 */
export async function* inflateRaw(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const reader = readable.getReader()
  const written = writeAll(compressed, writable.getWriter())
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
        await writer.write(chunk.subarray(at, at + STEP) as Uint8Array<ArrayBuffer>)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
}
