import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Names and values of one thing; a value that is missing is a dash. */
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
