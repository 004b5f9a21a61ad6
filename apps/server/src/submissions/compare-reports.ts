import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'

/** Numbers of bad cells, compared with an earlier file. */
export type Changes = { fixed: number; remaining: number; new: number }
type NamedCause = Pick<Cause, 'id' | 'columnPosition' | 'label' | 'message'>
export type CauseChanges = NamedCause & Changes

/**
 * The parts of a report that are compared: ids and cells of all causes, and the sentences of the largest
 * ones.
 */
export type ComparedReport = {
  counts: readonly (readonly [id: string, cells: number])[]
  causes: readonly NamedCause[]
}

/**
 * Compares the causes of two reports by their numbers of cells. Single cells cannot be compared, because rows
 * may have been sorted or deleted in between.
 */
export function compareReports(
  earlier: ComparedReport,
  later: ComparedReport,
): Changes & { causes: CauseChanges[] } {
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
