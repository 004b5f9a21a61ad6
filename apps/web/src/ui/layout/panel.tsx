import { writeCount } from '@veridict/contract/notation/count'
import type { ReactNode } from 'react'
import classes from './panel.module.css'

export type PanelProps = { title: string; count?: number; actions?: ReactNode; children: ReactNode }

/** A titled section of a screen. */
export function Panel({ title, count, actions, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      <header className={classes.head}>
        <h2>
          {title}
          {count !== undefined && <span className={classes.count}>{writeCount(count)}</span>}
        </h2>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
