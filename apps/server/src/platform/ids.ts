import { randomBytes, randomUUID } from 'node:crypto'

/** Random ids of sessions, storage keys and e-mails, and secrets of links. */
export const randomIds = {
  uuid: (): string => randomUUID(),
  /** 256 random bits in base64url, for secrets. */
  secret: () => randomBytes(32).toString('base64url'),
}
export type Ids = typeof randomIds
