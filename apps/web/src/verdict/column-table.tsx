import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import type { ColumnDifference } from '@veridict/contract/model/verdict'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import classes from './column-table.module.css'
import { QuotedNames } from './quoted-names.tsx'
import sheet from './sheet-table.module.css'

/** Fewer columns with one note each keep it in their lines. */
const manyLines = 3

/**
 * The columns that differ from the dictionary: place, expected name, name in the file, and what to do, said
 * once above the table where it is the same for all. On narrow screens each column is a block. The roles are
 * explicit, as in `ui/tables/data-table.tsx`.
 */
export function ColumnTable({ columns }: { columns: readonly ColumnDifference[] }) {
  const [{ note: firstNote }] = columns
  const isSame = columns.length >= manyLines && columns.every(({ note }) => note === firstNote)
  return (
    <table
      role="table"
      aria-label="Columns that differ"
      className={`${sheet.table} ${classes.table}`}
      data-narrow={isSame || undefined}
    >
      {isSame && (
        <caption>
          {texts.forAllColumns(columns.length)} <QuotedNames text={firstNote} />
        </caption>
      )}
      <thead role="rowgroup">
        <tr role="row">
          {['Column', 'Expected', 'Found', ...(isSame ? [] : ['What to do'])].map((header) => (
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
              <span className={sheet.reference}>{position}</span>
            </td>
            <td role="cell" className={classes.expected} data-label="Expected">
              {expected === null ? <Nothing text="nothing" /> : <BreakableName name={expected} />}
            </td>
            <td role="cell" className={classes.found} data-label="Found">
              <Found name={found} />
            </td>
            {!isSame && (
              <td role="cell" className={classes.note}>
                <QuotedNames text={note} />
              </td>
            )}
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
