import { Skeleton, Tooltip } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { createStore } from '#lib/store.ts'
import { LoadFailure, type LoadFailureProps } from '#ui/feedback/load-failure.tsx'
import { TextButton } from '#ui/forms/action-button.tsx'
import { formatTime, relativeTime } from '#ui/text/format.ts'
import classes from './data-table.module.css'

export type Column<Row> = {
  /** Also the key of the column. */
  header: string
  cell: (row: Row) => ReactNode
  /** 'end' for numbers, so that their digits line up. @default 'start' */
  align?: 'start' | 'end'
  /** CSS width on wide screens. */
  width?: string
  /** Names the row: the headline of the card that a row becomes on narrow screens. */
  lead?: boolean
  /** Stands beside the headline of the card. */
  aside?: boolean
}

export const actionsColumn = <Row,>(width: string, cell: Column<Row>['cell']): Column<Row> => ({
  header: 'Actions',
  width,
  cell,
})

export type DataTableProps<Row> = {
  /** What the table lists, for screen readers. */
  label: string
  columns: Column<Row>[]
  /** null while loading. */
  rows: Row[] | null
  rowKey: (row: Row) => React.Key
  /** Shown instead of rows if there are none. */
  empty: ReactNode
  /** The number of skeleton rows while loading. @default 5 */
  skeletonRows?: number
  /** The rows are those of the previous page; the next one is loading. */
  stale?: boolean
}

/** Rows are cards on narrow screens. Roles are explicit: browsers drop them with `display: block`. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
  skeletonRows = 5,
  stale = false,
}: DataTableProps<Row>) {
  if (rows?.length === 0) {
    return (
      <div className={classes.frame} tabIndex={-1}>
        {empty}
      </div>
    )
  }
  return (
    <div className={classes.frame} data-stale={stale || undefined} tabIndex={-1}>
      <table role="table" aria-label={label} aria-busy={rows === null || stale} className={classes.table}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header, align = 'start', width }) => (
              <th key={header} role="columnheader" scope="col" data-align={align} style={{ width }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows === null
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow key={index} index={index} columns={columns} />
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} role="row">
                  {columns.map(({ header, cell, align = 'start', lead = false, aside = false }) => (
                    <td
                      key={header}
                      role="cell"
                      data-label={header}
                      data-align={align}
                      data-lead={lead || undefined}
                      data-aside={aside || undefined}
                    >
                      <div className={classes.cell}>{cell(row)}</div>
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

export type ListTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'stale'> & {
  /** What could not be loaded, after a failure. */
  what: string
  query: LoadFailureProps['query'] & { data: Row[] | undefined; isError: boolean }
}

/** A table of a whole list that also shows the states loading and failed. */
export function ListTable<Row>({ what, query, ...table }: ListTableProps<Row>) {
  if (query.isError && query.data === undefined) return <LoadFailure isFramed what={what} query={query} />
  return <DataTable {...table} rows={query.data ?? null} />
}

/** Widths differ from row to row, so that the skeletons look like text. */
function SkeletonRow<Row>({ index, columns }: { index: number; columns: Column<Row>[] }) {
  return (
    <tr role="row" aria-hidden="true">
      {columns.map(({ header, align = 'start', lead = false }, column) => (
        <td key={header} role="cell" data-label={header} data-align={align} data-lead={lead || undefined}>
          <div className={classes.cell}>
            <Skeleton
              height={12}
              width={lead ? `${58 + ((index * 17) % 30)}%` : 48 + ((index * 23 + column * 31) % 52)}
            />
          </div>
        </td>
      ))}
    </tr>
  )
}

export type RowAction = { label: string; Icon: TablerIcon } & ({ to: string } | { onClick: () => void })

/** `of` names the row for screen readers. Plain elements: with the kit's, 1,000 rows took 1.5 s. */
export function RowActions({ of, actions }: { of: string; actions: RowAction[] }) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const show = (event: { target: EventTarget }) =>
    setTarget((event.target as Element).closest<HTMLElement>('[data-label]'))
  const hide = () => setTarget(null)
  return (
    <div
      className={classes.actions}
      role="group"
      aria-label={`Actions for ${of}`}
      onPointerOver={show}
      onPointerLeave={hide}
      onClick={hide}
      onFocus={show}
      onBlur={hide}
    >
      {actions.map((action) => {
        const { label, Icon } = action
        const look = { className: classes.action, 'data-label': label, 'aria-label': `${label} ${of}` }
        const icon = <Icon size={19} stroke={1.7} aria-hidden />
        return 'to' in action ? (
          <Link key={label} {...look} to={action.to}>
            {icon}
          </Link>
        ) : (
          <button key={label} {...look} type="button" onClick={action.onClick}>
            {icon}
          </button>
        )
      })}
      {target?.isConnected && <Tooltip target={target} label={target.dataset.label} opened />}
    </div>
  )
}

/** An action of a row in words. `of` names the row for screen readers. */
export const TextAction = ({ label, of, onClick }: { label: string; of: string; onClick: () => void }) => (
  <TextButton label={label} c="gray.8" fw={500} fz={14.5} aria-label={`${label} ${of}`} onClick={onClick} />
)

type TimeStampProps = {
  at: string
  /** The name of who did it. */
  by?: string
}

/** Date and time in the browser's time zone, below it how long ago that was (for a week) and by whom. */
export function TimeStamp({ at, by }: TimeStampProps) {
  const moment = new Date(at)
  const ago = relativeTime(moment, useNow())
  return (
    <span className={classes.time}>
      <time dateTime={at}>{formatTime(moment)}</time>
      {(ago !== null || by !== undefined) && (
        <span className={classes.ago}>
          {ago} {by !== undefined && <span className={classes.by}>by {by}</span>}
        </span>
      )}
    </span>
  )
}

const MINUTE = 60_000
const now = createStore(Date.now())
setInterval(() => now.set(Date.now()), MINUTE)

/** The current time in milliseconds, updated once a minute. All components share one timer. */
export const useNow = (): number => useSyncExternalStore(now.subscribe, now.get)
