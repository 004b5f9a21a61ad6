import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { writeCount } from '@veridict/contract/notation/count'
import type { ReactNode } from 'react'
import classes from './verdict-panel.module.css'

export type VerdictPanelProps = {
  /** The verdict in two or three words. */
  title: string
  /** @default false */
  isGood?: boolean
  figures: readonly FigureProps[]
  /** A line below the figures. */
  note?: ReactNode
  /** The list of causes. */
  children?: ReactNode
}

/** The verdict on a file, for one glance: the word, the figures, the causes. */
export function VerdictPanel({ title, isGood = false, figures, note, children }: VerdictPanelProps) {
  const Icon = isGood ? IconCircleCheck : IconCircleX
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.head}>
        <p className={classes.verdict} data-tone={isGood ? 'good' : undefined}>
          <Icon size={30} stroke={1.7} aria-hidden />
          {title}
        </p>
        <ul className={classes.figures}>
          {figures.map((figure) => (
            <Figure key={figure.name} {...figure} />
          ))}
        </ul>
      </div>
      {note && <div className={classes.note}>{note}</div>}
      {children}
    </section>
  )
}

type ErrorCounts = {
  recordsCount: number | null
  errorRowCount: number | null
  cellErrorCount: number | null
  causesCount: number
}

/** The figures of a file with errors, as far as they are known. */
export function errorFigures({ recordsCount, errorRowCount, cellErrorCount, causesCount }: ErrorCounts) {
  const figures: FigureProps[] = []
  if (errorRowCount !== null) {
    const of = recordsCount === null ? undefined : texts.ofRows(recordsCount)
    figures.push({ count: errorRowCount, of, name: texts.rowsWithErrors(recordsCount ?? errorRowCount) })
  }
  if (cellErrorCount !== null)
    figures.push({ count: cellErrorCount, name: texts.cellsWithErrors(cellErrorCount) })
  if (causesCount > 0) figures.push({ count: causesCount, name: texts.causesCount(causesCount) })
  return figures
}

type FigureProps = { count: number; of?: string | undefined; name: string }

/** A number above its name, read as one sentence: "500 of 38,210 rows with errors". */
function Figure({ count, of, name }: FigureProps) {
  return (
    <li>
      <span className={classes.count}>
        <b>{writeCount(count)}</b> {of}
      </span>{' '}
      <span className={classes.name}>{name}</span>
    </li>
  )
}
