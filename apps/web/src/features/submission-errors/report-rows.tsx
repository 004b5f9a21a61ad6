import { IconX } from '@tabler/icons-react'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { errorScreenLimits, pageSizes } from '@veridict/contract/limits'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { Cause } from '@veridict/contract/model/cause'
import type { RefObject } from 'react'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { Loaded, LoadFailure } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { useLastPage } from '#ui/tables/paged-table.tsx'
import { pageOf, Pager } from '#ui/tables/pager.tsx'
import { CauseText } from '#verdict/cause-list.tsx'
import { CausePlace } from '#verdict/before-after.tsx'
import { ErrorRows } from '#verdict/error-rows.tsx'
import { RowsSection } from '#verdict/rows-section.tsx'
import type { ShownRow } from '#verdict/error-table.tsx'
import { WarningPart, WarningRows } from '#verdict/warning-part.tsx'
import { storedRowsQuery } from './api.ts'
import classes from './report-rows.module.css'
import { RowErrorsModal } from './row-errors-modal.tsx'
import { ColumnFilter, GoToRow } from './row-tools.tsx'
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
        <ErrorRows
          listKey={`${page} ${JSON.stringify(filter)}`}
          rows={rows}
          isStale={isStale}
          wantedRow={row}
          onViewAll={(rowNumber) => {
            const rowKey = rows?.find((shown) => shown.rowNumber === rowNumber)?.key ?? []
            const { id: submissionId, fileName } = report
            openDialog(RowErrorsModal, { submissionId, fileName, rowNumber, rowKey })
          }}
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

/** The causes of a filter; null without a filter, also if the report has no such cause or column. */
function causesOf(filter: RowFilter, causes: readonly Cause[]): Cause[] | null {
  if (filter === null) return null
  const found = causes.filter((cause) =>
    'cause' in filter ? cause.id === filter.cause : cause.columnPosition === filter.column,
  )
  return found.length === 0 ? null : found
}

/** The server keeps the first rows of each cause besides the first rows of the file. */
function useFilteredRows(id: number, causes: readonly Cause[]) {
  return useQueries({
    queries: causes.map((cause) => storedRowsQuery(id, cause.id)),
    combine: (results) => ({
      rows: results.every(({ data }) => data !== undefined)
        ? mergeRows(results.map(({ data }) => data ?? []))
        : undefined,
      error: results.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => {
        for (const { isError, refetch } of results) if (isError) void refetch()
      },
    }),
  })
}

/** The rows of several causes in the order of the file; a row with errors of two causes is one row. */
export function mergeRows(lists: readonly (readonly ShownRow[])[]): ShownRow[] {
  const merged = new Map<number, ShownRow>()
  for (const row of lists.flat()) {
    const other = merged.get(row.rowNumber)
    merged.set(row.rowNumber, other === undefined ? row : joinRows(other, row))
  }
  return [...merged.values()].sort((one, other) => one.rowNumber - other.rowNumber)
}

const joinRows = (one: ShownRow, other: ShownRow): ShownRow => ({
  ...one,
  totalCount: one.totalCount + other.totalCount,
  columnValidationErrors: [...one.columnValidationErrors, ...other.columnValidationErrors],
})

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

/** The result opens a row of `listed`, or of all stored rows, on its page, or returns why it cannot. */
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
