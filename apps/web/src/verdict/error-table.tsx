import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Expectation } from '#ui/text/cell-value.tsx'
import { BeforeAfter } from './before-after.tsx'
import sheet from './sheet-table.module.css'
import type { ShownError } from './shown-row.ts'
import classes from './error-table.module.css'

/**
 * The errors of one row: cell, label, error, value and what is expected. On narrow screens each error is a
 * block. The roles are explicit, as in `ui/tables/data-table.tsx`.
 */
export function ErrorTable({ rowNumber, errors }: { rowNumber: number; errors: ShownError[] }) {
  return (
    <table
      role="table"
      aria-label={`Errors of row ${rowNumber}`}
      className={`${sheet.table} ${classes.table}`}
    >
      <thead role="rowgroup">
        <tr role="row">
          {['Col.', 'Label', 'Error', 'Value', 'Expected'].map((header) => (
            <th key={header} role="columnheader" scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {errors.map((error, index) => (
          <tr key={`${error.columnPosition}-${index}`} role="row">
            <td role="cell" className={classes.place}>
              <span className={sheet.reference} title={`Column ${error.columnPosition}, row ${rowNumber}`}>
                {error.columnPosition}
                <span className={classes.row}>{rowNumber}</span>
              </span>
            </td>
            <td role="cell" className={classes.label}>
              <BreakableName name={error.label} />
            </td>
            <td role="cell" className={classes.error}>
              {error.error}
            </td>
            <td role="cell" data-label="Value">
              <BeforeAfter value={error.value} suggestion={error.suggestion} />
            </td>
            <td role="cell" data-label="Expected">
              <Expectation text={error.expected} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
