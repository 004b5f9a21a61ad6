import type { ReactNode } from 'react'
import classes from './facts.module.css'

type Fact = { name: ReactNode; value: ReactNode; action?: ReactNode }

/** A list of names and values; an empty value shows as a dash. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, action }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value === '' ? '–' : value}</dd>
          {action && <dd className={classes.action}>{action}</dd>}
        </div>
      ))}
    </dl>
  )
}
