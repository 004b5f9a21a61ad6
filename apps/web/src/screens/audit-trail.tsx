import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFileExport } from '@tabler/icons-react'
import { auditMessages as texts } from '@veridict/contract/messages/audit-trail'
import { crumbs } from '#app/paths.ts'
import { auditQuery, useExportAudit } from '#features/audit/api.ts'
import { auditColumns } from '#features/audit/audit-columns.tsx'
import { AuditFilters } from '#features/audit/audit-filters.tsx'
import { useAuditAddress } from '#features/audit/use-audit-address.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { Page } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'

/** Who did what, when and from where, for administrators. See docs/BEHAVIOUR.md#audit-trail. */
export function AuditTrail() {
  const { filter, isFiltered, page, change, goTo, clear } = useAuditAddress()
  const entries = useQuery(auditQuery(filter, page))
  const exporting = useExportAudit()
  const exportButton = useFocusAfterWait(exporting.isPending)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      above={[crumbs.home]}
      actions={
        <Button
          variant="default"
          ref={exportButton}
          loading={exporting.isPending}
          leftSection={<IconFileExport size={18} stroke={1.8} aria-hidden />}
          onClick={() => exporting.mutate(filter)}
        >
          {texts.export}
        </Button>
      }
    >
      <AuditFilters filter={filter} onChange={change} rows={entries.data?.data ?? []} />
      <PagedTable
        label={texts.title}
        columns={auditColumns(change)}
        rowKey={({ id }) => id}
        query={entries}
        page={page}
        onPage={goTo}
        empty={
          <NoticeBlock
            picture={<SheetPicture />}
            title={texts.empty}
            text={isFiltered ? texts.noneMatch : texts.emptyText}
            action={
              isFiltered && (
                <Button variant="default" onClick={clear}>
                  {texts.clearFilters}
                </Button>
              )
            }
          />
        }
      />
    </Page>
  )
}
