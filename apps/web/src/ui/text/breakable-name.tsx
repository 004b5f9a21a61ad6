import { Fragment } from 'react'
import classes from './breakable-name.module.css'

/** A name without spaces, such as a file name, that can break after its separators. */
export function BreakableName({ name }: { name: string }) {
  return (
    <span className={classes.name}>
      {name.split(/(?<=[_.:\-/@])/u).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
