import { Collapse } from '@mantine/core'
import { IconArrowRight, IconChevronRight } from '@tabler/icons-react'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { SkeletonRows } from '#ui/feedback/load-failure.tsx'
import { ActionButton, TextButton } from '#ui/forms/action-button.tsx'
import { BoldNames } from '#ui/text/cell-value.tsx'
import { isChange } from './before-after.tsx'
import classes from './error-rows.module.css'
import { ErrorTable, type ShownError, type ShownRow, RowKey } from './error-table.tsx'
import { useIsPrinting } from './use-is-printing.ts'

export type ErrorRowsProps = {
  /** undefined while loading. */
  rows: ShownRow[] | undefined
  /** Names the list: another one begins with its rows collapsed. @default '' */
  listKey?: string
  /** The rows are those of the previous page; the next one is loading. @default false */
  isStale?: boolean
  /** A row that is open, in view and focused. @default null */
  wantedRow?: number | null
  /** Called for a row with more errors than are shown; without it they are only counted. */
  onViewAll?: (rowNumber: number) => void
  /** Beside "Expand all". They keep the focus when the list changes. */
  tools?: ReactNode
}

/** The rows with errors, each of which expands. See docs/BEHAVIOUR.md#file-errors. */
export function ErrorRows({ rows, listKey = '', isStale = false, tools, ...list }: ErrorRowsProps) {
  const [open, setOpen] = useState<readonly number[]>([])
  const [openOf, setOpenOf] = useState(listKey)
  if (openOf !== listKey) {
    setOpenOf(listKey)
    setOpen([])
  }
  const allNumbers = () => (rows ?? []).map(({ rowNumber }) => rowNumber)
  return (
    <div>
      <div className={classes.tools}>
        <TextButton label="Expand all" onClick={() => setOpen(allNumbers())} />
        <span aria-hidden="true" className={classes.divider} />
        <TextButton label="Collapse all" onClick={() => setOpen([])} />
        {tools && <div className={classes.others}>{tools}</div>}
      </div>
      {rows === undefined ? (
        <SkeletonRows count={pageSizes.fileErrors} />
      ) : (
        <Rows key={listKey} {...{ rows, isStale, open, setOpen }} {...list} />
      )}
    </div>
  )
}

type OpenRows = {
  /** The numbers of the expanded rows. */
  open: readonly number[]
  setOpen: (change: (before: readonly number[]) => readonly number[]) => void
}

type RowsProps = Pick<ErrorRowsProps, 'isStale' | 'wantedRow' | 'onViewAll'> & OpenRows & { rows: ShownRow[] }

function Rows({ rows, isStale, wantedRow = null, onViewAll, open, setOpen }: RowsProps) {
  const isPrinting = useIsPrinting()
  const isListed = rows.some(({ rowNumber }) => rowNumber === wantedRow)
  const openWanted = useEffectEvent((wanted: number) => setOpen((before) => [...before, wanted]))
  useEffect(() => {
    if (isListed && wantedRow !== null) openWanted(wantedRow)
  }, [isListed, wantedRow])
  const toggle = (rowNumber: number) =>
    setOpen((before) =>
      before.includes(rowNumber) ? before.filter((other) => other !== rowNumber) : [...before, rowNumber],
    )
  return (
    <ul className={classes.rows} data-stale={isStale || undefined}>
      {rows.map((row) => (
        <ErrorRow
          key={row.rowNumber}
          row={row}
          isOpen={open.includes(row.rowNumber)}
          isWanted={row.rowNumber === wantedRow}
          isPrinting={isPrinting}
          onToggle={() => toggle(row.rowNumber)}
          onViewAll={onViewAll && (() => onViewAll(row.rowNumber))}
        />
      ))}
    </ul>
  )
}

type ErrorRowProps = {
  row: ShownRow
  isOpen: boolean
  isWanted: boolean
  isPrinting: boolean
  onToggle: () => void
  onViewAll?: () => void
}

/** Collapsed, it shows its first error. The table is rendered when first opened: most stay collapsed. */
function ErrorRow({ row, isOpen, isWanted, isPrinting, onToggle, onViewAll }: ErrorRowProps) {
  const { rowNumber, key, totalCount, columnValidationErrors: errors } = row
  const panelId = `row-${rowNumber}`
  const head = useRef<HTMLButtonElement>(null)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  useEffect(() => {
    if (!isWanted) return
    head.current?.focus({ preventScroll: true })
    head.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  return (
    <li className={classes.item}>
      <button
        ref={head}
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={onToggle}
      >
        <IconChevronRight size={18} stroke={2} className={classes.chevron} aria-hidden />
        <span className={classes.name}>{texts.rowLabel(rowNumber)}</span>
        {key.length > 0 && (
          <span className={classes.key}>
            <RowKey parts={key} isShort={!isOpen} />
          </span>
        )}
        <span className={classes.count}>{counted(totalCount, 'error')}</span>
        {!isOpen && errors.length > 0 && (
          <Preview rowNumber={rowNumber} first={errors[0]} more={totalCount - 1} />
        )}
      </button>
      {/* Hidden by its style alone, which paper overrides. */}
      <Collapse expanded={isOpen} id={panelId} keepMountedMode="display-none">
        {(wasOpen || isPrinting) && <OpenRow row={row} onViewAll={onViewAll} />}
      </Collapse>
    </li>
  )
}

type OpenRowProps = { row: ShownRow; onViewAll?: () => void }

function OpenRow({ row, onViewAll }: OpenRowProps) {
  const { rowNumber, totalCount, columnValidationErrors: errors } = row
  return (
    <div className={classes.panel}>
      <ErrorTable
        label={`Errors of row ${rowNumber}`}
        rows={[{ rowNumber, columnValidationErrors: errors }]}
      />
      {totalCount > errors.length && (
        <p className={classes.more}>
          {onViewAll && <ActionButton label="View all" variant="default" size="sm" onClick={onViewAll} />}
          <span>
            {errors.length} of {writeCount(totalCount)} errors shown
          </span>
        </p>
      )}
    </div>
  )
}

/** The first error in one line. */
function Preview({ rowNumber, first, more }: { rowNumber: number; first: ShownError; more: number }) {
  return (
    <span className={classes.preview} aria-hidden="true">
      <span className={classes.reference}>
        {first.columnPosition}
        {rowNumber}
      </span>
      <b className={classes.label}>{first.label}</b>
      <span className={classes.change}>
        <ShortValue value={first.value} />
        {isChange(first) && (
          <>
            <IconArrowRight size={13} stroke={2} className={classes.arrow} />
            <ShortValue value={first.suggestion!} tone="good" />
          </>
        )}
      </span>
      <span className={classes.sentence}>{first.rule ? <BoldNames text={first.error} /> : first.error}</span>
      {more > 0 && <span className={classes.rest}>+{writeCount(more)}</span>}
    </span>
  )
}

function ShortValue({ value, tone }: { value: string; tone?: 'good' }) {
  if (value === '') return <i className={classes.value}>empty</i>
  return (
    <code className={classes.value} data-tone={tone} dir="auto">
      {value}
    </code>
  )
}
