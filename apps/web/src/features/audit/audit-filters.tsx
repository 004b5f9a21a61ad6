import { Select } from '@mantine/core'
import { auditActionNames, auditMessages as texts } from '@veridict/contract/messages/audit-trail'
import { type AuditAction, auditActions } from '@veridict/contract/model/audit-action'
import { DayField } from '#ui/forms/day-field.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useFilterAddress } from '#ui/tables/use-list-address.ts'
import classes from './audit-filters.module.css'

export type AuditFiltersProps = {
  filter: AuditFilter
  onChange: (changed: Partial<AuditFilter>, options?: { replace: boolean }) => void
}

const dayProps = { clearable: true, classNames: { root: classes.day } }
const actions = auditActions.map((value) => ({ value, label: auditActionNames[value] }))

export const AuditFilters = ({ filter, onChange }: AuditFiltersProps) => (
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
      allowDeselect
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
)

/** '' and null: all. Days as `yyyy-MM-dd`. */
export type AuditFilter = { search: string; action: AuditAction | null; from: string; to: string }

export function useAuditAddress() {
  const { query, ...address } = useFilterAddress()
  const filter: AuditFilter = {
    search: query.get('search') ?? '',
    action: auditActions.find((action) => action === query.get('action')) ?? null,
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
  }
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== '')
  return { ...address, filter, isFiltered }
}

/** For calls. Days are those of the browser's time zone. */
export const parametersOf = ({ search, action, from, to }: AuditFilter) => ({
  SearchText: search,
  ...(action !== null && { Action: [action] }),
  ...(from !== '' && { From: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to !== '' && { To: new Date(`${to}T23:59:59.999`).toISOString() }),
})

/** What is no day is ignored, like every unknown filter. */
const dayOf = (text: string | null): string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
