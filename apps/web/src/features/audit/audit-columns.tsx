import { Anchor } from '@mantine/core'
import type { AuditEntryItem } from '@veridict/contract/api/audit-trail'
import { auditActionNames, auditMessages as texts } from '@veridict/contract/messages/audit-trail'
import { useMemo } from 'react'
import type { Column } from '#ui/tables/data-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'
import { AuditDetail } from './audit-detail.tsx'
import type { AuditFilter } from './use-audit-address.ts'
import classes from './audit-columns.module.css'

/** The columns of the audit trail. A person or a company filters the list when it is chosen. */
export const useAuditColumns = (onFilter: (changed: Partial<AuditFilter>) => void) =>
  useMemo<Column<AuditEntryItem>[]>(
    () => [
      {
        header: texts.columns.action,
        width: '24%',
        lead: true,
        cell: ({ action, subject }) => (
          <span className={classes.pair}>
            <span>{auditActionNames[action]}</span>
            <span className={classes.second}>
              <BreakableName name={subject} />
            </span>
          </span>
        ),
      },
      { header: texts.change, cell: (entry) => <AuditDetail entry={entry} /> },
      {
        header: texts.columns.actor,
        width: '20%',
        cell: ({ actor, address }) => (
          <span className={classes.pair}>
            {actor === null ? (
              <span>{address === null ? texts.nobody : texts.visitor}</span>
            ) : (
              <FilterButton name={actor.email} onClick={() => onFilter({ userId: actor.id })} />
            )}
            {address !== null && (
              <span className={classes.second}>
                <BreakableName name={address} />
              </span>
            )}
          </span>
        ),
      },
      {
        header: texts.columns.company,
        width: '14%',
        cell: ({ company }) =>
          company && <FilterButton name={company.name} onClick={() => onFilter({ companyId: company.id })} />,
      },
      { header: texts.at, width: '190px', cell: ({ at }) => <TimeStamp at={at} /> },
    ],
    [onFilter],
  )

const FilterButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <Anchor
    component="button"
    type="button"
    inherit
    className={classes.filter}
    title={texts.onlyOf(name)}
    onClick={onClick}
  >
    <BreakableName name={name} />
  </Anchor>
)
