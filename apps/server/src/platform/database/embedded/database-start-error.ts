/** The message says why and what to do; a terminal shows it without stack. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError'
}

/** PostgreSQL has several sentences for that. */
export const isDiskFull = (output: string): boolean =>
  /no space left|disk quota|check free disk space/i.test(output)
