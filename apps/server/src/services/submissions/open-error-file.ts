import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import type { GeneratedFile } from '#drivers/storage/file-cache.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import { ValidatorError, type ErrorFileKind } from '#drivers/validator/validator.ts'
import { AppError, unavailable } from '#errors.ts'
import type { CompanyViewer } from '#policies/viewer.ts'
import { findVersionFields } from '#repositories/dictionary-versions.ts'
import { hasSource } from '#services/submissions/storage-refusal.ts'
import { generatedErrorFileName } from '#services/submissions/generated-error-files.ts'
import { findFailedSubmission } from '#services/submissions/read-errors.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'validator' | 'generatedFiles' | 'env' | 'log'>

/** The error files of an error type. See docs/BEHAVIOUR.md#error-types. */
const kindsOf: Partial<Record<ErrorType, readonly ErrorFileKind[]>> = {
  [ErrorType.RowErrors]: ['errors', 'highlighted'],
  [ErrorType.Columns]: ['highlighted'],
  [ErrorType.ColumnOrder]: ['highlighted'],
}

const NOT_FOUND = 404

/**
 * Opens an error file, from the cache or generated now from the source and the frozen fields. The caller
 * closes it. Throws 404 for a submission that the viewer may not see, and if there is no such file or its
 * source cannot be read; 503 if it could not be generated or the storage is not available.
 */
export async function openErrorFile(
  id: number,
  kind: ErrorFileKind,
  viewer: CompanyViewer,
  deps: Needs,
): Promise<GeneratedFile> {
  const submission = await findFailedSubmission(id, viewer, deps)
  if (!kindsOf[submission.errorType ?? ErrorType.ProcessingFailed]?.includes(kind)) {
    throw new AppError(NOT_FOUND, submissionMessages.noErrorFile)
  }
  if (submission.sourceDeletedAt !== null || !(await hasSource(submission, deps.storage))) {
    throw new AppError(NOT_FOUND, submissionMessages.sourceGone)
  }
  const fields = await findVersionFields(deps.db, submission.dictionaryVersionId)
  const checked = {
    path: deps.storage.localPath(sourcePath(submission.storageKey)),
    fileName: submission.fileName,
    fields,
  }
  const file = await deps.generatedFiles
    .open(generatedErrorFileName(submission.storageKey, kind), (path) =>
      deps.validator.writeErrorFile(kind, checked, path),
    )
    .catch((error: unknown) => refuse(error, submission, deps))
  return { fileName: errorFileName(submission.fileName, kind), file }
}

function refuse(error: unknown, { id }: SubmissionRow, { log }: Needs): never {
  if (!(error instanceof ValidatorError)) throw error
  if (error.reason === 'unreadable')
    throw new AppError(NOT_FOUND, submissionMessages.errorFileNotPossible(error.message))
  log.error({ err: error, submissionId: id }, 'an error file could not be generated')
  throw unavailable()
}

/** `<base>_errors.xlsx`, `<base>_highlighted.xlsx`. */
const errorFileName = (fileName: string, kind: ErrorFileKind): string =>
  `${fileName.replace(/\.[^.]*$/, '')}_${kind}.xlsx`
