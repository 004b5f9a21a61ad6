import { auditActions, type AuditAction } from '@veridict/contract/model/audit-action'
import { idOf } from '@veridict/contract/notation/id'
import { useFilterAddress } from '#ui/tables/use-list-address.ts'

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
