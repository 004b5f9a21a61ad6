import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Deps } from '#deps.ts'
import { sumSourceBytes, sumUnstoredBytes } from '#submissions/submission-sources.ts'
import type { UploadPart } from '#platform/storage/receive-upload.ts'
import { reservedBytes, storageFull, storageRefusal } from '#platform/storage/storage-refusal.ts'

const MIB = 1024 * 1024
type Disk = Pick<Deps, 'storage' | 'env' | 'log'>

/** Bytes that uploads may take of the disk of the storage: without what the setting reserves. */
async function findFreeSpace({ storage, env }: Disk): Promise<number> {
  const space = await storage.space().catch((error: unknown) => {
    throw storageRefusal(error)
  })
  if (space === null) return Infinity
  return space.free - reservedBytes(space.total, env.minFreeSpaceMegabytes)
}

/** Throws 507 while the storage's disk has less free space than the setting reserves. */
export async function checkFreeSpace(deps: Disk): Promise<void> {
  const free = await findFreeSpace(deps)
  if (free < 0) throw diskFull(free, deps)
}

function diskFull(freeBytes: number, { log }: Disk): Error {
  log.error({ freeBytes }, 'an upload was refused: the storage is almost full')
  return storageFull()
}

/** How many bytes an upload receives between two checks of the free space. */
const UNCHECKED_BYTES = 4 * MIB

/**
 * The parts of an upload. Reading their bytes throws 507 as soon as the disk has less free space than the
 * setting reserves: when a hundred uploads begin at once, each of them finds enough at first.
 */
export async function* leavingFreeSpace(
  parts: AsyncIterable<UploadPart>,
  deps: Disk,
): AsyncGenerator<UploadPart> {
  for await (const part of parts)
    yield part.kind === 'field' ? part : { ...part, content: checked(part.content, deps) }
}

async function* checked(content: AsyncIterable<Uint8Array>, deps: Disk): AsyncGenerator<Uint8Array> {
  let unchecked = 0
  for await (const chunk of content) {
    unchecked += chunk.length
    if (unchecked >= UNCHECKED_BYTES) {
      await checkFreeSpace(deps)
      unchecked = 0
    }
    yield chunk
  }
}

/**
 * Runs `record` if there is room for `bytes` more in the company's quota, and on the disk beside the copies
 * that all files which are not stored yet will need in their companies' folders; else throws 507. It is exact
 * for the uploads of one server; uploads to other servers count some seconds after they are recorded.
 */
export async function withinSpace<T>(
  companyId: number,
  bytes: number,
  deps: Pick<Deps, 'db' | 'limits'> & Disk,
  record: () => Promise<T>,
): Promise<T> {
  const { db, limits, env } = deps
  const megabytes = env.companyQuotaMegabytes
  const withinQuota = () =>
    limits.sourceBytes.run(String(companyId), {
      amount: bytes,
      quota: megabytes * MIB,
      readUsed: () => sumSourceBytes(db, companyId),
      refusal: () => storageFull(uploadMessages.quotaReached(megabytes)),
      work: record,
    })
  const work = megabytes === 0 ? record : withinQuota
  const free = await findFreeSpace(deps)
  if (free === Infinity) return work()
  return limits.sourceBytes.run('copies', {
    amount: bytes,
    quota: free,
    readUsed: () => sumUnstoredBytes(db),
    refusal: () => diskFull(free, deps),
    work,
  })
}
