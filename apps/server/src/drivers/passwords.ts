import { hash, verify, type Options } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP recommends first (19 MiB, 2 passes, 1 lane). */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes the same time without a hash (unknown e-mail, invitation not accepted), and is then false. */
  matches(password: string, passwordHash: string | null): Promise<boolean>
}

/**
 * Passwords are hashed in full (not cut at 72 bytes) after NFKC, so that another keyboard or system gives the
 * same password (NIST 800-63B). Hashing runs on libuv's threads, never on the event loop.
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
