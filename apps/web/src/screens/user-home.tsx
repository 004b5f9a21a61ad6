import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconUpload } from '@tabler/icons-react'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { historyQuery, useRetryIngestion } from '#features/submissions/api.ts'
import { HistoryTable } from '#features/submissions/history-table.tsx'
import { pollInterval, useLiveStatus } from '#features/submissions/live-status.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Pager } from '#ui/tables/pager.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useLastPage } from '#ui/tables/use-last-page.ts'
import { useListAddress } from '#ui/tables/use-list-address.ts'

/**
 * The home of company users: the history of their files, with live statuses. See docs/BEHAVIOUR.md#history.
 */
export function UserHome() {
  const { searchText, page, search, goTo } = useListAddress()
  const { isLive } = useLiveStatus()
  const history = useQuery({
    ...historyQuery(searchText, page),
    refetchInterval: (query) => pollInterval(query.state.data?.data, isLive),
  })
  useLastPage(history.data, page, goTo)
  const { mutate: retry, ...retrying } = useRetryIngestion()
  return (
    <Page
      title={submissionMessages.historyTitle}
      actions={
        <Button
          component={Link}
          to={paths.fileUpload}
          leftSection={<IconUpload size={18} stroke={2} aria-hidden />}
        >
          Upload new file
        </Button>
      }
    >
      <SearchBox label="Search by file name" value={searchText} onSearch={search} />
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
          uploadPath={paths.fileUpload}
          onRetry={retry}
          onClearSearch={() => search('')}
          retryingId={retrying.isPending ? retrying.variables : undefined}
        />
      )}
      {history.data && <Pager page={page} pageSize={pageSizes.default} {...history.data} onPage={goTo} />}
    </Page>
  )
}
