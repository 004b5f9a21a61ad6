import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { paths } from '#app/paths.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton, TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { actionsColumn, type Column, TimeStamp } from '#ui/tables/data-table.tsx'
import { PagedTable, type PagedTableProps } from '#ui/tables/paged-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Count } from '#ui/text/count.tsx'
import classes from './history-table.module.css'
import { StatusAnnouncer, StatusLabel, verdictLinks } from './status-label.tsx'

export type HistoryTableProps = Pick<PagedTableProps<SubmissionItem>, 'query' | 'page' | 'onPage'> & {
  searchText: string
  /** Only files of some statuses are shown. */
  isFiltered: boolean
  onRetry: (id: number) => void
  onShowAll: () => void
  /** The submission whose retry is running. */
  retryingId: number | undefined
}

/** The uploaded files, with the one action that a status offers. See docs/BEHAVIOUR.md#history. */
export function HistoryTable({ query, page, onPage, onRetry, retryingId, ...empty }: HistoryTableProps) {
  return (
    <>
      <PagedTable
        label={texts.historyTitle}
        what="The history"
        columns={historyColumns({ onRetry, retryingId })}
        rowKey={({ id }) => id}
        query={query}
        page={page}
        onPage={onPage}
        empty={<EmptyHistory {...empty} />}
      />
      <StatusAnnouncer rows={query.data?.data ?? null} />
    </>
  )
}

type ActionOptions = Pick<HistoryTableProps, 'onRetry' | 'retryingId'>

const historyColumns = ({ onRetry, retryingId }: ActionOptions): Column<SubmissionItem>[] => [
  { header: 'File', width: '29%', lead: true, cell: ({ fileName }) => <FileName name={fileName} /> },
  {
    header: 'File type',
    width: '15%',
    cell: ({ dataDictionaryName }) => <BreakableName name={dataDictionaryName} />,
  },
  { header: 'Records', align: 'end', cell: ({ recordsCount }) => <Count count={recordsCount} /> },
  {
    header: 'Uploaded on',
    width: '252px',
    cell: ({ createdAt, uploadedBy }) => <TimeStamp at={createdAt} by={uploadedBy} />,
  },
  { header: 'Processing status', width: '186px', aside: true, cell: (row) => <StatusLabel {...row} /> },
  actionsColumn('142px', (row) => <Action row={row} onRetry={onRetry} isRetrying={retryingId === row.id} />),
]

/** A file name with a tag that shows its extension. */
function FileName({ name }: { name: string }) {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1].toLowerCase() ?? 'file'
  return (
    <span className={classes.file}>
      <span className={classes.kind} data-kind={extension} aria-hidden="true">
        {extension}
      </span>
      <BreakableName name={name} />
    </span>
  )
}

type ActionProps = Omit<ActionOptions, 'retryingId'> & { row: SubmissionItem; isRetrying: boolean }

function Action({ row, onRetry, isRetrying }: ActionProps) {
  const { id, status, fileName } = row
  if (status === SubmissionStatus.IngestionFailed) {
    return (
      <TextButton
        label={texts.retry}
        className={classes.action}
        disabled={isRetrying}
        onClick={() => onRetry(id)}
      />
    )
  }
  const links = verdictLinks(row)
  if (links.length === 0) return null
  // Named after what they open, described by the name of the file.
  return (
    <span className={classes.actions}>
      {links.map(({ to, text }) => (
        <TextLink label={text} key={to} to={to} className={classes.action} aria-describedby={`file-${id}`} />
      ))}
      <span id={`file-${id}`} hidden>
        {fileName}
      </span>
    </span>
  )
}

type EmptyHistoryProps = Pick<HistoryTableProps, 'searchText' | 'isFiltered' | 'onShowAll'>

function EmptyHistory({ searchText, isFiltered, onShowAll }: EmptyHistoryProps) {
  if (searchText !== '' || isFiltered) {
    return (
      <NoticeBlock
        picture="quiet"
        title={texts.empty}
        text={isFiltered ? texts.noneWithStatus(searchText) : texts.noneWithName(searchText)}
        action={<ActionButton label="Show all files" variant="default" onClick={onShowAll} />}
      />
    )
  }
  return (
    <NoticeBlock
      picture="quiet"
      title={texts.empty}
      text="The files you upload appear here, each with its verdict."
      action={<ActionButton label="Upload your first file" to={paths.fileUpload} />}
    />
  )
}
