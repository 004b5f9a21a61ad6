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

type ErrorCounts = Record<'recordsCount' | 'errorRowCount' | 'cellErrorCount', number | null>

export const errorFigures = (counts: ErrorCounts & { causesCount: number }): FigureProps[] => {
  const { recordsCount: records, errorRowCount: rows, cellErrorCount: cells, causesCount } = counts
  const of = records === null ? '' : texts.ofRows(records)
  return [
    { count: rows, of, name: texts.rowsWithErrors(rows ?? 0, records ?? rows ?? 0) },
    { count: cells, name: texts.cellsWithErrors(cells ?? 0) },
    { count: causesCount || null, name: texts.causesCount(causesCount) },
  ]
}

/** `count`: null leaves it out. */
type FigureProps = { count: number | null; of?: string; name: string }

/** A number above its name, read as one sentence: "500 of 38,210 rows with errors". */
function Figure({ count, of, name }: FigureProps) {
  if (count === null) return null
  return (
    <li>
      <span className={classes.count}>
        <b>{writeCount(count)}</b> {of}
      </span>{' '}
      <span className={classes.name}>{name}</span>
    </li>
  )
}
