import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Deps } from '#deps.ts'
import { sumSourceBytes } from '#submissions/submission-sources.ts'
import type { UploadPart } from '#platform/storage/receive-upload.ts'
import { storageFull, storageRefusal } from '#platform/storage/storage-refusal.ts'

const MIB = 1024 * 1024
/** A limit for the setting, which on a small disk could refuse everything. */
const MAX_SHARE = 0.05

/** Throws 507 while the storage's disk has less free space than the setting reserves. */
export async function checkFreeSpace({ storage, env, log }: Pick<Deps, 'storage' | 'env' | 'log'>) {
  const space = await storage.space().catch((error: unknown) => {
    throw storageRefusal(error)
  })
  if (space === null) return
  const least = Math.min(env.minFreeSpaceMegabytes * MIB, MAX_SHARE * space.total)
  if (space.free >= least) return
  log.error({ freeBytes: space.free, leastBytes: least }, 'an upload was refused: the storage is almost full')
  throw storageFull()
}

/** How many bytes an upload receives between two checks of the free space. */
const UNCHECKED_BYTES = 4 * MIB

/**
 * The parts of an upload. Reading their bytes throws 507 as soon as the disk has less free space than the
 * setting reserves: when a hundred uploads begin at once, each of them finds enough at first.
 */
export async function* leavingFreeSpace(
  parts: AsyncIterable<UploadPart>,
  deps: Pick<Deps, 'storage' | 'env' | 'log'>,
): AsyncGenerator<UploadPart> {
  for await (const part of parts)
    yield part.kind === 'field' ? part : { ...part, content: checked(part.content, deps) }
}

async function* checked(
  content: AsyncIterable<Uint8Array>,
  deps: Pick<Deps, 'storage' | 'env' | 'log'>,
): AsyncGenerator<Uint8Array> {
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
 * Runs `record` if the company's quota has room for `bytes` more, else throws 507. It is exact for the
 * uploads of one server; uploads to other servers count some seconds after they are recorded.
 */
export async function withinQuota<T>(
  companyId: number,
  bytes: number,
  { db, limits, env }: Pick<Deps, 'db' | 'limits' | 'env'>,
  record: () => Promise<T>,
): Promise<T> {
  const megabytes = env.companyQuotaMegabytes
  if (megabytes === 0) return record()
  return limits.sourceBytes.run(String(companyId), {
    amount: bytes,
    quota: megabytes * MIB,
    readUsed: () => sumSourceBytes(db, companyId),
    refusal: () => storageFull(uploadMessages.quotaReached(megabytes)),
    work: record,
  })
}
