import type { SubmissionRow } from '#db/tables.ts'
import { safeFileName } from '#services/submissions/file-label.ts'

/**
 * Where a company receives a file: `<folder>/<yyyy>/<MM>/<id>_<safe file name>` by the time of upload (UTC).
 * The id keeps it apart from every other file. Decisions, "Life of a submission".
 */
export function targetPathOf(
  { id, fileName, createdAt }: Pick<SubmissionRow, 'id' | 'fileName' | 'createdAt'>,
  folder: string,
): string {
  const [year, month] = createdAt.toISOString().split('-')
  return `${folder}/${year}/${month}/${id}_${safeFileName(fileName)}`
}
