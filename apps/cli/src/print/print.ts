/**
 * Writes to stdout. Whoever closes it before the end, as `| head` does, has read what he wanted: that is no
 * error, the rest is dropped, and error files are written all the same.
 */
export function print(text: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', throwUnlessClosed)
  process.stdout.write(text)
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
