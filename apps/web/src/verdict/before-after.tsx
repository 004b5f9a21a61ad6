import { IconArrowRight } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import { reportMessages as texts } from '@veridict/contract/messages/report'
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

/** A value as it is, and as it would be right. */
export function BeforeAfter({ label, value, suggestion, count = null }: BeforeAfterProps) {
  return (
    <span className={classes.change}>
      {label !== undefined && <BreakableName name={label} />}
      <CellValue value={value} />
      {suggestion !== null && <Suggestion value={suggestion} />}
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
