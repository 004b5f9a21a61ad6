import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { CellValue } from '#ui/text/cell-value.tsx'
import classes from './before-after.module.css'

export type BeforeAfterProps = {
  /** The name of the column in which the value stands, where the text around it does not say that. */
  label?: string
  value: string
  /** null shows the value alone. */
  suggestion: string | null
  /** How many cells have this value; null shows no number. @default null */
  count?: number | null
}

/** Whether a value changes: a cell that its row lacks stays empty. */
export const isChange = ({ value, suggestion }: BeforeAfterProps): boolean =>
  suggestion !== null && suggestion !== value

/** A value as it is, and as it would be right. */
export function BeforeAfter({ label, value, suggestion, count = null }: BeforeAfterProps) {
  return (
    <span className={classes.change}>
      {label !== undefined && <BreakableName name={label} />}
      <CellValue value={value} />
      {isChange({ value, suggestion }) && <Suggestion value={suggestion!} />}
      {count !== null && count > 1 && <span className={classes.count}>{texts.times(count)}</span>}
    </span>
  )
}

/** An arrow and the value that would be right, for use after a value. */
export function Suggestion({ value }: { value: string }) {
  return (
    <span className={classes.suggestion}>
      <IconArrowRight size={14} stroke={2} className={classes.arrow} aria-hidden />
      <VisuallyHidden>{texts.suggestion}</VisuallyHidden>
      <CellValue value={value} tone="good" />
    </span>
  )
}

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
