import { Modal, VisuallyHidden } from '@mantine/core'
import type { AuditEntryItem } from '@veridict/contract/api/audit-trail'
import {
  auditActionNames,
  auditMessages as texts,
  auditValueName,
  auditValueTexts,
} from '@veridict/contract/messages/audit-trail'
import type { AuditValue } from '@veridict/contract/model/audit-action'
import { writeCount } from '@veridict/contract/notation/count'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { ActionButton, TextButton } from '#ui/forms/action-button.tsx'
import { type Column, TimeStamp } from '#ui/tables/data-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { formatTime } from '#ui/text/format.ts'
import classes from './audit-columns.module.css'
import type { AuditFilter } from './audit-filters.tsx'

/** The columns of the audit trail. A person or a company is searched for when it is chosen. */
export const auditColumns = (onFilter: (changed: Partial<AuditFilter>) => void): Column<AuditEntryItem>[] => [
  {
    header: texts.columns.action,
    width: '24%',
    lead: true,
    cell: ({ action, subject }) => (
      <span className={classes.pair}>
        <span>{auditActionNames[action]}</span>
        <span className={classes.second}>
          <BreakableName name={subject} />
        </span>
      </span>
    ),
  },
  { header: texts.change, cell: (entry) => <AuditDetail entry={entry} /> },
  {
    header: texts.columns.actor,
    width: '20%',
    cell: ({ actor, address }) => (
      <span className={classes.pair}>
        {actor === null ? (
          <span>{address === null ? texts.nobody : texts.visitor}</span>
        ) : (
          <FilterButton name={actor.email} onClick={() => onFilter({ search: actor.email })} />
        )}
        {address !== null && (
          <span className={classes.second}>
            <BreakableName name={address} />
          </span>
        )}
      </span>
    ),
  },
  {
    header: texts.columns.company,
    width: '14%',
    cell: ({ company }) =>
      company && <FilterButton name={company.name} onClick={() => onFilter({ search: company.name })} />,
  },
  { header: texts.at, width: '190px', cell: ({ at }) => <TimeStamp at={at} /> },
]

const FilterButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <TextButton
    label={<BreakableName name={name} />}
    inherit
    className={classes.filter}
    title={texts.onlyOf(name)}
    onClick={onClick}
  />
)

/** Changes that a row shows, and characters of one: two or three lines. All of them are in the dialog. */
const MAX_LINES = 3
const MAX_LENGTH = 50

type Line = { name: string; before?: string; after?: string }

/** What changed, before → after; long changes open a dialog. */
function AuditDetail({ entry }: { entry: AuditEntryItem }) {
  const lines = linesOf(entry)
  if (lines.length === 0) return null
  const isLong = ({ name, before = '', after = '' }: Line) =>
    name.length + before.length + after.length > MAX_LENGTH
  const hasMore = lines.length > MAX_LINES || lines.some(isLong)
  const title = texts.detailsOf(auditActionNames[entry.action], entry.subject)
  return (
    <div className={classes.detail}>
      <Lines lines={lines.slice(0, MAX_LINES)} isShort />
      {hasMore && (
        <TextButton
          label={texts.allDetails}
          fz={13}
          aria-label={`${texts.allDetails}: ${title}`}
          onClick={() => openDialog(DetailDialog, { title, at: entry.at, lines })}
        />
      )}
    </div>
  )
}

type DetailDialogProps = { title: string; at: string; lines: readonly Line[]; onClose: () => void }

const DetailDialog = ({ title, at, lines, onClose }: DetailDialogProps) => (
  <Modal opened onClose={onClose} title={title} size="lg">
    <p className={classes.time}>{formatTime(new Date(at))}</p>
    <Lines lines={lines} />
    <div className={classes.foot}>
      <ActionButton label="Close" variant="default" onClick={onClose} />
    </div>
  </Modal>
)

const Lines = ({ lines, isShort = false }: { lines: readonly Line[]; isShort?: boolean }) => (
  <dl className={classes.lines} data-short={isShort || undefined}>
    {lines.map(({ name, before, after }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {before !== undefined && <del className={classes.before}>{before}</del>}
          {before !== undefined && after !== undefined && (
            <>
              <VisuallyHidden> {texts.changedTo} </VisuallyHidden>
              <span aria-hidden="true"> → </span>
            </>
          )}
          {after !== undefined && <span>{after}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

function linesOf({ detail: { before = {}, after = {} } }: AuditEntryItem): Line[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  // The longest and least telling value last.
  return names
    .toSorted((a, b) => Number(a === 'sha256') - Number(b === 'sha256'))
    .map((name) => ({
      name: auditValueName(name),
      ...(name in before && { before: inWords(name, before[name]) }),
      ...(name in after && { after: inWords(name, after[name]) }),
    }))
}

/** Other numbers are names, such as that of a submission. */
const counts = new Set(['recordsCount', 'errorRowCount', 'bytes', 'sessions'])

function inWords(name: string, value: AuditValue | undefined): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return counts.has(name) ? writeCount(value) : String(value)
  return typeof value === 'string' ? (auditValueTexts[value] ?? value) : value.join(', ')
}
