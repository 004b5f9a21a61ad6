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
          {isShort ? <VisuallyHidden>{label}</VisuallyHidden> : <span className={classes.dim}>{label}</span>}{' '}
          {value.trim() === '' ? <i className={classes.dim}>empty</i> : <b dir="auto">{value}</b>}
        </span>
      ))}
    </span>
  )
}
