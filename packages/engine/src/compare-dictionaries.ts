import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import { FaultFeed, type FaultyRow } from '#output/fault-feed.ts'
import type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { validateTable } from '#validate-table.ts'

export type ComparedDictionary = { readonly fields: readonly Field[]; readonly ruleBook: DatedRuleBook }
type File = Pick<TableRequest, 'source' | 'fileName' | 'platform' | 'limits'>

/** Without values of cells and sentences that may quote one, which administrators do not see. */
export type ComparedFile = {
  acceptedAfter: boolean
  /**
   * Errors with `after` only, and with `before` only, compared by cell and rule between cells, not by
   * sentence. Both are 0 where `after` finds a file problem: no cell is checked.
   */
  newErrors: number
  gone: number
  /** Of all errors with `after`, most cells first; then of its warnings. A file problem is one cause. */
  causes: (Pick<Cause, 'id' | 'kind' | 'columnPosition' | 'label' | 'cells' | 'rows' | 'firstRow'> & {
    rule: string | null
    severity: 'error' | 'warning'
  })[]
}

/** Validates a file with two dictionaries, and compares their errors. Throws only for a bug. */
export async function compareDictionaries(
  file: File,
  before: ComparedDictionary,
  after: ComparedDictionary,
): Promise<ComparedFile> {
  const later = await validateTable({ ...file, ...after })
  if (later.kind === 'fileProblem')
    return { acceptedAfter: false, newErrors: 0, gone: 0, causes: [causeOfFile] }
  const earlier = await validateTable({ ...file, ...before })
  const gone = earlier.kind === 'rowErrors' ? earlier.cellErrorCount : 0
  const warnings = causesOf(later.warnings?.causes)
  if (later.kind === 'passed') return { acceptedAfter: true, newErrors: 0, gone, causes: warnings }
  const changes =
    gone === 0 ? { newErrors: later.cellErrorCount, gone } : await countChanges(file, before, after)
  return { acceptedAfter: false, ...changes, causes: [...causesOf(later.causes), ...warnings] }
}

const causesOf = (causes: readonly Cause[] = []): ComparedFile['causes'] =>
  causes
    .slice(0, errorScreenLimits.maxCauses)
    .map(({ id, kind, rule = null, severity = 'error', columnPosition, label, cells, rows, firstRow }) => {
      const place = { columnPosition, label, cells, rows, firstRow }
      return { id, kind, rule, severity, ...place }
    })

const causeOfFile: ComparedFile['causes'][number] = {
  id: 'file',
  kind: 'file',
  rule: null,
  severity: 'error',
  columnPosition: null,
  label: null,
  cells: 0,
  rows: 0,
  firstRow: 0,
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
  const feed = new FaultFeed({ keepsValues: false, keeps: 'errors', maxWorded: 0 })
  const request = { ...file, ...dictionary, source: feed.pace(file.source) }
  await feed.validate(await openTable(request), request)
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
