import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx'
import classes from './page.module.css'

export type PageProps = {
  /** Name of the browser's tab, and the heading where none is given. */
  title: string
  heading?: ReactNode
  crumbs?: Crumb[]
  /** A line under the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Forms and reading pages are narrower than tables. */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a screen: trail, title, its actions, and the content. */
export function Page({ title, heading = title, crumbs, lead, actions, narrow = false, children }: PageProps) {
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <title>{`${title} · Veridict`}</title>
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <header className={classes.head}>
        <div className={classes.heading}>
          <Title order={1} className={classes.title}>
            {heading}
          </Title>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
