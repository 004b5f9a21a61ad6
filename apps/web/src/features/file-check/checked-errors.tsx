import { pageSizes } from '@veridict/contract/limits'
import { fileCheckMessages } from '@veridict/contract/messages/file-check'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { useRef, useState } from 'react'
import { pageOf, Pager } from '#ui/tables/pager.tsx'
import { CauseList } from '#verdict/cause-list.tsx'
import { ErrorRows } from '#verdict/error-rows.tsx'
import { RowsSection } from '#verdict/rows-section.tsx'
import { errorFigures, VerdictPanel } from '#verdict/verdict-panel.tsx'
import { WarningPart, WarningRows } from '#verdict/warning-part.tsx'
import type { CheckedRowErrors, CheckedVerdict } from '#workers/worker-messages.ts'

export type CheckedErrorsProps = {
  verdict: CheckedRowErrors
  /** Opens the dialog of the corrected copy, with one cause ticked or none; without it none is offered. */
  onCorrect?: (cause: string | null) => void
}

/** The rows with errors of a checked file, as its report will show them: the causes, then the first rows. */
export function CheckedErrors({ verdict, onCorrect }: CheckedErrorsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useRef<HTMLElement>(null)
  const showRows = (cause: string | null) => {
    setChosen(cause)
    if (cause === null) return
    rows.current?.focus({ preventScroll: true })
    rows.current?.scrollIntoView()
  }
  return (
    <>
      <VerdictPanel figures={errorFigures(verdict)} title={fileCheckMessages.notReady}>
        <CauseList {...verdict} chosen={chosen} onShowRows={showRows} onCorrect={onCorrect} />
      </VerdictPanel>
      <RowsSection ref={rows} text={rowsText(verdict, chosen)}>
        <ListedRows key={chosen} rows={rowsOf(verdict, chosen)} />
      </RowsSection>
      <CheckedWarnings verdict={verdict} />
    </>
  )
}

/** The warnings of a checked file, as its report will show them. */
export function CheckedWarnings({ verdict }: { verdict: CheckedVerdict }) {
  if (verdict.kind === 'fileProblem' || verdict.warnings === undefined) return null
  const { warnings, causeRows } = verdict
  const ofCause = ({ id }: Cause) => causeRows.find(({ cause }) => cause === id)?.rows ?? []
  return <WarningPart {...warnings} rowsOf={(cause) => <WarningRows cause={cause} rows={ofCause(cause)} />} />
}

const rowsOf = ({ rows, causeRows }: CheckedRowErrors, chosen: string | null) =>
  chosen === null ? rows : (causeRows.find(({ cause }) => cause === chosen)?.rows ?? [])

/** Which rows are listed; nothing where these are all. */
function rowsText(verdict: CheckedRowErrors, chosen: string | null): string {
  const shown = rowsOf(verdict, chosen).length
  const cause = verdict.causes.find(({ id }) => id === chosen)
  if (cause !== undefined) return texts.rowsOfCause(shown, cause.rows)
  return verdict.errorRowCount > shown ? fileCheckMessages.firstRowsOf(verdict.errorRowCount) : ''
}

function ListedRows({ rows }: { rows: CheckedRowErrors['rows'] }) {
  const [page, setPage] = useState(1)
  const { data, ...total } = pageOf(rows, page, pageSizes.fileErrors)
  return (
    <>
      <ErrorRows key={page} rows={data} />
      <Pager page={page} pageSize={pageSizes.fileErrors} {...total} onPage={setPage} isQuiet />
    </>
  )
}
