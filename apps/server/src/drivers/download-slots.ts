import { noticeMessages } from '@veridict/contract/messages/notices'
import { tooManyRequests } from '#errors.ts'

/** Downloads in flight, counted by person: each server for itself, in memory. */
export type DownloadSlots = {
  /** Takes a slot of the person; returns what gives it back. Throws 429 when all are taken. */
  take(person: string): () => void
  /** A client that takes no byte for this long loses its download. */
  readonly stalledMilliseconds: number
}

/** Large files take minutes, small ones less than a second. */
const RETRY_SECONDS = 5

export function createDownloadSlots(settings: {
  perPerson: number
  stalledMilliseconds: number
}): DownloadSlots {
  const { perPerson, stalledMilliseconds } = settings
  const taken = new Map<string, number>()
  return {
    stalledMilliseconds,
    take(person) {
      const before = taken.get(person) ?? 0
      if (before >= perPerson)
        throw tooManyRequests(RETRY_SECONDS, noticeMessages.tooManyDownloads(perPerson))
      taken.set(person, before + 1)
      return () => {
        const left = (taken.get(person) ?? 0) - 1
        if (left > 0) taken.set(person, left)
        else taken.delete(person)
      }
    },
  }
}
