import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** A list of names and values; an empty value shows as a dash. */
export function Facts({ facts }: { facts: { name: string; value: ReactNode; action?: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, action }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === '' ? '–' : value}</dd>
          {action && <dd className={classes.action}>{action}</dd>}
        </div>
      ))}
    </dl>
  )
}
