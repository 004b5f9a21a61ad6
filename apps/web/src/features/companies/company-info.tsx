import { pauseCompany, readCompany, updateCompany } from '@veridict/contract/api/companies'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { companyForm } from '@veridict/contract/forms/company'
import { operationMessages as texts } from '@veridict/contract/messages/operation'
import { useState } from 'react'
import { confirm } from '#lib/forms/confirm.ts'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { formatTime } from '#ui/text/format.ts'
import { TextButton } from '#ui/text/text-button.tsx'
import { CompanyFields, useCompanyForm } from './company-fields.tsx'

type StoredCompany = ReplyOf<typeof readCompany>
export type CompanyInfoProps = { id: number; company: StoredCompany }

/** The data of a company, with a dialog to edit it. */
export function CompanyInfo({ id, company }: CompanyInfoProps) {
  const [isEditing, setIsEditing] = useState(false)
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
          <TextButton fw={600} disabled={pause.isPending} onClick={() => void confirmAndPause()}>
            {company.pausedAt === null ? texts.pause : texts.resume}
          </TextButton>
          <TextButton fw={600} onClick={() => setIsEditing(true)}>
            Edit
          </TextButton>
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
      {isEditing && <CompanyDialog id={id} company={company} onClose={() => setIsEditing(false)} />}
    </Panel>
  )
}

const snapshotOf = ({ companyName: name, containerName, address, version: etag }: StoredCompany) => ({
  values: { name, containerName, address },
  etag,
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
      canSave={form.isDirty()}
      isSaving={update.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) => {
        const body = { ...companyForm.parse(values), version: conflict.etag }
        update.mutate({ params, body }, { onSuccess: onClose })
      })}
    >
      <CompanyFields form={form} />
      {conflict.note}
    </FormDialog>
  )
}
