// Not imported: an import evaluates all exports of node:fs, streams included, and adds 2 ms to every start.
const { writeSync } = process.getBuiltinModule('node:fs')

const STDOUT = 1

/** Whether the rest of the output goes through the stream `process.stdout`. */
let isStreamed = false

/**
 * Writes to stdout. A reader that closes it early, such as `| head`, causes no error: the rest is dropped,
 * and error files are still written. The stream `process.stdout` costs a start 4 to 8 ms, so it is used only
 * where a pipe does not wait for its reader (EAGAIN).
 */
export function print(text: string): void {
  const bytes = Buffer.from(text)
  const written = isStreamed ? 0 : writeNow(bytes)
  if (written < bytes.length) writeToStream(bytes.subarray(written))
}

/** Returns how many bytes were written, or can be dropped. */
function writeNow(bytes: Uint8Array): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(STDOUT, bytes, written)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') return bytes.length
    if (code !== 'EAGAIN') throw error
  }
  return written
}

function writeToStream(bytes: Uint8Array): void {
  if (!isStreamed) process.stdout.on('error', throwUnlessClosed)
  isStreamed = true
  process.stdout.write(bytes)
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
