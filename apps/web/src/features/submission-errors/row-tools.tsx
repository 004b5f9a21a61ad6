import { Select, TextInput } from '@mantine/core'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { Cause } from '@veridict/contract/model/cause'
import { type FormEvent, useState } from 'react'
import { useFirstFrame } from '#verdict/rows-section.tsx'
import classes from './row-tools.module.css'

type ColumnFilterProps = {
  causes: readonly Cause[]
  /** The letters of the chosen column. */
  column: string | null
  onChange: (column: string | null) => void
}

/**
 * Its hidden list comes a frame after the rows: otherwise the browser lays out the whole page twice. A list
 * that comes only when it opens is not announced as open.
 */
export function ColumnFilter({ causes, column, onChange }: ColumnFilterProps) {
  const isFirstFrame = useFirstFrame()
  const columns = new Map(
    causes.flatMap(({ columnPosition, label }) =>
      columnPosition === null ? [] : [[columnPosition, label ?? ''] as const],
    ),
  )
  if (columns.size < 2) return null
  const options = [...columns]
    .sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
    .map(([letters, label]) => ({ value: letters, label: `${letters}  ${label}` }))
  return (
    <Select
      size="sm"
      aria-label={texts.column}
      className={classes.column}
      data={[{ value: '', label: texts.allColumns }, ...options]}
      value={column ?? ''}
      onChange={(value) => onChange(value === '' ? null : value)}
      comboboxProps={{ keepMounted: !isFirstFrame }}
      searchable={columns.size > 8}
    />
  )
}

/** Opens a row by its number. `onGo` returns why it cannot. */
export function GoToRow({ onGo }: { onGo: (rowNumber: number) => Promise<string | null> }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const number = text.trim().replaceAll(',', '')
    setFault(/^[1-9]\d{0,8}$/.test(number) ? await onGo(Number(number)) : texts.rowNumberWanted)
  }
  return (
    <form className={classes.goTo} onSubmit={(event) => void submit(event)}>
      <TextInput
        size="sm"
        aria-label={texts.goToRow}
        placeholder={texts.goToRow}
        inputMode="numeric"
        enterKeyHint="go"
        maxLength={12}
        value={text}
        error={fault}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(null)
        }}
      />
    </form>
  )
}
