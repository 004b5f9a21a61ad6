import { Anchor, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './page.module.css'

/** One step of the breadcrumbs; the last one is the current screen and has no address. */
export type Crumb = { label: string; to?: string }

export type PageProps = {
  /** Title of the browser's tab; also the default heading. */
  title: string
  heading?: ReactNode
  crumbs?: Crumb[]
  /** A line under the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** For forms and texts. @default false */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a screen: breadcrumbs, title, actions, content. */
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

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {crumbs.map(({ label, to }) => (
          <li key={label}>
            {to === undefined ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Anchor component={Link} to={to} inherit>
                {label}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
