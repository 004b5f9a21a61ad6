// Not imported: an import evaluates all exports of node:fs, streams included, and adds 2 ms to every start.
const { fstatSync, statSync } = process.getBuiltinModule('node:fs')

const STDERR = 2
const WIDTH = 40

/** A bar on stderr; silent unless that is a terminal. `clear` must be called before anything is printed. */
export function progressBar(): {
  show?: (done: number, size: number) => void
  clear: () => void
} {
  if (!mayBeTerminal() || !process.stderr.isTTY) return { clear: () => {} }
  const stream = process.stderr
  let shown = -1
  return {
    show: (done, size) => {
      const filled = Math.floor((WIDTH * done) / size)
      if (filled === shown) return
      shown = filled
      stream.write(
        `\r[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${Math.floor((100 * done) / size)} %`,
      )
    },
    clear: () => {
      if (shown >= 0) stream.write(`\r${' '.repeat(WIDTH + 10)}\r`)
    },
  }
}

/** Asked first, because the stream `process.stderr` costs a start 4 ms. */
function mayBeTerminal(): boolean {
  const device = fstatSync(STDERR)
  return device.isCharacterDevice() && device.rdev !== statSync('/dev/null').rdev
}
