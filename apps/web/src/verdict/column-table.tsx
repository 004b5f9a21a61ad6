import type { ColumnDifference } from '@veridict/contract/model/verdict'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import classes from './column-table.module.css'
import { QuotedNames } from './quoted-names.tsx'

/**
 * The columns that differ from the dictionary: place, expected name, name in the file, and what to do. On
 * narrow screens each column is a block. The roles are explicit, as in `ui/tables/data-table.tsx`.
 */
export function ColumnTable({ columns }: { columns: readonly ColumnDifference[] }) {
  return (
    <table role="table" aria-label="Columns that differ" className={classes.table}>
      <thead role="rowgroup">
        <tr role="row">
          {['Column', 'Expected', 'Found', 'What to do'].map((header) => (
            <th key={header} role="columnheader" scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {columns.map(({ position, expected, found, note }, index) => (
          <tr key={`${position}-${index}`} role="row">
            <td role="cell" className={classes.place}>
              <span className={classes.letter}>{position}</span>
            </td>
            <td role="cell" className={classes.expected} data-label="Expected">
              {expected === null ? <Nothing text="nothing" /> : <BreakableName name={expected} />}
            </td>
            <td role="cell" className={classes.found} data-label="Found">
              <Found name={found} />
            </td>
            <td role="cell" className={classes.note}>
              <QuotedNames text={note} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Found({ name }: { name: string | null }) {
  if (name === null) return <Nothing text="nothing" />
  if (name === '') return <Nothing text="no name" />
  return <BreakableName name={name} />
}

const Nothing = ({ text }: { text: string }) => <span className={classes.nothing}>{text}</span>
