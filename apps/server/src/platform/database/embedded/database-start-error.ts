/**
 * The database cannot be used by this version, or the embedded one cannot start. The message says why and
 * what to do; a terminal shows it without stack.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError'
}

/** Whether PostgreSQL's output reports a full disk; it has several sentences for that. */
export const isDiskFull = (output: string): boolean =>
  /no space left|disk quota|check free disk space/i.test(output)
