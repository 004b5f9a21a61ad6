import { hash, verify, type Options } from '@node-rs/argon2'

/** argon2id with OWASP's first choice of parameters (19 MiB, 2 passes, 1 lane). */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  hash(password: string): Promise<string>
  /**
   * Takes the same time when there is no hash (unknown e-mail, invitation not yet followed), and is then
   * always false.
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>
}

/**
 * Passwords are hashed whole (no cut at 72 bytes) after NFKC, so that one typed on another keyboard or system
 * is the same password (NIST 800-63B). Hashing runs on libuv's threads, never on the event loop.
 */
export function createPasswords(): Passwords {
  const hashOf = (password: string) => hash(password.normalize('NFKC'), parameters)
  let dummyHash: Promise<string> | undefined
  return {
    hash: hashOf,
    async matches(password, passwordHash) {
      dummyHash ??= hashOf('no account has this password')
      const matched = await verify(passwordHash ?? (await dummyHash), password.normalize('NFKC'))
      return matched && passwordHash !== null
    },
  }
}
