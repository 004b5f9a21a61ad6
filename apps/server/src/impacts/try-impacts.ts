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
 * Tries drafts on the last uploads, one file after the other, in a process of the lowest priority, one file
 * in memory. After a stop or a crash another process continues, or this one when it starts.
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

/** `today` is the day of the upload, so that rules mean what they meant; but rules in force by now count. */
const inForce = (book: RuleBook, today: string): RuleBook => ({
  ...book,
  rules: book.rules.map((rule) =>
    rule.from !== undefined && rule.from <= today ? { ...rule, from: undefined } : rule,
  ),
})

/** null if gone or changed. A company may change its folder: no more is read than was uploaded. */
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
