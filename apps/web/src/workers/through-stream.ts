/** Bytes that are written at once; inflated, they are up to a thousand times as many. */
const STEP = 16 * 1024

/** Sends bytes through a stream of the browser. Throws what the stream throws, and what `chunks` throws. */
export async function* throughStream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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
