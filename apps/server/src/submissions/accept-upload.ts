import { id } from '@veridict/contract/api/endpoint'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import { inTransaction, isRolledBack } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { AppError, badRequest, invalid } from '#errors.ts'
import { refuseStopped, refuseStoppedUploads } from '#platform/access/upload-stop.ts'
import { type CompanyViewer, type MayUpload, type TokenViewer, uploaderIds } from '#platform/access/viewer.ts'
import { lockCompanyDictionaryForShare } from '#dictionaries/company-dictionaries.ts'
import { insertSubmission } from '#submissions/submissions.ts'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { spanAttributes } from '#submissions/run-under-lease.ts'
import { toStatusEvent } from '#submissions/submission-moves.ts'
import { storageRefusal, reservedBytes, storageFull } from '#platform/storage/storage-refusal.ts'
import {
  receiveUpload,
  tableFiles,
  type ReceivedFile,
  type UploadPart,
} from '#platform/storage/receive-upload.ts'
import { sumSourceBytes, sumUnstoredBytes } from '#submissions/submission-sources.ts'

type Uploader = (
  | Pick<CompanyViewer, 'userId' | 'companyId' | 'name' | 'email'>
  | Pick<TokenViewer, 'tokenId' | 'companyId' | 'name'>
) &
  Partial<MayUpload>
type Needs = Pick<Deps, 'db' | 'storage' | 'bus' | 'ids' | 'limits' | 'env' | 'log' | 'caller' | 'tracing'>

/**
 * Stores the bytes, then row and history in one transaction, before the response: a client with a response
 * has a submission that will be processed. Throws AppError 400, 413, 415, 503 or 507 and keeps nothing then,
 * also when the client `disconnected` before the commit; the sweep deletes what is left.
 */
export async function acceptUpload(
  parts: AsyncIterable<UploadPart>,
  uploader: Uploader,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<SubmissionRow> {
  refuseStopped(uploader.uploadStop)
  await checkFreeSpace(deps)
  const { file, fields } = await deps.tracing.span('receive', () =>
    receiveUpload(leavingFreeSpace(parts, deps), tableFiles, (content) => deps.storage.stage(content)),
  )
  try {
    const dictionary = id.safeParse(fields['dataDictionaryId'])
    if (!dictionary.success) throw invalid('dataDictionaryId', uploadMessages.dictionaryRequired)
    return await withinSpace(uploader.companyId, file.taken.bytes, deps, () =>
      submitFile(file, dictionary.data, uploader, deps, disconnected),
    )
  } finally {
    await file.taken.discard()
  }
}

/** After a failed commit the row may exist, now or later; the bytes then stay for the sweep. */
async function submitFile(
  file: ReceivedFile,
  dictionary: number,
  uploader: Uploader,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<SubmissionRow> {
  const storageKey = deps.ids.uuid()
  let mayBeRecorded = false
  try {
    await deps.tracing.span('store', () => file.taken.keep(sourcePath(storageKey)))
    return await deps.tracing.span('commit', () =>
      inTransaction(deps.db, async (trx) => {
        mayBeRecorded = false
        const submission = await record(file, storageKey, dictionary, uploader, trx, deps)
        if (disconnected?.aborted) throw badRequest(uploadMessages.malformed)
        mayBeRecorded = true
        return submission
      }),
    )
  } catch (error) {
    // A failed deletion must not hide the first error; the sweep deletes the file then.
    const isUnknown = mayBeRecorded && !isRolledBack(error)
    if (!isUnknown) await deps.storage.delete(sourcePath(storageKey)).catch(() => {})
    throw isUnknown && isDatabaseDown(error) ? outcomeUnknown() : storageRefusal(error)
  }
}

/** Has no Retry-After: a program that retries might upload the file twice. */
const outcomeUnknown = () => new AppError(503, uploadMessages.outcomeUnknown)

async function record(
  { taken: { bytes, sha256 }, fileName, fileKind }: ReceivedFile,
  storageKey: string,
  dictionaryId: number,
  uploader: Uploader,
  trx: Trx,
  deps: Needs,
): Promise<SubmissionRow> {
  const { companyId } = uploader
  await lockCompanyDictionaryForShare(trx, companyId, dictionaryId)
  const submission = await insertSubmission(trx, {
    companyId,
    ...uploaderIds(uploader),
    uploadedByName: uploader.name,
    uploadedByEmail: 'email' in uploader ? uploader.email : null,
    dictionaryId,
    fileName,
    fileKind,
    bytes,
    sha256,
    storageKey,
    status: SubmissionStatus.Uploaded,
    traceparent: deps.tracing.traceparent(),
  })
  if (submission === undefined) {
    await refuseStoppedUploads(trx, companyId)
    throw invalid('dataDictionaryId', uploadMessages.dictionaryGone)
  }
  deps.tracing.note(spanAttributes(submission))
  const after = { submission: submission.id, dictionary: submission.dictionaryName, bytes, sha256 }
  const about = { subject: fileName, companyId, detail: onlyAfter(after) }
  await recordAudit({ action: 'file.uploaded', ...about }, trx, deps)
  await deps.bus.publish(toStatusEvent(submission), trx)
  return submission
}

const MIB = 1024 * 1024
type Disk = Pick<Deps, 'storage' | 'env' | 'log'>

/** The free bytes of the storage's disk, without what the setting reserves. */
async function findFreeSpace({ storage, env }: Disk): Promise<number> {
  const space = await storage.space().catch((error: unknown) => {
    throw storageRefusal(error)
  })
  if (space === null) return Infinity
  return space.free - reservedBytes(space.total, env.minFreeSpaceMegabytes)
}

/** Throws 507 while the storage's disk has less free space than the setting reserves. */
async function checkFreeSpace(deps: Disk): Promise<void> {
  const free = await findFreeSpace(deps)
  if (free < 0) throw diskFull(free, deps)
}

function diskFull(freeBytes: number, { log }: Disk): Error {
  log.error({ freeBytes }, 'an upload was refused: the storage is almost full')
  return storageFull()
}

/** Bytes between two checks of the free space. */
const UNCHECKED_BYTES = 4 * MIB

/** Throws 507 also while bytes are read: when a hundred uploads begin at once, each finds enough at first. */
async function* leavingFreeSpace(parts: AsyncIterable<UploadPart>, deps: Disk): AsyncGenerator<UploadPart> {
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
 * Throws 507 if `bytes` exceed the company's quota, or the disk beside the copies of all unstored files.
 * Exact within one server; uploads to others count seconds after they are recorded.
 */
async function withinSpace<T>(
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
