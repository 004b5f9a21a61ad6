import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { tooManyRequests } from '#errors.ts'

/** Downloads in flight, counted by person over all servers. */
export type DownloadSlots = {
  /** Takes a slot of the person; settles with what gives it back. Throws 429 when all are taken. */
  take(person: string): Promise<() => void>
  /** A client that takes no byte of a reply for this long is cut. */
  readonly stalledMilliseconds: number
}

/** A slot is taken for some seconds and renewed while its server runs. */
export type SlotStore = {
  /** False if the person has no free slot. */
  take(slot: Slot, limits: { perPerson: number; seconds: number }): Promise<boolean>
  renew(ids: readonly string[], seconds: number): Promise<void>
  free(slot: Slot): Promise<void>
}
type Slot = { id: string; person: string }

/** Large files take minutes, small ones less than a second. */
const RETRY_SECONDS = 5
/** The slots of a killed server end after this time. */
export const SLOT_SECONDS = 30
const RENEWAL_MILLISECONDS = 10_000
/** A client that just finished a download on another server may be faster than that server's statement. */
const SECOND_TRY_MILLISECONDS = 100

export function createDownloadSlots(
  settings: { perPerson: number; stalledMilliseconds: number },
  store: SlotStore,
): DownloadSlots {
  const { perPerson, stalledMilliseconds } = settings
  const taken = new Set<string>()
  /** For each person, the end of the last release of a slot. */
  const freeing = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | null = null

  /** Without a database slots may end early; then a person has more downloads for a while. */
  const renew = () => void store.renew([...taken], SLOT_SECONDS).catch(() => {})

  const giveBack = (slot: Slot) => {
    taken.delete(slot.id)
    if (taken.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const { person } = slot
    const before = freeing.get(person)
    // A slot that cannot be given back is not renewed.
    const freed = Promise.all([before, store.free(slot).catch(() => {})]).then(() => {
      if (freeing.get(person) === freed) freeing.delete(person)
    })
    freeing.set(person, freed)
  }

  const tryTake = async (slot: Slot): Promise<boolean> => {
    await freeing.get(slot.person)
    return store.take(slot, { perPerson, seconds: SLOT_SECONDS })
  }

  return {
    stalledMilliseconds,
    async take(person) {
      const slot = { id: randomUUID(), person }
      if (!(await tryTake(slot))) {
        await sleep(SECOND_TRY_MILLISECONDS)
        if (!(await tryTake(slot)))
          throw tooManyRequests(RETRY_SECONDS, noticeMessages.tooManyDownloads(perPerson))
      }
      taken.add(slot.id)
      timer ??= setInterval(renew, RENEWAL_MILLISECONDS).unref()
      return () => giveBack(slot)
    },
  }
}
