import { IconFileExport } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { exportAuditEntries, listAuditEntries } from '@veridict/contract/api/audit-trail'
import { pageSizes } from '@veridict/contract/limits'
import { auditMessages as texts } from '@veridict/contract/messages/audit-trail'
import { crumbs } from '#app/paths.ts'
import { auditColumns } from '#features/audit/audit-columns.tsx'
import { AuditFilters, parametersOf, useAuditAddress } from '#features/audit/audit-filters.tsx'
import { download } from '#lib/http/download.ts'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'

/** See docs/BEHAVIOUR.md#audit-trail. */
export function AuditTrail() {
  const { filter, isFiltered, page, change, goTo, clear } = useAuditAddress()
  const parameters = parametersOf(filter)
  const paging = { PageNumber: page, PageSize: pageSizes.default }
  const entries = useQuery(pageQueryOf(listAuditEntries, { query: { ...parameters, ...paging } }))
  const exporting = useMutation({ mutationFn: () => download(exportAuditEntries, { query: parameters }) })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      above={[crumbs.home]}
      actions={
        <ActionButton
          label={texts.export}
          variant="default"
          isBusy={exporting.isPending}
          Icon={IconFileExport}
          onClick={() => exporting.mutate()}
        />
      }
    >
      <AuditFilters filter={filter} onChange={change} />
      <PagedTable
        label={texts.title}
        columns={auditColumns(change)}
        rowKey={({ id }) => id}
        query={entries}
        page={page}
        onPage={goTo}
        empty={
          <NoticeBlock
            picture="quiet"
            title={texts.empty}
            text={isFiltered ? texts.noneMatch : texts.emptyText}
            action={
              isFiltered && <ActionButton label={texts.clearFilters} variant="default" onClick={clear} />
            }
          />
        }
      />
    </Page>
  )
}
