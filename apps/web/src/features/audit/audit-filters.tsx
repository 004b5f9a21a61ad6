import { Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { AuditEntryItem } from '@veridict/contract/api/audit-trail'
import { auditActionNames, auditMessages as texts } from '@veridict/contract/messages/audit-trail'
import { type AuditAction, auditActions } from '@veridict/contract/model/audit-action'
import { idOf } from '@veridict/contract/notation/id'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { DayField } from '#ui/forms/day-field.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useFilterAddress } from '#ui/tables/use-list-address.ts'
import classes from './audit-filters.module.css'

export type AuditFiltersProps = {
  filter: AuditFilter
  onChange: (changed: Partial<AuditFilter>, options?: { replace: boolean }) => void
  /** The listed entries, from which the filter takes the names of its person and company. */
  rows: readonly AuditEntryItem[]
}

const dayProps = { clearable: true, classNames: { root: classes.day } }
const actions = auditActions.map((value) => ({ value, label: auditActionNames[value] }))

/** What the list of entries can be filtered by; person and company are chosen in a row. */
export function AuditFilters({ filter, onChange, rows }: AuditFiltersProps) {
  return (
    <>
      <div className={classes.filters}>
        <SearchBox
          label={texts.search}
          value={filter.search}
          isLive
          onSearch={(search) => onChange({ search }, { replace: true })}
        />
        <Select
          aria-label={texts.action}
          placeholder={texts.allActions}
          data={actions}
          searchable
          clearable
          value={filter.action}
          onChange={(action) => onChange({ action: action as AuditAction | null })}
          className={classes.action}
        />
        <div className={classes.days}>
          <DayField
            label={texts.from}
            value={filter.from}
            onChange={(from) => onChange({ from })}
            {...dayProps}
          />
          <DayField label={texts.to} value={filter.to} onChange={(to) => onChange({ to })} {...dayProps} />
        </div>
      </div>
      <Chosen filter={filter} onChange={onChange} rows={rows} />
    </>
  )
}

/** The person and the company that the list is filtered by, each with a button that ends it. */
function Chosen({ filter: { user, company }, onChange, rows }: AuditFiltersProps) {
  if (user === null && company === null) return null
  const person = rows.find(({ actor }) => actor?.id === user)?.actor?.email ?? String(user)
  const name = rows.find((row) => row.company?.id === company)?.company?.name ?? String(company)
  return (
    <div className={classes.chosen}>
      {user !== null && <Chip text={texts.person(person)} onClick={() => onChange({ user: null })} />}
      {company !== null && <Chip text={texts.company(name)} onClick={() => onChange({ company: null })} />}
    </div>
  )
}

const Chip = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <ActionButton
    label={text}
    variant="default"
    size="compact-sm"
    rightSection={<IconX size={14} stroke={2} aria-hidden />}
    aria-label={texts.without(text)}
    onClick={onClick}
  />
)

/** '' and null: all. Days as `yyyy-MM-dd`. */
export type AuditFilter = {
  search: string
  action: AuditAction | null
  from: string
  to: string
  user: number | null
  company: number | null
}

/** Filters and page of the audit trail, stored in the address. */
export function useAuditAddress() {
  const { query, ...address } = useFilterAddress()
  const filter: AuditFilter = {
    search: query.get('search') ?? '',
    action: auditActions.find((action) => action === query.get('action')) ?? null,
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    user: idOf(query.get('user')),
    company: idOf(query.get('company')),
  }
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== '')
  return { ...address, filter, isFiltered }
}

/** For calls. Days are those of the browser's time zone. */
export const parametersOf = ({ search, action, from, to, user, company }: AuditFilter) => ({
  SearchText: search,
  ...(action !== null && { Action: [action] }),
  ...(from !== '' && { From: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to !== '' && { To: new Date(`${to}T23:59:59.999`).toISOString() }),
  ...(user !== null && { UserId: user }),
  ...(company !== null && { CompanyId: company }),
})

/** What is no day is ignored, like every unknown filter. */
const dayOf = (text: string | null): string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
