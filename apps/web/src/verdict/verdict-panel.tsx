import { IconCircleX } from '@tabler/icons-react'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { writeCount } from '@veridict/contract/notation/count'
import type { ReactNode } from 'react'
import classes from './verdict-panel.module.css'

export type VerdictPanelProps = {
  /** The verdict in two or three words. */
  title: string
  recordsCount: number | null
  errorRowCount: number | null
  cellErrorCount: number | null
  causesCount: number
  /** A line below the figures. */
  note?: ReactNode
  /** The list of causes. */
  children?: ReactNode
}

/** The verdict on a file with errors, for one glance: the word, the figures, the causes. */
export function VerdictPanel({ title, note, children, ...counts }: VerdictPanelProps) {
  const { recordsCount, errorRowCount, cellErrorCount, causesCount } = counts
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.head}>
        <p className={classes.verdict}>
          <IconCircleX size={30} stroke={1.7} aria-hidden />
          {title}
        </p>
        <ul className={classes.figures}>
          {errorRowCount !== null && (
            <Figure
              count={errorRowCount}
              of={recordsCount === null ? undefined : texts.ofRows(recordsCount)}
              name={texts.rowsWithErrors(recordsCount ?? errorRowCount)}
            />
          )}
          {cellErrorCount !== null && (
            <Figure count={cellErrorCount} name={texts.cellsWithErrors(cellErrorCount)} />
          )}
          {causesCount > 0 && <Figure count={causesCount} name={texts.causesCount(causesCount)} />}
        </ul>
      </div>
      {note && <div className={classes.note}>{note}</div>}
      {children}
    </section>
  )
}

/** A number above its name, read as one sentence: "500 of 38,210 rows with errors". */
function Figure({ count, of, name }: { count: number; of?: string; name: string }) {
  return (
    <li>
      <span className={classes.count}>
        <b>{writeCount(count)}</b> {of}
      </span>{' '}
      <span className={classes.name}>{name}</span>
    </li>
  )
}
