import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import { uploadNameKey } from '@veridict/contract/notation/upload-name'
import type { Deps } from '#deps.ts'
import { scopeOf, type Uploader } from '#platform/access/viewer.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { findCauses } from '#submissions/row-reports.ts'
import { findCauseCounts, findEarlierVerdicts } from '#submissions/submission-history.ts'

/** Numbers of bad cells. */
export type Changes = { fixed: number; remaining: number; new: number }
type NamedCause = Pick<Cause, 'id' | 'columnPosition' | 'label' | 'message'>

/** What is compared: ids and cells of all causes, and the sentences of the largest ones. */
export type ComparedReport = {
  counts: readonly (readonly [id: string, cells: number])[]
  causes: readonly NamedCause[]
}

/** Compares numbers of cells: rows may have been sorted or deleted, so cells cannot be compared. */
export function compareReports(
  earlier: ComparedReport,
  later: ComparedReport,
): Changes & { causes: (NamedCause & Changes)[] } {
  const [before, after] = [new Map(earlier.counts), new Map(later.counts)]
  const changes = new Map(
    [...new Set([...after.keys(), ...before.keys()])].map((id) => [
      id,
      changeOf(before.get(id) ?? 0, after.get(id) ?? 0),
    ]),
  )
  const named = new Map([...later.causes, ...earlier.causes].toReversed().map((cause) => [cause.id, cause]))
  return {
    ...sumOf([...changes.values()]),
    causes: [...changes]
      .flatMap(([id, change]) => {
        const cause = named.get(id)
        if (cause === undefined) return []
        const { columnPosition, label, message } = cause
        return [{ id, columnPosition, label, message, ...change }]
      })
      .slice(0, errorScreenLimits.maxCauses),
  }
}

const changeOf = (before: number, after: number): Changes => ({
  fixed: Math.max(0, before - after),
  remaining: Math.min(before, after),
  new: Math.max(0, after - before),
})

const sumOf = (changes: readonly Changes[]): Changes => ({
  fixed: changes.reduce((sum, change) => sum + change.fixed, 0),
  remaining: changes.reduce((sum, change) => sum + change.remaining, 0),
  new: changes.reduce((sum, change) => sum + change.new, 0),
})

type Needs = Pick<Deps, 'db' | 'env'>
type LaterSubmission = Pick<SubmissionRow, 'id' | 'fileName' | 'dictionaryVersionId'>

/** The previous upload, for the same dictionary and with nearly the same name, that the viewer may see. */
export async function findPrevious(submission: LaterSubmission, viewer: Uploader, { db, env }: Needs) {
  const key = uploadNameKey(submission.fileName)
  const earlier = await findEarlierVerdicts(db, scopeOf(viewer, env.historyScope), submission)
  return earlier.find(({ fileName }) => uploadNameKey(fileName) === key)
}

type PreviousSubmission = Awaited<ReturnType<typeof findEarlierVerdicts>>[number]

/**
 * null without a previous upload, if it had no errors, or if its report is purged. `fixed`: the number of its
 * bad cells.
 */
export async function findCorrected(
  accepted: LaterSubmission,
  viewer: Uploader,
  deps: Needs,
): Promise<(PreviousSubmission & { fixed: number }) | null> {
  const previous = await findPrevious(accepted, viewer, deps)
  if (previous === undefined) return null
  const [counts, causes] = await Promise.all([
    findCauseCounts(deps.db, previous.id),
    findCauses(deps.db, previous.id),
  ])
  if (causes.length === 0) return null
  return { ...previous, fixed: counts.reduce((sum, [, cells]) => sum + cells, 0) }
}
