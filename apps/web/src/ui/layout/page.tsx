import { Anchor, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './page.module.css'

/** A step of the breadcrumbs. */
export type Crumb = { label: string; to: string }

export type PageProps = {
  /** Title of the browser's tab; also the default heading. */
  title: string
  heading?: ReactNode
  /** The screens above this one, from the home on. */
  above?: readonly Crumb[]
  /** The name of this screen in the breadcrumbs, where its title is another. */
  crumb?: string
  /** A line under the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** For forms and texts. @default false */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a screen: breadcrumbs, title, actions, content. */
export function Page({ title, heading = title, above, crumb = title, lead, actions, ...page }: PageProps) {
  const { narrow = false, children } = page
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <title>{`${title} · Veridict`}</title>
      {above && <Breadcrumbs above={above} current={crumb} />}
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

function Breadcrumbs({ above, current }: { above: readonly Crumb[]; current: string }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {above.map(({ label, to }) => (
          <li key={to}>
            <Anchor component={Link} to={to} inherit>
              {label}
            </Anchor>
          </li>
        ))}
        <li>
          <span aria-current="page">{current}</span>
        </li>
      </ol>
    </nav>
  )
}
