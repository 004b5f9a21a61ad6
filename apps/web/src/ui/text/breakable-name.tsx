import { Fragment } from 'react'
import classes from './breakable-name.module.css'

/** A name without spaces that may break, where it must, after its separators first. */
export function BreakableName({ name }: { name: string }) {
  return (
    <span className={classes.name}>
      {name.split(/(?<=[_.\-/@])/u).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
