/** The embedded database cannot start; the message says why and what to do, and is meant for a terminal (no stack needed). */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError'
}
