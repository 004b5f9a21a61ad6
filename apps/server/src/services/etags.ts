import { createHash } from 'node:crypto'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { conflict } from '#errors.ts'

/**
 * The version of a thing is a digest of what its reader saw. It needs no column, and an update is refused
 * exactly when it would overwrite something that its sender has not seen. 96 bits: long enough never to
 * collide, short enough to read in a log.
 */
export function etagOf(seen: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 16)
}

/**
 * Throws 409 when the update comes from someone who saw another version; an update without a version always
 * passes.
 */
export function refuseStale(seenEtag: string | null | undefined, currentVersion: string): void {
  if (seenEtag != null && seenEtag !== currentVersion) throw conflict(noticeMessages.changedMeanwhile)
}
