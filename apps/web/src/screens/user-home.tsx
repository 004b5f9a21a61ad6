import { IconFileExport, IconUpload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { exportSubmissions } from '@veridict/contract/api/submissions'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus, unsettledStatuses } from '@veridict/contract/model/submission-status'
import { paths } from '#app/paths.ts'
import { historyQuery, pollInterval, useLiveStatus, useRetryIngestion } from '#features/submissions/api.ts'
import { HistoryTable } from '#features/submissions/history-table.tsx'
import { download } from '#lib/http/download.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'
import classes from './user-home.module.css'

/** The history of their files, with live statuses. See docs/BEHAVIOUR.md#history. */
export function UserHome() {
  const { searchText, filters, page, search, setFilter, clear, goTo } = useListAddress()
  const statuses = statusesOf(filters)
  const isLive = useLiveStatus()
  const history = useQuery({
    ...historyQuery(searchText, statuses, page),
    refetchInterval: (query) => pollInterval(query.state.data?.data, isLive),
  })
  const exporting = useMutation({
    mutationFn: () =>
      download(exportSubmissions, {
        query: { SearchText: searchText, ...(statuses.length > 0 && { Status: statuses }) },
      }),
  })
  const { mutate: retry, ...retrying } = useRetryIngestion()
  return (
    <Page
      title={texts.historyTitle}
      actions={
        <>
          <ActionButton
            label={texts.exportHistory}
            variant="default"
            isBusy={exporting.isPending}
            Icon={IconFileExport}
            onClick={() => exporting.mutate()}
          />
          <ActionButton label="Upload new file" to={paths.fileUpload} Icon={IconUpload} />
        </>
      }
    >
      <div className={classes.tools}>
        <SearchBox label="Search by file name" value={searchText} onSearch={search} />
        <StatusFilter chosen={filters} onChange={setFilter} />
      </div>
      <HistoryTable
        query={history}
        page={page}
        onPage={goTo}
        searchText={searchText}
        onRetry={retry}
        isFiltered={statuses.length > 0}
        onShowAll={clear}
        retryingId={retrying.isPending ? retrying.variables : undefined}
      />
    </Page>
  )
}

/** The choices; the statuses before a verdict are one of them. `name` stands in the address. */
const groups = [
  { name: 'in-progress', label: texts.inProgress, statuses: unsettledStatuses },
  { name: 'validation-error', label: texts.validationError, statuses: [SubmissionStatus.ValidationFailed] },
  { name: 'success', label: texts.success, statuses: [SubmissionStatus.IngestionSuccess] },
  { name: 'storage-error', label: texts.storageError, statuses: [SubmissionStatus.IngestionFailed] },
  { name: 'file-removed', label: texts.fileRemoved, statuses: [SubmissionStatus.IngestionFileNotFound] },
] as const

/** The statuses that the names in the address stand for; unknown names are ignored. */
const statusesOf = (names: readonly string[]): SubmissionStatus[] =>
  groups.filter(({ name }) => names.includes(name)).flatMap(({ statuses }) => statuses)

type StatusFilterProps = { chosen: readonly string[]; onChange: (chosen: string[]) => void }

/** Shows files of some statuses only; with none chosen, all. */
function StatusFilter({ chosen, onChange }: StatusFilterProps) {
  const known = groups.map(({ name }) => name).filter((name) => chosen.includes(name))
  const toggle = (name: (typeof known)[number]) =>
    onChange(known.includes(name) ? known.filter((other) => other !== name) : [...known, name])
  return (
    <div role="group" aria-label={texts.statusFilter} className={classes.filter}>
      {groups.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className={classes.choice}
          aria-pressed={known.includes(name)}
          onClick={() => toggle(name)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
