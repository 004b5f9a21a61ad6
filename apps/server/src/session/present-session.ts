import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { logIn, SessionItem, UserTokens } from '@veridict/contract/api/session'
import type { SessionRow, UserRow } from '#platform/database/tables.ts'
import type { Viewer } from '#platform/access/viewer.ts'

export const presentLogin = ({ name, email }: UserRow, tokens: UserTokens): ReplyOf<typeof logIn> => ({
  userName: name,
  email,
  userTokens: tokens,
})

export const presentSession = (
  { id, device, address, createdAt, rotatedAt }: SessionRow,
  viewer: Viewer,
): SessionItem => ({
  id,
  device,
  address,
  createdAt: createdAt.toISOString(),
  lastUsedAt: rotatedAt.toISOString(),
  isCurrent: id === viewer.sessionId,
})
