import type { RuleBook } from '@veridict/contract/model/row-rule'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { utcDay } from '@veridict/contract/notation/utc-day'
import type { ComparedFile } from '@veridict/engine/compare-dictionaries'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import type { TriedDictionary } from '#dictionaries/rule-books.ts'
import type { Deps } from '#deps.ts'
import { addTriedFile, claimImpact, endTurn, findNextUpload } from '#impacts/impacts.ts'
import type { ImpactRow, SubmissionRow } from '#platform/database/tables.ts'
import { oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { isUnreadable } from '#submissions/target-path.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'validator' | 'clock' | 'log'>

/**
 * Finds out what drafts of dictionaries would do to the last uploads, one file after the other, until none
 * waits. It works beside what clerks wait for: a process of its own with the lowest priority, one file in
 * memory. What a stop or a crash interrupts is continued by another process, or by this one after its start.
 */
export async function tryImpacts(deps: Needs, shutdown: AbortSignal): Promise<void> {
  while (!shutdown.aborted) {
    const impact = await claimImpact(deps.db)
    if (impact === undefined) return
    let isDone = false
    try {
      const upload = impact.isLate ? undefined : await findNextUpload(deps.db, impact)
      isDone = upload === undefined
      if (upload !== undefined) await tryUpload(impact, upload, deps, shutdown)
    } finally {
      await endTurn(deps.db, impact.id, isDone)
    }
  }
}

async function tryUpload(
  impact: ImpactRow,
  upload: SubmissionRow,
  deps: Needs,
  shutdown: AbortSignal,
): Promise<void> {
  try {
    await addTriedFile(deps.db, impact.id, upload, await compare(impact, upload, deps, shutdown))
  } catch (error) {
    if (!(error instanceof ValidatorError)) throw error
    if (shutdown.aborted) return
    deps.log.warn({ err: error, submissionId: upload.id }, 'an upload could not be validated with a draft')
    await addTriedFile(deps.db, impact.id, upload, null)
  }
}

/** null if the bytes of the upload are gone. */
async function compare(
  impact: ImpactRow,
  upload: SubmissionRow,
  deps: Needs,
  shutdown: AbortSignal,
): Promise<ComparedFile | null> {
  const bytes = await readUpload(upload, deps)
  if (bytes === null) return null
  const dated = ({ fields, ruleBook }: TriedDictionary) => ({
    fields,
    ruleBook: { ...inForce(ruleBook, utcDay(deps.clock.now())), day: utcDay(upload.createdAt) },
  })
  const saved = await findWholeVersion(deps.db, impact.dictionaryVersionId)
  const file = { fileName: upload.fileName, bytes, before: dated(saved), after: dated(impact.draft) }
  return deps.validator.run('compare', file, { signal: shutdown })
}

/**
 * A file is checked as on the day of its upload, so that `today` in a rule means what it meant. But a rule
 * that is in force by now counts, because the question is what happens to such files from now on.
 */
const inForce = (book: RuleBook, today: string): RuleBook => ({
  ...book,
  rules: book.rules.map((rule) =>
    rule.from !== undefined && rule.from <= today ? { ...rule, from: undefined } : rule,
  ),
})

/**
 * The bytes of an upload: its source, or what is in the company's folder. null if they are gone, or no longer
 * those that were uploaded: a company may change its folder, so no more is read than was uploaded.
 */
async function readUpload(
  { sourceDeletedAt, storageKey, status, targetPath, bytes, sha256 }: SubmissionRow,
  { storage }: Needs,
): Promise<Uint8Array | null> {
  const source = sourceDeletedAt === null ? sourcePath(storageKey) : null
  const target = status === SubmissionStatus.IngestionSuccess ? targetPath : null
  for (const path of [source, target]) {
    if (path === null) continue
    try {
      const parts: Uint8Array[] = []
      let length = 0
      for await (const part of storage.read(path)) {
        parts.push(part)
        length += part.length
        if (length > bytes) break
      }
      const read = Buffer.concat(parts)
      if ((await sha256Of(oneChunk(read))) === sha256) return read
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }
  return null
}
