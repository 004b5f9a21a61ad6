import { correctionRefusals, KEEP_ANSWER } from '@veridict/contract/messages/structure'
import { type Cause, correctableOf } from '@veridict/contract/model/cause'
import type { Verdict } from '@veridict/contract/model/verdict'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { labelKey } from '@veridict/contract/notation/label'
import { type ByteSource, bytesSource } from '#byte-source.ts'
import { joined } from '#formats/bytes.ts'
import type { Accepted } from '#header/header-structure.ts'
import { fromCodePage } from '#causes/code-pages.ts'
import { restructureCsv } from '#output/correct-csv.ts'
import { LeftOut } from '#output/left-out.ts'
import { moveSheetFirst, restructureWorkbook } from '#output/restructure-workbook.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { type RemovedPart, rowInSource as rowIn, type TableView } from '#source/table-view.ts'
import { findCauses, type FoundCauses } from '#validate-table.ts'

export type CorrectionChoice = {
  /** The ids of causes; null for all that are sure. */
  readonly causes: readonly string[] | null
  /** Answers to questions, by the id of their cause. */
  readonly answers?: ReadonlyMap<string, CorrectionAnswer>
}

/** A file whose structure is corrected, as a source to read. */
export type CorrectedStructure = {
  readonly source: ByteSource
  /** Whether it is a workbook; only known where something was corrected. */
  readonly isWorkbook: boolean
  /** Of this source, with the answers. */
  readonly found: FoundCauses
  /** The causes that were corrected, in their order. */
  readonly corrected: readonly Cause[]
  readonly removed: readonly RemovedPart[]
  readonly leftOut: LeftOut
  /** The row of the file that a row of this source is. */
  readonly rowInSource: (row: number) => number
  /** Every cause on the way, by id. */
  readonly known: ReadonlyMap<string, Cause>
}

/**
 * Corrects the structure and validates again until nothing more shall or can be corrected: what is wrong
 * further down is known only then. A string says why the choice is refused.
 */
export async function correctStructure(
  request: TableRequest,
  choice: CorrectionChoice,
): Promise<CorrectedStructure | string> {
  const known = new Map<string, Cause>()
  const corrected: Cause[] = []
  const removed: RemovedPart[] = []
  const leftOut = new LeftOut()
  const views: TableView[] = []
  const done = new Set<string>()
  const judged = new Set<string>()
  let { source } = request
  let isWorkbook = false
  for (;;) {
    const before = [...views]
    const rowInSource = (row: number) => before.reduceRight((number, view) => rowIn(view, number), row)
    const found = await findCauses({ ...request, source, maxErrorRows: 0, maxCauseRows: 0, rowInSource })
    const causes = causesIn(found.verdict)
    const { structure } = found
    const open = (structure?.causes ?? []).filter(
      (cause) => !done.has(cause.id) && changesCopy(cause, choice),
    )
    // Once a person has said what columns are, the other questions are about fewer of them.
    const isMapped = open.some(({ values }) => values !== undefined)
    const waits = (cause: Cause) => isMapped && cause.values === undefined && correctableOf(cause) !== 'yes'
    // What was asked before may be asked again, about what is left.
    const asked = causes.filter((cause) => !judged.has(cause.id) && !waits(cause))
    for (const cause of causes) known.set(cause.id, cause)
    for (const { id } of asked) judged.add(id)
    const refusal = asked.map((cause) => refusalOf(cause, choice)).find((reason) => reason !== null)
    if (refusal !== undefined && refusal !== null) return refusal
    const wanted = open.filter((cause) => !waits(cause))
    const accepted: Accepted = new Map(wanted.map(({ id }) => [id, choice.answers?.get(id) ?? {}]))
    const view = accepted.size === 0 ? null : await structure!.viewOf(accepted)
    for (const { id } of wanted) done.add(id)
    if (view === null) {
      const conclusion = found.conclusion?.answered(choicesOf(choice)) ?? null
      const of = { source, isWorkbook, rowInSource }
      return { ...of, found: { ...found, conclusion }, corrected, removed, leftOut, known }
    }
    corrected.push(...wanted.map((cause) => inSource(cause, rowInSource)))
    const current = { ...request, source }
    let copy: AsyncIterable<Uint8Array>
    if ('codePage' in view) copy = fromCodePage(source, view.codePage, request.platform)
    else if ('sheet' in view) {
      isWorkbook = true
      copy = moveSheetFirst(view.sheet, leftOut, current)
    } else {
      for (const { rowNumber: row, text } of view.removed)
        removed.push({ rowNumber: row && rowInSource(row), text })
      views.push(view)
      const { terminators } = await openTable(current)
      isWorkbook = terminators.kind === 'xml'
      copy =
        terminators.kind === 'xml'
          ? restructureWorkbook(view, leftOut, current)
          : restructureCsv(view, terminators, current)
    }
    source = bytesSource(joined(await Array.fromAsync(copy, (chunk) => chunk.slice())))
  }
}

const choicesOf = ({ answers = new Map() }: CorrectionChoice): Map<string, string> =>
  new Map([...answers].flatMap(([id, { choice }]) => (choice === undefined ? [] : [[id, choice] as const])))

export const causesIn = (verdict: Verdict): readonly Cause[] =>
  verdict.kind === 'rowErrors'
    ? verdict.causes
    : verdict.kind === 'fileProblem'
      ? (verdict.problem.causes ?? [])
      : []

/** Whether a cause shall be corrected: it is named, has an answer, or is sure where none is named. */
export const isWanted = (cause: Cause, { causes, answers }: CorrectionChoice): boolean =>
  answers?.has(cause.id) || (causes === null ? correctableOf(cause) === 'yes' : causes.includes(cause.id))

/** Whether it can be corrected as well, and the answer to its question is not to keep it. */
const changesCopy = (cause: Cause, choice: CorrectionChoice): boolean =>
  isWanted(cause, choice) &&
  correctableOf(cause) !== 'no' &&
  choice.answers?.get(cause.id)?.choice !== KEEP_ANSWER

/** Why the answer to a cause is refused; null where it is right, or where none is needed. */
function refusalOf(cause: Cause, { causes, answers }: CorrectionChoice): string | null {
  const { id } = cause
  const answer = answers?.get(id)
  const isChoice = correctableOf(cause) === 'choice'
  if (answer === undefined)
    return isChoice && causes?.includes(id) === true ? correctionRefusals.needsAnswer(id) : null
  if (!isChoice || (answer.map === undefined) !== (cause.values === undefined))
    return correctionRefusals.noQuestion(id)
  const options = new Set((cause.choices ?? []).map(({ value }) => value))
  const isOfHeadings = cause.kind === 'columnsRenamed'
  const keyOf = isOfHeadings ? labelKey : (text: string) => text
  const texts = new Set((cause.values ?? []).map(({ value }) => keyOf(value)))
  const targets = answer.map === undefined ? [answer.choice ?? ''] : [...answer.map.values()]
  const isTaken = (value: string, index: number) => isOfHeadings && targets.indexOf(value) < index
  const unknown =
    targets.find((value, index) => !options.has(value) || isTaken(value, index)) ??
    [...(answer.map?.keys() ?? [])].find((text) => !texts.has(keyOf(text)))
  return unknown === undefined ? null : correctionRefusals.unknownAnswer(id, unknown)
}

/** A cause with the rows of the file that a person has. */
export const inSource = (cause: Cause, rowInSource: CorrectedStructure['rowInSource']): Cause => ({
  ...cause,
  firstRow: rowInSource(cause.firstRow),
  examples: cause.examples.map((example) => ({ ...example, rowNumber: rowInSource(example.rowNumber) })),
})
