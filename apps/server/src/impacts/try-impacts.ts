import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { DatedRuleBook } from '@veridict/engine'
import { findWholeVersion, utcDay } from '#dictionaries/dictionary-versions.ts'
import type { Deps } from '#deps.ts'
import {
  addTriedFile,
  claimImpact,
  type ClaimedImpact,
  countTried,
  findUploads,
  IMPACT_LEASE_SECONDS,
  releaseImpact,
  renewImpact,
  type TriedDraft,
  type Upload,
} from '#impacts/impacts.ts'
import { measured } from '#platform/storage/chunks.ts'
import { sourcePath, StorageLimitError, StorageUnavailableError } from '#platform/storage/storage.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { isUnreadable } from '#submissions/target-path.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'validator' | 'leases' | 'clock' | 'log'>

/** The uploads that are validated. */
const MAX_FILES = 20
/** After that it ends with the files that were validated until then, so that no one waits for ever. */
const MAX_SECONDS = 15 * 60
/** A third of the lease: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = (IMPACT_LEASE_SECONDS * 1000) / 3

/**
 * Finds out what drafts of dictionaries would do to the last uploads, one file after the other, until none
 * waits. It works beside what clerks wait for: a process of its own with the lowest priority, one file in
 * memory. What a stop or a crash interrupts is continued by another process, or by this one after its start.
 */
export async function tryImpacts(deps: Needs, shutdown: AbortSignal): Promise<void> {
  while (!shutdown.aborted) {
    const impact = await claimImpact(deps.db, deps.leases.next().id)
    if (impact === undefined) return
    try {
      await tryUnderLease(impact, deps, shutdown)
    } catch (error) {
      // The storage reports this itself; the lease ends, and a later run continues.
      if (error instanceof StorageUnavailableError) return
      throw error
    }
  }
}

async function tryUnderLease(impact: ClaimedImpact, deps: Needs, shutdown: AbortSignal): Promise<void> {
  const { db, log } = deps
  const lost = new AbortController()
  const left = MAX_SECONDS - impact.runningSeconds
  const tooLate = AbortSignal.timeout(1000 * Math.min(Math.max(left, 0), MAX_SECONDS))
  const signal = AbortSignal.any([shutdown, lost.signal, tooLate])
  const renewal = setInterval(
    () =>
      renewImpact(db, impact).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn({ err: error, impactId: impact.id }, 'a lease could not be renewed'),
      ),
    RENEWAL_MILLISECONDS,
  )
  try {
    await tryUploads(impact, deps, signal)
    if (!lost.signal.aborted) await releaseImpact(db, impact, !shutdown.aborted)
  } finally {
    clearInterval(renewal)
  }
}

async function tryUploads(impact: ClaimedImpact, deps: Needs, signal: AbortSignal): Promise<void> {
  const saved = await findWholeVersion(deps.db, impact.dictionaryVersionId)
  let left = MAX_FILES - (await countTried(deps.db, impact.id))
  for (const upload of await findUploads(deps.db, impact)) {
    if (left <= 0 || signal.aborted) return
    const bytes = await readUpload(upload, deps)
    if (bytes === null) continue
    const dated = ({ fields, ruleBook }: TriedDraft) => ({
      fields,
      ruleBook: datedFor(upload, ruleBook, deps.clock.now()),
    })
    const file = { fileName: upload.fileName, bytes, before: dated(saved), after: dated(impact.draft) }
    try {
      const outcome = await deps.validator.compare(file, signal)
      if (!(await addTriedFile(deps.db, impact, upload, outcome))) return
      left--
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ValidatorError)) throw error
      deps.log.warn({ err: error, submissionId: upload.id }, 'an upload could not be validated with a draft')
    }
  }
}

/**
 * `today` in a rule is the day of the upload, so that the file means what it meant. But a rule that is in
 * force by now counts, because the question is what happens to such files from now on.
 */
function datedFor({ createdAt }: Upload, ruleBook: TriedDraft['ruleBook'], now: Date): DatedRuleBook {
  const rules = ruleBook.rules.map((rule) =>
    rule.from !== undefined && rule.from <= utcDay(now) ? { ...rule, from: undefined } : rule,
  )
  return { ...ruleBook, rules, day: utcDay(createdAt) }
}

/**
 * The bytes of an upload: its source, or what is in the company's folder. null if they are gone, or no longer
 * those that were uploaded: a company may change its folder, so no more is read than was uploaded.
 */
async function readUpload(upload: Upload, { storage }: Pick<Needs, 'storage'>): Promise<Uint8Array | null> {
  const { sourceDeletedAt, storageKey, status, targetPath } = upload
  const source = sourceDeletedAt === null ? sourcePath(storageKey) : null
  const target = status === SubmissionStatus.IngestionSuccess ? targetPath : null
  for (const path of [source, target]) {
    if (path === null) continue
    try {
      const { chunks, result } = measured(storage.read(path), upload.bytes)
      const bytes = Buffer.concat(await Array.fromAsync(chunks))
      if (result().sha256 === upload.sha256) return bytes
    } catch (error) {
      if (!(error instanceof StorageLimitError) && !isUnreadable(error)) throw error
    }
  }
  return null
}
