import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'

const WORKER = new URL('./password-worker.ts', import.meta.url).href
/** Half the processors: a flood of logins leaves the other half to other work. */
const THREADS = Math.max(1, Math.floor(availableParallelism() / 2))
/** Hashing yields to all other work (`nice`); a login may wait, requests of others may not. */
const NICE_INCREMENT = 10

/**
 * Hashes all of a password (not cut at 72 bytes) after NFKC, so that another keyboard gives the same one
 * (NIST 800-63B). In its own threads: in libuv's four, 800 logins kept files and look-ups waiting for 10 s.
 */
export function createPasswords() {
  const pool = new Piscina({
    filename: WORKER,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: 60_000,
    niceIncrement: NICE_INCREMENT,
    atomics: 'disabled',
  })
  const hash = (password: string): Promise<string> => pool.run(password.normalize('NFKC'), { name: 'hash' })
  let dummyHash: Promise<string> | undefined
  return {
    /** How many can be hashed at the same time. */
    threads: THREADS,
    hash,
    /** Takes the same time without a hash (unknown e-mail, invitation not accepted), and is then false. */
    async matches(password: string, passwordHash: string | null): Promise<boolean> {
      dummyHash ??= hash('no account has this password')
      const task = { password: password.normalize('NFKC'), passwordHash: passwordHash ?? (await dummyHash) }
      const matched: boolean = await pool.run(task, { name: 'matches' })
      return matched && passwordHash !== null
    },
    close: () => pool.destroy(),
  }
}
export type Passwords = ReturnType<typeof createPasswords>
