import { hashSync, verifySync, type Options } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP recommends first (19 MiB, 2 passes, 1 lane). */
const parameters: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What a thread of `passwords.ts` does. Synchronous: the asynchronous calls would use libuv's threads. */
export const hash = (password: string): string => hashSync(password, parameters)

export const matches = ({ password, passwordHash }: { password: string; passwordHash: string }): boolean =>
  verifySync(passwordHash, password)
