/** Writes a stream of bytes to a file. */
export async function writeBytes(bytes: AsyncIterable<Uint8Array>, outputPath: string): Promise<void> {
  // Loaded when needed: validation needs no streams.
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(bytes, createWriteStream(outputPath))
}
