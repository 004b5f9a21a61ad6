import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFileExport, IconUpload } from '@tabler/icons-react'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { historyQuery, useExportHistory, useRetryIngestion } from '#features/submissions/api.ts'
import { HistoryTable } from '#features/submissions/history-table.tsx'
import { pollInterval, useLiveStatus } from '#features/submissions/live-status.ts'
import { StatusFilter, statusesOf } from '#features/submissions/status-filter.tsx'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Pager } from '#ui/tables/pager.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useLastPage } from '#ui/tables/use-last-page.ts'
import { useListAddress } from '#ui/tables/use-list-address.ts'
import classes from './user-home.module.css'

/**
 * The home of company users: the history of their files, with live statuses. See docs/BEHAVIOUR.md#history.
 */
export function UserHome() {
  const { searchText, filters, page, search, setFilter, clear, goTo } = useListAddress()
  const statuses = statusesOf(filters)
  const { isLive } = useLiveStatus()
  const history = useQuery({
    ...historyQuery(searchText, statuses, page),
    refetchInterval: (query) => pollInterval(query.state.data?.data, isLive),
  })
  useLastPage(history.data, page, goTo)
  const exporting = useExportHistory()
  const exportButton = useFocusAfterWait(exporting.isPending)
  const { mutate: retry, ...retrying } = useRetryIngestion()
  return (
    <Page
      title={submissionMessages.historyTitle}
      actions={
        <>
          <Button
            variant="default"
            ref={exportButton}
            loading={exporting.isPending}
            leftSection={<IconFileExport size={18} stroke={1.8} aria-hidden />}
            onClick={() => exporting.mutate({ searchText, statuses })}
          >
            {submissionMessages.exportHistory}
          </Button>
          <Button
            component={Link}
            to={paths.fileUpload}
            leftSection={<IconUpload size={18} stroke={2} aria-hidden />}
          >
            Upload new file
          </Button>
        </>
      }
    >
      <div className={classes.tools}>
        <SearchBox label="Search by file name" value={searchText} onSearch={search} />
        <StatusFilter chosen={filters} onChange={setFilter} />
      </div>
      {history.isError && history.data === undefined ? (
        <LoadFailure
          isFramed
          what="The history"
          failure={history.error}
          onRetry={() => void history.refetch()}
        />
      ) : (
        <HistoryTable
          rows={history.data?.data ?? null}
          isStale={history.isPlaceholderData}
          searchText={searchText}
          errorsPath={paths.fileError}
          receiptPath={paths.receipt}
          uploadPath={paths.fileUpload}
          onRetry={retry}
          isFiltered={statuses.length > 0}
          onShowAll={clear}
          retryingId={retrying.isPending ? retrying.variables : undefined}
        />
      )}
      {history.data && <Pager page={page} pageSize={pageSizes.default} {...history.data} onPage={goTo} />}
    </Page>
  )
}
