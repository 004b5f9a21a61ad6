import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { ReactNode, RefObject } from 'react'
import classes from './rows-section.module.css'

export type RowsSectionProps = {
  /** Which rows are listed; '' where these are all. */
  text: string
  /** Takes the focus when a cause is chosen. */
  ref: RefObject<HTMLElement | null>
  children: ReactNode
}

/** The rows with errors, under their heading. */
export const RowsSection = ({ text, ref, children }: RowsSectionProps) => (
  <section ref={ref} tabIndex={-1} aria-label={texts.rows} className={classes.rows}>
    <div className={classes.head}>
      <h2>{texts.rows}</h2>
      <p role="status">{text}</p>
    </div>
    {children}
  </section>
)
