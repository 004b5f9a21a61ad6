import { VisuallyHidden } from '@mantine/core'
import type { RowKeyPart } from '@veridict/contract/model/cell-error'
import classes from './row-key.module.css'

export type RowKeyProps = {
  parts: readonly RowKeyPart[]
  /** Values only, in one line that is cut at its end. */
  isShort?: boolean
}

/** The values that identify a row, to be shown beside its number. */
export function RowKey({ parts, isShort = false }: RowKeyProps) {
  if (parts.length === 0) return null
  return (
    <span className={classes.key} data-short={isShort || undefined}>
      {parts.map(({ label, value }) => (
        <span key={label} className={classes.part} title={isShort ? `${label}: ${value}` : undefined}>
          <Label text={label} isHidden={isShort} />{' '}
          {value.trim() === '' ? <i className={classes.dim}>empty</i> : <b dir="auto">{value}</b>}
        </span>
      ))}
    </span>
  )
}

/** Screen readers read a hidden one, too. */
const Label = ({ text, isHidden }: { text: string; isHidden: boolean }) =>
  isHidden ? <VisuallyHidden>{text}</VisuallyHidden> : <span className={classes.dim}>{text}</span>
