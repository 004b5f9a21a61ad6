import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import classes from './cause-place.module.css'

/** The column of a cause, by letter and name; or that it is about whole rows, or about the file. */
export function CausePlace({ cause: { columnPosition, label, cells } }: { cause: Cause }) {
  if (columnPosition === null || label === null)
    return <span className={classes.place}>{cells === 0 ? texts.wholeFile : texts.wholeRows}</span>
  return (
    <span className={classes.place}>
      <span className={classes.letter}>{columnPosition}</span>
      <BreakableName name={label} />
    </span>
  )
}
