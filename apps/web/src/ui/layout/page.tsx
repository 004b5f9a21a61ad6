import { Skeleton, Title } from '@mantine/core'
import { writeCount } from '@veridict/contract/notation/count'
import type { ReactNode } from 'react'
import { LoadFailure, type LoadFailureProps, SkeletonRows } from '#ui/feedback/load-failure.tsx'
import { TextLink } from '#ui/forms/action-button.tsx'
import list from './facts.module.css'
import loading from './loading-page.module.css'
import classes from './page.module.css'
import panel from './panel.module.css'

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

type FailedPageProps = Omit<PageProps, 'children'> & Pick<LoadFailureProps, 'what' | 'query'>

/** A screen whose content could not be loaded. */
export const FailedPage = ({ what, query, ...frame }: FailedPageProps) => (
  <Page {...frame}>
    <LoadFailure isFramed what={what} query={query} />
  </Page>
)

function Breadcrumbs({ above, current }: { above: readonly Crumb[]; current: string }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {above.map(({ label, to }) => (
          <li key={to}>
            <TextLink label={label} to={to} inherit />
          </li>
        ))}
        <li>
          <span aria-current="page">{current}</span>
        </li>
      </ol>
    </nav>
  )
}

type PanelProps = { title: string; count?: number; actions?: ReactNode; children: ReactNode }

export function Panel({ title, count, actions, children }: PanelProps) {
  return (
    <section className={panel.panel} aria-label={title}>
      <header className={panel.head}>
        <h2>
          {title}
          {count !== undefined && <span className={panel.count}>{writeCount(count)}</span>}
        </h2>
        {actions && <div className={panel.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}

type Fact = { name: ReactNode; value: ReactNode; action?: ReactNode }

/** A list of names and values; an empty value shows as a dash. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={list.facts}>
      {facts.map(({ name, value, action }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value === '' ? '–' : value}</dd>
          {action && <dd className={list.action}>{action}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** A placeholder for a screen whose title is still loading, with the heights of the later content. */
export function LoadingPage() {
  return (
    <Page
      title="Loading"
      heading={
        <>
          <Skeleton height={12} width={180} component="span" display="block" className={loading.trail} />
          <Skeleton height={36} width="min(340px, 80%)" component="span" display="block" />
        </>
      }
    >
      <Part rows={2} />
      <Part rows={5} />
    </Page>
  )
}

function Part({ rows }: { rows: number }) {
  return (
    <div className={loading.part}>
      <div className={loading.head}>
        <Skeleton height={20} width={130} />
      </div>
      <SkeletonRows count={rows} />
    </div>
  )
}
