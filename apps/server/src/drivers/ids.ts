import { randomBytes, randomUUID } from 'node:crypto'

/** Fresh names: ids of sessions, leases, storage keys and mails, and secrets of links. */
export type Ids = {
  uuid(): string
  /** 256 random bits in base64url, for what must not be guessed. */
  secret(): string
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
}
