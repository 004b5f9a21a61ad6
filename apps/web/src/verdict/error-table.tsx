import { reportMessages as texts } from '@veridict/contract/messages/report'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Expectation } from '#ui/text/cell-value.tsx'
import { BoldNames } from '#ui/text/bold-names.tsx'
import { BeforeAfter } from './before-after.tsx'
import sheet from './sheet-table.module.css'
import { RowKey } from './row-key.tsx'
import type { ShownError, ShownRow } from './shown-row.ts'
import classes from './error-table.module.css'

export type ErrorTableProps = {
  label: string
  /** Their keys, if they are to be shown. */
  rows: readonly (Pick<ShownRow, 'rowNumber' | 'columnValidationErrors'> & Partial<Pick<ShownRow, 'key'>>)[]
  /** They are warnings. @default false */
  areWarnings?: boolean
}

/**
 * The errors of some rows: cell, label, error, value and what is expected. On narrow screens each error is a
 * block. The roles are explicit, as in `ui/tables/data-table.tsx`.
 */
export function ErrorTable({ label, rows, areWarnings = false }: ErrorTableProps) {
  const error = areWarnings ? 'Warning' : 'Error'
  return (
    <table
      role="table"
      aria-label={label}
      className={`${sheet.table} ${classes.table}`}
      data-tone={areWarnings ? 'warn' : undefined}
    >
      <thead role="rowgroup">
        <tr role="row">
          {['Col.', 'Label', error, 'Value', 'Expected'].map((header) => (
            <th key={header} role="columnheader" scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
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
      </tbody>
    </table>
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
