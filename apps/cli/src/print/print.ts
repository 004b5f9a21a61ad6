/**
 * Writes to stdout. A reader that closes it early, such as `| head`, causes no error: the rest is dropped,
 * and error files are still written.
 */
export function print(text: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', throwUnlessClosed)
  process.stdout.write(text)
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
