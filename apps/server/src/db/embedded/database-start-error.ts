/**
 * The embedded database cannot start; the message says why and what to do, and is meant for a terminal (no
 * stack needed).
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError'
}

/** Whether PostgreSQL's output tells of a full disk; it has several words for it. */
export const isDiskFull = (output: string): boolean =>
  /no space left|disk quota|check free disk space/i.test(output)
