import { submissionMessages } from '@veridict/contract/messages/submissions'
import { correctableOf, isOfStructure } from '@veridict/contract/model/cause'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { WrittenChoice } from '@veridict/contract/notation/correction-answers'
import { correctedName } from '@veridict/contract/notation/corrected-name'
import type { ErrorFileKind } from '@veridict/engine-node'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { sourcePath, type StoredFile } from '#platform/storage/storage.ts'
import { type LocalFileToValidate, type Requester, ValidatorError } from '#platform/validator/validator.ts'
import { AppError, badRequest, notFound, unavailable } from '#errors.ts'
import { personKey, type Uploader } from '#platform/access/viewer.ts'
import { findDictionaryOf } from '#dictionaries/dictionaries.ts'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { hasSource, storageRefusal } from '#platform/storage/storage-refusal.ts'
import { generatedCopyName, generatedErrorFileName } from '#submissions/generated-error-files.ts'
import { findReportedSubmission } from '#submissions/read-errors.ts'
import { restoreSource } from '#submissions/target-path.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'validator' | 'generatedFiles' | 'env' | 'log' | 'caller'>

type FileKind = ErrorFileKind | 'corrected' | 'source'

/** See docs/BEHAVIOUR.md#error-types. */
function hasFile({ status, errorType, warningCount, fileProblem }: SubmissionRow, kind: FileKind): boolean {
  const isErrorFile = kind === 'errors' || kind === 'highlighted'
  if (status === IngestionSuccess) return isErrorFile && (warningCount ?? 0) > 0
  if (kind === 'source') return true
  const isStructure = errorType === ErrorType.Columns || errorType === ErrorType.ColumnOrder
  if (kind === 'corrected' && errorType !== ErrorType.RowErrors)
    return (fileProblem?.causes ?? []).some((cause) => correctableOf(cause) !== 'no')
  return errorType === ErrorType.RowErrors || (isStructure && kind === 'highlighted')
}

const { IngestionSuccess } = SubmissionStatus

/**
 * From the cache or made now; the caller closes it. Throws 404 if the viewer may not see it, or file or
 * source are missing; 503 if it could not be generated or the storage is not available.
 */
export async function openErrorFile(id: number, kind: ErrorFileKind, viewer: Uploader, deps: Needs) {
  const submission = await findWithSource(id, kind, viewer, deps)
  const name = generatedErrorFileName(submission.storageKey, kind)
  const requester = requesterOf(submission, viewer)
  const file = await open(submission, { kind, name }, deps, (file, outputPath) =>
    deps.validator.run('writeErrorFile', { kind, file, outputPath }, { requester }),
  )
  return { fileName: errorFileName(submission.fileName, kind), file }
}

/** Throws as `openErrorFile` does, 404 for a cause that the file does not have, 400 for a wrong answer. */
export async function openCorrectedFile(id: number, choice: WrittenChoice, viewer: Uploader, deps: Needs) {
  const submission = await findWithSource(id, 'corrected', viewer, deps)
  const { storageKey, fileName, fileKind } = submission
  const causes = choice.causes ?? []
  // Further causes appear once the structure is right.
  if (!causes.some(isOfStructure) && causes.some((cause) => isSurelyUnknown(cause, submission)))
    throw notFound('Cause')
  const name = generatedCopyName(storageKey, choice, fileKind)
  const requester = requesterOf(submission, viewer)
  const file = await open(submission, { kind: 'corrected', name }, deps, (file, outputPath) =>
    deps.validator.run('writeCorrectedFile', { choice, file, outputPath }, { requester }),
  )
  return { fileName: correctedName(fileName), file }
}

/** The uploaded bytes. Throws 404 as `openErrorFile` does, 503 while the storage is not available. */
export async function openSourceFile(id: number, viewer: Uploader, deps: Needs): Promise<StoredFile> {
  const submission = await findWithSource(id, 'source', viewer, deps)
  await recordDownload(submission, 'source', deps)
  const { fileName, bytes } = submission
  return { fileName, bytes, content: readSource(submission, deps) }
}

async function* readSource({ storageKey }: SubmissionRow, { storage }: Needs): AsyncIterable<Uint8Array> {
  try {
    yield* storage.read(sourcePath(storageKey))
  } catch (error) {
    throw storageRefusal(error)
  }
}

/** If not all causes are stored, only reading the file can show that it does not have this one. */
const isSurelyUnknown = (cause: string, { causeCounts, causesCount }: SubmissionRow): boolean =>
  causeCounts !== null &&
  causeCounts.length === causesCount &&
  causeCounts.every(([known]) => known !== cause)

/** `name`: in the cache. The caller gets the file only if the entry of the audit trail could be written. */
async function open(
  submission: SubmissionRow,
  { kind, name }: { kind: FileKind; name: string },
  deps: Needs,
  write: (source: LocalFileToValidate, path: string) => Promise<void>,
) {
  const file = await deps.generatedFiles
    .open(name, (path) => useSource(submission, deps, (source) => write(source, path)))
    .catch((error: unknown) => refuse(error, submission, deps))
  try {
    await recordDownload(submission, kind, deps)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function recordDownload(submission: SubmissionRow, kind: FileKind, deps: Needs): Promise<void> {
  const { id, fileName: subject, companyId } = submission
  const detail = onlyAfter({ submission: id, kind })
  const entry = { action: 'file.downloaded', subject, companyId, detail } as const
  await inTransaction(deps.db, (trx) => recordAudit(entry, trx, deps))
}

const requesterOf = ({ companyId }: SubmissionRow, viewer: Uploader): Requester => ({
  party: companyId,
  person: personKey(viewer),
})

/** The submission, if its error file can be made; else throws 404. */
async function findWithSource(id: number, kind: FileKind, viewer: Uploader, deps: Needs) {
  const submission = await findReportedSubmission(id, viewer, deps)
  if (!hasFile(submission, kind)) throw new AppError(404, submissionMessages.noErrorFile)
  if (submission.status === IngestionSuccess) return submission
  if (submission.sourceDeletedAt !== null || !(await hasSource(submission, deps.storage))) throw sourceGone()
  return submission
}

const sourceGone = () => new AppError(404, submissionMessages.sourceGone)

/**
 * For generating only: a large dictionary takes as long as many calls. An accepted file's source is copied
 * back from the company's folder, if it is still there; the sweep deletes it again.
 */
async function useSource(
  submission: SubmissionRow,
  { db, storage }: Needs,
  use: (source: LocalFileToValidate) => Promise<void>,
): Promise<void> {
  const { fileName, storageKey, status } = submission
  if (status === IngestionSuccess && !(await restoreSource(submission, { db, storage }))) throw sourceGone()
  const dictionary = await findDictionaryOf(db, submission)
  await storage.useFile(sourcePath(storageKey), (path) => use({ fileName, ...dictionary, path }))
}

function refuse(error: unknown, { id }: SubmissionRow, { log }: Needs): never {
  if (!(error instanceof ValidatorError)) throw storageRefusal(error)
  if (error.reason === 'unreadable')
    throw new AppError(404, submissionMessages.errorFileNotPossible(error.message))
  if (error.reason === 'unknownCause') throw notFound('Cause')
  if (error.reason === 'wrongAnswer') throw badRequest(error.message)
  log.error({ err: error, submissionId: id }, 'an error file could not be generated')
  throw unavailable()
}

/** `<base>_errors.xlsx`, `<base>_highlighted.xlsx`. */
const errorFileName = (fileName: string, kind: ErrorFileKind): string =>
  `${fileName.replace(/\.[^.]*$/, '')}_${kind}.xlsx`
