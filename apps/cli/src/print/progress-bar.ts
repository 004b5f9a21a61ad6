const WIDTH = 40

/** A bar on a terminal; silent elsewhere. `clear` must be called before anything else is printed. */
export function progressBar(stream: NodeJS.WriteStream): {
  show?: (done: number, size: number) => void
  clear: () => void
} {
  if (!stream.isTTY) return { clear: () => {} }
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
