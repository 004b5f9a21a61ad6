import type { Deps } from '#deps.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { sha256Of } from '#platform/storage/chunks.ts'
import { isMissing, StorageUnavailableError, systemCode, type Storage } from '#platform/storage/storage.ts'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import { findValidatedAt } from '#submissions/submission-moves.ts'

export const sideFilePath = (targetPath: string): string => `${targetPath}.json`

type SideFile = Awaited<ReturnType<typeof sideFileOf>>

/** Equal in every run, so that `storage.put` can be repeated. `validatedAt`: null: from the history. */
export async function sideFileOf(
  submission: SubmissionRow,
  targetPath: string,
  validatedAt: Date | null,
  db: Deps['db'],
) {
  const [dictionary, at] = await Promise.all([
    findWholeVersion(db, submission.dictionaryVersionId),
    validatedAt ?? findValidatedAt(db, submission.id),
  ])
  return {
    submissionId: submission.id,
    file: targetPath.split('/').at(-1),
    originalFileName: submission.fileName,
    bytes: submission.bytes,
    sha256: submission.sha256,
    rows: submission.recordsCount,
    dictionary: { name: dictionary.name, version: dictionary.revision },
    uploadedAt: submission.createdAt.toISOString(),
    validatedAt: at?.toISOString() ?? null,
  }
}

/** The columns of a submission that its files are compared with. */
export type Ingestable = Pick<SubmissionRow, 'id' | 'sha256' | 'createdAt'>

/** Whether both files of this submission exist at the path; only the times in the side file may differ. */
export const isIngestedAt = async (
  path: string,
  submission: Ingestable,
  storage: Storage,
): Promise<boolean> =>
  (await describes(path, submission, storage)) === true && (await hasBytesOf(path, submission, storage))

/** No run uses the path again. Keeps files of other submissions. Returns whether there were any. */
export async function deleteFilesOfFailedRun(
  path: string,
  submission: Ingestable,
  storage: Storage,
): Promise<boolean> {
  const isDescribed = await describes(path, submission, storage)
  if (isDescribed === false) return false
  const isOurs = await hasBytesOf(path, submission, storage)
  if (!isOurs && (isDescribed === null || (await storage.exists(path)))) return false
  await storage.delete(sideFilePath(path))
  await storage.delete(path)
  return true
}

async function hasBytesOf(path: string, { sha256 }: Ingestable, storage: Storage): Promise<boolean> {
  try {
    return (await sha256Of(storage.read(path))) === sha256
  } catch (error) {
    if (isMissing(error) || systemCode(error) === 'EISDIR') return false
    throw error
  }
}

/** Whether the side file at the path is of this submission; null if there is none. */
async function describes(path: string, submission: Ingestable, storage: Storage): Promise<boolean | null> {
  try {
    const { submissionId, sha256, uploadedAt } = await readSideFile(sideFilePath(path), storage)
    return (
      submissionId === submission.id &&
      sha256 === submission.sha256 &&
      uploadedAt === submission.createdAt.toISOString()
    )
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'EISDIR') return false
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether a file is the side file of a submission that the database may not know; false if unreadable. */
export async function isSideFileOf(id: number, path: string, storage: Pick<Storage, 'read'>) {
  try {
    const { submissionId, file, sha256 } = await readSideFile(path, storage)
    return submissionId === id && typeof sha256 === 'string' && path.endsWith(`/${file}.json`)
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return false
  }
}

/** Ours have less than 2 KiB. */
const MAX_BYTES = 64 * 1024

async function readSideFile(path: string, storage: Pick<Storage, 'read'>): Promise<Partial<SideFile>> {
  let content = Buffer.alloc(0)
  for await (const chunk of storage.read(path)) {
    content = Buffer.concat([content, chunk])
    if (content.length > MAX_BYTES) throw new SyntaxError(`${path} is too long for a side file`)
  }
  return (JSON.parse(content.toString()) ?? {}) as Partial<SideFile>
}
