/** Throws if it cannot be written: `console.log` ignores a full disk. A closed output is no error. */
export const printLine = (line: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // The callback has the error; without a listener it would be thrown as well.
    process.stdout.once('error', () => {})
    process.stdout.write(`${line}\n`, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
      else resolve()
    })
  })
