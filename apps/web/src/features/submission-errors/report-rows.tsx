import { useDisclosure } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { errorScreenLimits, pageSizes } from '@veridict/contract/limits'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Cause } from '@veridict/contract/model/cause'
import { type RefObject, useState } from 'react'
import { Loaded, LoadFailure } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { useLastPage } from '#ui/tables/paged-table.tsx'
import { pageOf, Pager } from '#ui/tables/pager.tsx'
import { CauseText } from '#verdict/cause-list.tsx'
import { CausePlace } from '#verdict/before-after.tsx'
import { ErrorRows, type ErrorRowsProps } from '#verdict/error-rows.tsx'
import { RowsSection } from '#verdict/rows-section.tsx'
import type { ShownRow } from '#verdict/error-table.tsx'
import { WarningPart, WarningRows } from '#verdict/warning-part.tsx'
import { storedRowsQuery } from './api.ts'
import classes from './report-rows.module.css'
import { RowErrorsModal } from './row-errors-modal.tsx'
import { ColumnFilter, GoToRow } from './row-tools.tsx'
import { causesOf, useFilteredRows } from './use-filtered-rows.ts'
import type { RowFilter, useReportAddress } from './use-report-address.ts'

export type ReportRowsProps = {
  report: ErrorReport
  isStale: boolean
  address: ReturnType<typeof useReportAddress>
  /** Takes the focus when a filter is chosen elsewhere. */
  ref: RefObject<HTMLElement | null>
}

/** The rows with errors: all that are stored, or those of one cause or one column; and the way to a row. */
export function ReportRows({ report, isStale, address, ref }: ReportRowsProps) {
  const { filter, page, row, setFilter } = address
  const causes = causesOf(filter, report.causes)
  const filtered = useFilteredRows(report.id, causes ?? [])
  const listed = causes === null ? undefined : filtered.rows
  const goToRow = useGoToRow(report, listed, address)
  const shown =
    causes === null ? { ...report.rows, isStale } : listed && pageOf(listed, page, pageSizes.fileErrors)
  const column = filter !== null && 'column' in filter ? filter.column : null
  const rows = useLastPage(shown, page, address.goTo)
  return (
    <RowsSection
      ref={ref}
      text={causes === null ? storedRowsText(report) : filteredRowsText(causes, listed?.length)}
    >
      {causes !== null && <FilterLine filter={filter} causes={causes} onShowAll={() => setFilter(null)} />}
      {filtered.error === null ? (
        <RowList
          listKey={`${page} ${JSON.stringify(filter)}`}
          report={report}
          rows={rows}
          isStale={isStale}
          wantedRow={row}
          tools={
            <>
              <ColumnFilter
                causes={report.causes}
                column={column}
                onChange={(letters) => setFilter(letters === null ? null : { column: letters })}
              />
              <GoToRow onGo={goToRow} />
            </>
          }
        />
      ) : (
        <LoadFailure isFramed what="The rows" query={filtered} />
      )}
      {shown && <Pager page={page} pageSize={pageSizes.fileErrors} {...shown} onPage={address.goTo} />}
    </RowsSection>
  )
}

/** Which rows of the file are stored. See docs/BEHAVIOUR.md#file-errors. */
function storedRowsText({ errorRowCount, rows }: ErrorReport): string {
  if (errorRowCount === null) return submissionMessages.upToRows
  if (errorRowCount > 0 && rows.totalPages === 0) return submissionMessages.rowsDeleted
  return errorRowCount > errorScreenLimits.maxRows ? submissionMessages.firstRowsOf(errorRowCount) : ''
}

/** A cell has one cause, so the causes of a column have no row in common. */
function filteredRowsText(causes: Cause[], shownCount: number | undefined): string {
  if (shownCount === undefined) return ''
  const count = causes.reduce((sum, { rows }) => sum + rows, 0)
  return causes.length === 1
    ? texts.rowsOfCause(shownCount, count)
    : texts.rowsOfColumn(shownCount, count, causes.length)
}

/**
 * Returns a function that opens a row on its page of the table, or returns why it cannot. It searches
 * `listed`, or all stored rows.
 */
function useGoToRow(
  { id, errorRowCount }: ErrorReport,
  listed: ShownRow[] | undefined,
  { goTo }: ReportRowsProps['address'],
) {
  const client = useQueryClient()
  return async (rowNumber: number): Promise<string | null> => {
    const rows = listed ?? (await client.fetchQuery(storedRowsQuery(id)))
    const index = rows.findIndex((row) => row.rowNumber === rowNumber)
    if (index >= 0) {
      goTo(Math.floor(index / pageSizes.fileErrors) + 1, { row: rowNumber })
      return null
    }
    const last = rows.at(-1)?.rowNumber ?? 0
    const isBeyond = rowNumber > last && (errorRowCount ?? rows.length + 1) > rows.length
    return isBeyond ? texts.rowBeyondList(rowNumber, last) : texts.rowNotListed(rowNumber)
  }
}

type FilterLineProps = { filter: RowFilter; causes: Cause[]; onShowAll: () => void }

/** Says which filter is on, and removes it. */
function FilterLine({ filter, causes, onShowAll }: FilterLineProps) {
  const isCause = filter !== null && 'cause' in filter
  return (
    <div className={classes.filter} role="group" aria-label={texts.filter}>
      <span className={classes.kind}>{isCause ? texts.filteredByCause : texts.filteredByColumn}</span>
      <CausePlace cause={causes[0]} />
      {isCause && (
        <span className={classes.message}>
          <CauseText cause={causes[0]} />
        </span>
      )}
      <ActionButton
        label={texts.showAllRows}
        variant="subtle"
        size="sm"
        rightSection={<IconX size={15} stroke={2} aria-hidden />}
        onClick={onShowAll}
      />
    </div>
  )
}

type RowListProps = Pick<ErrorRowsProps, 'rows' | 'isStale' | 'wantedRow' | 'tools'> & {
  report: ErrorReport
  listKey: string
}

function RowList({ report: { id, fileName }, rows, listKey, ...list }: RowListProps) {
  const [shown, setShown] = useState<{ rowNumber: number; listKey: string } | null>(null)
  const [isShown, { open, close }] = useDisclosure(false)
  const shownRow = shown?.rowNumber ?? null
  return (
    <>
      <ErrorRows
        rows={rows}
        listKey={listKey}
        {...list}
        onViewAll={(rowNumber) => {
          setShown({ rowNumber, listKey })
          open()
        }}
      />
      <RowErrorsModal
        submissionId={id}
        fileName={fileName}
        rowNumber={shownRow}
        rowKey={rows?.find(({ rowNumber }) => rowNumber === shownRow)?.key ?? []}
        isOpen={isShown && shown?.listKey === listKey}
        onClose={close}
      />
    </>
  )
}

type StoredWarningsProps = { report: ErrorReport; causes: readonly Cause[] }

/** The warnings of a report. The rows of a rule are read when they are shown. */
export const StoredWarnings = ({ report, causes }: StoredWarningsProps) => (
  <WarningPart
    {...report}
    causes={causes}
    rowsOf={(cause) => <RowsOfWarning submissionId={report.id} cause={cause} />}
  />
)

function RowsOfWarning({ submissionId, cause }: { submissionId: number; cause: Cause }) {
  const rows = useQuery(storedRowsQuery(submissionId, cause.id))
  return (
    <Loaded what="The rows" query={rows} skeleton={3}>
      {(loaded) => <WarningRows cause={cause} rows={loaded} />}
    </Loaded>
  )
}
