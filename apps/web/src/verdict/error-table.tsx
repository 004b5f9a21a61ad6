import { VisuallyHidden } from '@mantine/core'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import type { CellError, RowKeyPart, RowReport } from '@veridict/contract/model/cell-error'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { BoldNames, Expectation } from '#ui/text/cell-value.tsx'
import { BeforeAfter } from './before-after.tsx'
import classes from './error-table.module.css'
import keyStyle from './row-key.module.css'
import sheet from './sheet-table.module.css'
import { SheetTable } from './sheet-table.tsx'

/** An error as rows show it, from a call or from the engine. */
export type ShownError = Omit<CellError, 'cause' | 'rule'> & { rule?: string | null }

/** A row with errors, of which `columnValidationErrors` may be only the first. */
export type ShownRow = Omit<RowReport, 'columnValidationErrors'> & { columnValidationErrors: ShownError[] }

export type ErrorTableProps = {
  label: string
  /** Their keys, if they are to be shown. */
  rows: readonly (Pick<ShownRow, 'rowNumber' | 'columnValidationErrors'> & Partial<Pick<ShownRow, 'key'>>)[]
  /** They are warnings. @default false */
  areWarnings?: boolean
}

export function ErrorTable({ label, rows, areWarnings = false }: ErrorTableProps) {
  return (
    <SheetTable
      aria-label={label}
      headers={['Col.', 'Label', areWarnings ? 'Warning' : 'Error', 'Value', 'Expected']}
      className={classes.table}
      data-tone={areWarnings ? 'warn' : undefined}
    >
      {rows.flatMap(({ rowNumber, key = [], columnValidationErrors }) =>
        columnValidationErrors.map((found, index) => (
          <tr key={`${rowNumber}-${index}`} role="row">
            <td role="cell" className={classes.place}>
              <Place {...found} rowNumber={rowNumber} />
            </td>
            <td role="cell" className={classes.label}>
              <BreakableName name={found.label} />
              <RowKey parts={key} />
            </td>
            <td role="cell" className={classes.error}>
              {found.rule ? <BoldNames text={found.error} /> : found.error}
            </td>
            <td role="cell" data-label="Value">
              <BeforeAfter value={found.value} suggestion={found.suggestion} />
            </td>
            <td role="cell" data-label="Expected">
              <Expectation text={found.expected} isRule={Boolean(found.rule)} />
            </td>
          </tr>
        )),
      )}
    </SheetTable>
  )
}

type PlaceProps = Pick<ShownError, 'columnPosition' | 'columns'> & { rowNumber: number }

/** The cell, and the other cells that its rule compares it with. */
function Place({ columnPosition, columns = [], rowNumber }: PlaceProps) {
  const others = columns.filter((column) => column !== columnPosition)
  return (
    <>
      <span className={sheet.reference} title={`Column ${columnPosition}, row ${rowNumber}`}>
        {columnPosition}
        <span className={classes.row}>{rowNumber}</span>
      </span>
      {others.length > 0 && (
        <span className={classes.others}>
          {texts.with} {others.map((column) => `${column}${rowNumber}`).join(', ')}
        </span>
      )}
    </>
  )
}

type RowKeyProps = {
  parts: readonly RowKeyPart[]
  /** Values only, in one line that is cut at its end. */
  isShort?: boolean
}

/** The values that identify a row, to be shown beside its number. */
export function RowKey({ parts, isShort = false }: RowKeyProps) {
  if (parts.length === 0) return null
  return (
    <span className={keyStyle.key} data-short={isShort || undefined}>
      {parts.map(({ label, value }) => (
        <span key={label} className={keyStyle.part} title={isShort ? `${label}: ${value}` : undefined}>
          <Label text={label} isHidden={isShort} />{' '}
          {value.trim() === '' ? <i className={keyStyle.dim}>empty</i> : <b dir="auto">{value}</b>}
        </span>
      ))}
    </span>
  )
}

/** Screen readers read a hidden one, too. */
const Label = ({ text, isHidden }: { text: string; isHidden: boolean }) =>
  isHidden ? <VisuallyHidden>{text}</VisuallyHidden> : <span className={keyStyle.dim}>{text}</span>
