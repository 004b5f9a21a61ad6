import { z } from 'zod'
import { submissionStatus } from './submissions.ts'

/** Live status over a web socket. See docs/BEHAVIOUR.md#live-status. */
export const livePath = '/ws'

/** First message of the client; the user is taken from the token, and `UserId` must agree with it. */
export const liveHandshake = z.object({
  /** A missing key is treated as a wrong key (4401), not as a malformed message. */
  ApiKey: z.string().default(''),
  ClientRole: z.literal('Consumer'),
  UserId: z.union([z.string(), z.number()]).transform(String),
  AccessToken: z.string().default(''),
})
export type LiveHandshake = z.output<typeof liveHandshake>

/** What the server pushes. A message without all three keys is ignored by clients. */
export const statusPush = z.object({
  FileId: z.int(),
  FilesStatus: submissionStatus,
  RecordCount: z.int().nullable(),
})
export type StatusPush = z.infer<typeof statusPush>

export const liveCloseCodes = {
  /** Key or token missing, wrong or expired; also log-out and deletion of the user. */
  unauthorized: 4401,
  /** Anything that is not a handshake. */
  badMessage: 4400,
  /** No handshake within `liveTimes.handshake`. */
  handshakeTimeout: 4408,
} as const
