import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import type { ErrorType } from '@veridict/contract/model/error-type'
import type { Field } from '@veridict/contract/model/field'
import { FaultFeed, type FaultyRow } from '#output/fault-feed.ts'
import { compileDictionary, type DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { validateKnown } from '#source/validate-known.ts'
import { validateTable } from '#validate-table.ts'

export type ComparedDictionary = { readonly fields: readonly Field[]; readonly ruleBook: DatedRuleBook }
type File = Pick<TableRequest, 'source' | 'fileName' | 'platform' | 'limits'>

/** What another dictionary says of a file. Without values of cells, which administrators do not see. */
export type ComparedFile = {
  /** Whether the file passes with it. */
  accepted: boolean
  /** The file problem with it; null without one. */
  problem: ErrorType | null
  /**
   * Errors with `after` that are none with `before`, and the reverse. An error is the same if it is in the
   * same cell and of the same rule between cells, or of none; its sentence may differ. Where `after` finds a
   * file problem both are 0, because no cell is checked.
   */
  newErrors: number
  gone: number
  /** Of all errors with `after`, most cells first. */
  causes: Omit<Cause, 'examples' | 'message' | 'advice'>[]
}

/** Validates a file with two dictionaries, and compares their errors. Throws only for a bug. */
export async function compareDictionaries(
  file: File,
  before: ComparedDictionary,
  after: ComparedDictionary,
): Promise<ComparedFile> {
  const earlier = await validateTable({ ...file, ...before })
  const later = await validateTable({ ...file, ...after })
  if (later.kind === 'fileProblem')
    return { accepted: false, problem: later.problem.errorType, newErrors: 0, gone: 0, causes: [] }
  const earlierCount = earlier.kind === 'rowErrors' ? earlier.cellErrorCount : 0
  if (later.kind === 'passed')
    return { accepted: true, problem: null, newErrors: 0, gone: earlierCount, causes: [] }
  const changes =
    earlierCount === 0
      ? { newErrors: later.cellErrorCount, gone: 0 }
      : await countChanges(file, before, after)
  const causes = later.causes
    .slice(0, errorScreenLimits.maxCauses)
    .map(({ examples: _examples, message: _message, advice: _advice, ...cause }) => cause)
  return { accepted: false, problem: null, ...changes, causes }
}

/** Reads the errors of both row by row, in bounded memory. */
async function countChanges(
  file: File,
  before: ComparedDictionary,
  after: ComparedDictionary,
): Promise<Pick<ComparedFile, 'newErrors' | 'gone'>> {
  const feeds = [await feedOf(file, before), await feedOf(file, after)] as const
  const changes = { newErrors: 0, gone: 0 }
  try {
    for (;;) {
      const rows = await Promise.all(feeds.map((feed) => feed.peek()))
      const rowNumber = Math.min(...rows.map((row) => row?.rowNumber ?? Infinity))
      if (rowNumber === Infinity) return changes
      const taken = rows.map((row) => (row?.rowNumber === rowNumber ? row : null))
      const [earlier, later] = [placesOf(taken[0], before), placesOf(taken[1], after)]
      changes.newErrors += countOthers(later, earlier)
      changes.gone += countOthers(earlier, later)
      for (const [index, row] of taken.entries()) if (row !== null) feeds[index].take()
    }
  } finally {
    for (const feed of feeds) feed.abandon()
  }
}

async function feedOf(file: File, dictionary: ComparedDictionary): Promise<FaultFeed> {
  const feed = new FaultFeed({ keepsValues: false, keeps: 'errors' })
  const request = { ...file, ...dictionary, source: feed.pace(file.source) }
  const table = await openTable(request)
  const compiled = await compileDictionary(request, table)
  feed.start(() => validateKnown(table, compiled, feed))
  return feed
}

/** The column and the rule of each error. */
const placesOf = (row: FaultyRow | null, { ruleBook }: ComparedDictionary): string[] =>
  (row?.faults ?? []).map(({ column, rule }) =>
    rule === undefined ? `${column}` : `${column} ${ruleBook.rules[rule.index].name}`,
  )

/** How many of `places` are not among `known`, each as often as it is there. */
function countOthers(places: readonly string[], known: readonly string[]): number {
  const left = new Map<string, number>()
  for (const place of known) left.set(place, (left.get(place) ?? 0) + 1)
  return places.filter((place) => {
    const count = left.get(place) ?? 0
    left.set(place, count - 1)
    return count <= 0
  }).length
}
