import type { ComponentProps, ReactNode } from 'react'
import sheet from './sheet-table.module.css'

type SheetTableProps = ComponentProps<'table'> & { headers: readonly string[]; caption?: ReactNode }

/** On narrow screens each row is a block, with explicit roles, as in `ui/tables/data-table.tsx`. */
export const SheetTable = ({ headers, caption, className, children, ...table }: SheetTableProps) => (
  <table role="table" className={`${sheet.table} ${className}`} {...table}>
    {caption && <caption>{caption}</caption>}
    <thead role="rowgroup">
      <tr role="row">
        {headers.map((header) => (
          <th key={header} role="columnheader" scope="col">
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </table>
)
