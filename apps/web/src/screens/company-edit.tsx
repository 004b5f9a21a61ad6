import { Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { pauseCompany, readCompany, updateCompany } from '@veridict/contract/api/companies'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { companyForm } from '@veridict/contract/forms/company'
import { pageSizes } from '@veridict/contract/limits'
import { operationMessages as texts } from '@veridict/contract/messages/operation'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { idOf } from '@veridict/contract/notation/id'
import { useState } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { CompanyDictionaries } from '#features/companies/company-dictionaries.tsx'
import { CompanyFields, useCompanyForm } from '#features/companies/company-fields.tsx'
import { CompanyTokens } from '#features/companies/company-tokens.tsx'
import { CompanyWebhook } from '#features/companies/company-webhook.tsx'
import { companyUsersQuery, openUser, useUserColumns } from '#features/users/use-user-columns.tsx'
import { confirm } from '#lib/forms/confirm.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { call } from '#lib/http/client.ts'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton, TextButton } from '#ui/forms/action-button.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Facts, LoadingPage, Page, Panel } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { formatTime } from '#ui/text/format.ts'
import { NotFound } from './not-found.tsx'

/** See docs/BEHAVIOUR.md#companies-and-administrators. */
export function CompanyEdit() {
  const id = idOf(useParams().companyId)
  return id === null ? <NotFound /> : <StoredCompany id={id} />
}

const [PEOPLE, PROGRAMS] = ['people', 'programs']

/** A company that cannot be read leads to the list. */
function StoredCompany({ id }: { id: number }) {
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') === PROGRAMS ? PROGRAMS : PEOPLE
  const company = useQuery(queryOf(readCompany, { params: { id } }))
  if (company.isError && company.data === undefined) return <Navigate to={paths.companies} replace />
  if (company.data === undefined) return <LoadingPage />
  const name = company.data.companyName
  return (
    <Page title={name} above={[crumbs.home, crumbs.companies]}>
      <Tabs
        value={tab}
        onChange={(opened) => setQuery(opened === PROGRAMS ? { tab: PROGRAMS } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb={24}>
          <Tabs.Tab value={PEOPLE}>People and dictionaries</Tabs.Tab>
          <Tabs.Tab value={PROGRAMS}>Programs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={PEOPLE}>
          <Users company={{ id, name }} />
          <CompanyDictionaries companyId={id} />
          <CompanyInfo id={id} company={company.data} />
        </Tabs.Panel>
        <Tabs.Panel value={PROGRAMS}>
          <CompanyTokens companyId={id} />
          <CompanyWebhook companyId={id} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Users({ company }: { company: { id: number; name: string } }) {
  const [page, setPage] = useState(1)
  const users = useQuery(companyUsersQuery(company.id, page))
  return (
    <Panel
      title="Users"
      count={users.data?.totalCount}
      actions={
        <ActionButton
          label="Add user"
          variant="default"
          Icon={IconPlus}
          onClick={() => openUser(null, company)}
        />
      }
    >
      <PagedTable
        label="Users"
        columns={useUserColumns(company)}
        rowKey={({ id }) => id}
        query={users}
        page={page}
        pageSize={pageSizes.companyUsers}
        onPage={setPage}
        quietPager
        empty={
          <NoticeBlock
            title={submissionMessages.empty}
            text="Without a user, no files can be uploaded for this company."
          />
        }
      />
    </Panel>
  )
}

type CompanyInfoProps = { id: number; company: ReplyOf<typeof readCompany> }

function CompanyInfo({ id, company }: CompanyInfoProps) {
  const pause = useChange(pauseCompany)
  const confirmAndPause = async () => {
    const on = company.pausedAt === null
    const title = texts.pauseTitle(company.companyName)
    if (on && !(await confirm({ title, text: texts.pauseText, confirmLabel: texts.pause }))) return
    pause.mutate({ params: { id }, body: { on } })
  }
  return (
    <Panel
      title="Company info"
      actions={
        <>
          <TextButton
            label={company.pausedAt === null ? texts.pause : texts.resume}
            fw={600}
            disabled={pause.isPending}
            onClick={() => void confirmAndPause()}
          />
          <TextButton label="Edit" fw={600} onClick={() => openDialog(CompanyDialog, { id, company })} />
        </>
      }
    >
      <Facts
        facts={[
          { name: 'Name', value: company.companyName },
          { name: 'Storage folder', value: company.containerName },
          { name: 'Address', value: company.address },
          ...(company.pausedAt === null
            ? []
            : [{ name: 'Uploads', value: texts.pausedSince(formatTime(new Date(company.pausedAt))) }]),
        ]}
      />
    </Panel>
  )
}

const snapshotOf = ({ companyName, containerName, address, version }: CompanyInfoProps['company']) => ({
  values: { name: companyName, containerName, address },
  etag: version,
})

function CompanyDialog({ id, company, onClose }: CompanyInfoProps & { onClose: () => void }) {
  const params = { id }
  const initial = snapshotOf(company)
  const form = useCompanyForm(initial.values)
  const conflict = useConflict(form, initial, async () => snapshotOf(await call(readCompany, { params })))
  const update = useChange(updateCompany, conflict.showOrAnnounce)
  return (
    <FormDialog
      title="Edit company"
      form={form}
      isSaving={update.isPending}
      onClose={onClose}
      onSave={(values) => {
        const body = { ...companyForm.parse(values), version: conflict.etag }
        update.mutate({ params, body }, { onSuccess: onClose })
      }}
    >
      <CompanyFields form={form} />
      {conflict.note}
    </FormDialog>
  )
}
