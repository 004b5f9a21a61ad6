import type { SessionItem } from '@veridict/contract/api/session'
import type { SessionRow } from '#db/tables.ts'
import type { Viewer } from '#policies/viewer.ts'

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
