import { randomBytes, randomUUID } from 'node:crypto'

/** Random ids of sessions, storage keys and e-mails, and secrets of links. */
export type Ids = {
  uuid(): string
  /** 256 random bits in base64url, for secrets. */
  secret(): string
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
}
